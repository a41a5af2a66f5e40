// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import Testing

@Suite("The play order")
struct QueueOrderTests {
  @Test(
    "what comes up is what will be heard: to the end, round again, or the same once more",
    arguments: [
      (1, .none, "c d"), (1, .all, "c d a b"), (1, .one, "b"), (3, .none, ""), (3, .all, "a b c d"),
      (nil, .none, "a b c d"), (nil, .all, "a b c d"),
    ] as [(Int?, RepeatMode, String)])
  func comingUp(position: Int?, mode: RepeatMode, names: String) {
    var queue = queue("a b c d", at: position, repeat: mode)
    #expect(queue.comingUp(100).compactMap { queue.name($0) }.joined(separator: " ") == names)
    #expect(queue.comingUp(3) == Array(queue.comingUp(100).prefix(3)) && queue.comingUp(0).isEmpty)
    if position == nil { _ = queue.start() }
    if queue.current == nil { return }
    #expect(queue.comingUp(1).first == queue.following)
  }

  @Test("an entry that is consumed does not come again", arguments: [("a b c", "b c"), ("a", "")])
  func comingUpConsumed(names: String, coming: String) {
    var queue = queue(names, at: 0, repeat: .all)
    _ = queue.setConsume(true)
    #expect(queue.comingUp(100).compactMap { queue.name($0) }.joined(separator: " ") == coming)
    #expect(queue.comingUp(1).first == queue.following)
  }

  @Test("in a shuffled order what comes up is what is drawn: the rest of this round, and how the next begins")
  func comingUpShuffled() {
    for seed in UInt64(0)..<20 {
      var queue = queue("a b c d e", repeat: .all, shuffle: .songs, seed: seed)
      _ = queue.start()
      #expect(queue.comingUp(100) == queue.upcoming(100))
      for _ in 0..<4 {
        let coming = queue.comingUp(1)
        _ = queue.advance()
        #expect(coming == [queue.current])
      }
      #expect(queue.comingUp(100) == [queue.next])
    }
  }

  @Test("the end of a track repeats it under repeat one; Next goes on")
  func repeatOne() {
    var queue = queue("a b", at: 0, repeat: .one)
    let again = queue.advance().current
    #expect(again?.from == queue.id("a") && again?.to == queue.id("a") && again?.cause == .advanced)
    #expect(queue.skipToNext().current?.to == queue.id("b"))
    #expect(queue.next == nil && queue.skipToNext().isEmpty && queue.name(queue.following) == "b")
  }

  @Test("the order ends with nothing current, or begins again")
  func ends() {
    var once = queue("a b c", at: 1)
    #expect(once.playOut() == ["b", "c"])
    #expect(once.current == nil && once.start().current?.to == once.id("a"))
    var ever = queue("a b c", at: 1, repeat: .all)
    #expect(ever.playOut(5) == ["b", "c", "a", "b", "c"])
    var lone = queue("a", at: 0, repeat: .all, shuffle: .songs)
    #expect(lone.playOut(3) == ["a", "a", "a"] && lone.previous == nil)
  }

  @Test("without shuffle Previous is the row above")
  func rowAbove() {
    var queue = queue("a b c", at: 0)
    _ = queue.jump(to: queue.id("c"))
    #expect(queue.name(queue.previous) == "b")
    _ = queue.goBack()
    _ = queue.goBack()
    #expect(queue.name(queue.current) == "a" && queue.goBack().isEmpty)
    _ = queue.setRepeat(.chosen(.all))
    #expect(queue.name(queue.previous) == "c")
  }

  @Test("the default is what the settings say, when they say it")
  func defaults() {
    var queue = queue("a b c", at: 0, repeat: .all, shuffle: .albums)
    #expect(queue.repeatMode == .all && queue.shuffleMode == .albums)
    _ = queue.setRepeat(.chosen(.none))
    #expect(queue.setPreferences(repeat: .one, shuffle: .off).isReordered)
    #expect(queue.repeatMode == .none && queue.shuffleMode == .off)
    _ = queue.setRepeat(.default)
    #expect(queue.repeatMode == .one)
    #expect(!queue.setShuffle(.chosen(.off)).isReordered)
  }

  @Test(
    "each shuffled pass plays every entry once, and does not begin with the one before", arguments: 0..<20)
  func permutation(seed: UInt64) {
    var queue = queue("a b c d e f", repeat: .all, shuffle: .songs, seed: seed)
    _ = queue.start()
    let heard = queue.playOut(30)
    for pass in 0..<5 { #expect(Set(heard[pass * 6..<pass * 6 + 6]).count == 6) }
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test("the same seed shuffles the same, and each order is as likely as any other")
  func chance() {
    var orders: [String: Int] = [:]
    for seed in UInt64(0)..<2_400 {
      let queue = queue("a b c", shuffle: .songs, seed: seed)
      #expect(queue.coming == PlaybackLogicTests.queue("a b c", shuffle: .songs, seed: seed).coming)
      orders[queue.coming, default: 0] += 1
    }
    #expect(orders.count == 6 && orders.values.allSatisfy { (330...470).contains($0) }, "\(orders)")
  }

  @Test("a newcomer falls anywhere into what is to come, and nowhere else")
  func newcomer() {
    var ranks: [Int: Int] = [:]
    for seed in UInt64(0)..<2_000 {
      var queue = queue("a b c d e", at: 0, shuffle: .songs, seed: seed)
      _ = queue.skipToNext()
      _ = queue.append(sources("x"))
      ranks[queue.upcoming(9).firstIndex(of: queue.id("x")) ?? -1, default: 0] += 1
    }
    #expect(
      Set(ranks.keys) == [0, 1, 2, 3] && ranks.values.allSatisfy { (420...580).contains($0) }, "\(ranks)")
  }

  @Test("shuffle on keeps the current entry, and off goes on below it")
  func onAndOff() {
    var queue = queue("a b c d e", at: 2)
    #expect(queue.setShuffle(.chosen(.songs)).isReordered)
    #expect(queue.name(queue.current) == "c" && Set(queue.upcoming(9)).count == 4)
    _ = queue.setShuffle(.chosen(.off))
    #expect(queue.name(queue.current) == "c" && queue.coming == "d e")
  }

  @Test("Previous under shuffle walks back through what was played, jumps, passes and mode changes included")
  func walkBack() {
    var queue = queue("a b c d e f", at: 3, repeat: .all)
    var heard = [queue.current]
    _ = queue.skipToNext()
    heard.append(queue.current)
    _ = queue.setShuffle(.chosen(.songs))
    for step in 0..<20 {
      _ = step % 4 == 0 ? queue.jump(to: queue[(step * 5 + 1) % 6].id) : queue.skipToNext()
      if heard.last != queue.current { heard.append(queue.current) }
    }
    for expected in heard.dropLast().reversed() {
      let left = queue.current
      _ = queue.goBack()
      #expect(queue.current == expected)
      #expect(queue.next == left)
    }
  }

  @Test("a jump in a shuffled order leaves to come what was to come, what was asked for first")
  func jump() {
    var queue = queue("a b c d e f", at: 0, shuffle: .songs)
    _ = queue.insertNext(sources("x y"))
    let coming = queue.upcoming(9)
    _ = queue.jump(to: coming[4])
    #expect(queue.upcoming(9) == coming.filter { $0 != coming[4] })
  }

  @Test(
    "what is opened plays as it was ordered, and then what was asked for next before",
    arguments: ShuffleMode.allCases)
  func opened(shuffle: ShuffleMode) {
    var queue = queue("a b c d", at: 0, shuffle: shuffle)
    _ = queue.insertNext(sources("x"))
    for _ in 0..<2 {
      let opened = queue.insertFirst(sources("p q")).edits
      guard case .added(let entries, _)? = opened.first else {
        Issue.record("nothing was added")
        return
      }
      _ = queue.jump(to: entries[0].id)
      #expect(queue.name(queue.current) == "p" && queue.coming.hasPrefix("q "))
    }
    #expect(queue.coming.hasPrefix("q q x "), "\(queue.coming)")
    #expect(PlayQueue(resuming: queue.state).coming == queue.coming)
  }

  @Test("who goes elsewhere and comes back finds next what was asked for", arguments: ["x", "y", "b", "d"])
  func thereAndBack(name: String) {
    var queue = queue("a b c d", at: 0)
    _ = queue.insertNext(sources("x y"))
    _ = queue.jump(to: queue.id(name))
    if name > "b" { _ = queue.insertNext(sources("w")) }
    _ = queue.jump(to: queue.id("a"))
    _ = queue.insertNext(sources("z"))
    #expect(queue.coming.replacing("w ", with: "").hasPrefix("x y z b "), "\(queue.names)")
  }

  @Test("the same in a shuffled order", arguments: ["x", "y", "b", "d"])
  func thereAndBackShuffled(name: String) {
    var queue = queue("a b c d", at: 0, shuffle: .songs)
    _ = queue.insertNext(sources("x y"))
    _ = queue.jump(to: queue.id(name))
    _ = queue.jump(to: queue.id("a"))
    let isLeft = name == "x" || name == "y"
    _ = queue.insertNext(sources("z"))
    #expect(queue.coming.hasPrefix(isLeft ? (name == "x" ? "y z " : "x z ") : "x y z "), "\(queue.coming)")
    _ = queue.goBack()
    #expect(queue.name(queue.current) == name)
  }

  @Test("what was heard or skipped is next no more, and what was asked for elsewhere stays so")
  func heardOut() {
    var queue = queue("a b c", at: 0)
    _ = queue.insertNext(sources("x y"))
    _ = queue.skipToNext()
    _ = queue.advance()
    _ = queue.jump(to: queue.id("a"))
    _ = queue.insertNext(sources("z"))
    #expect(queue.names == "a z x y b c")
    _ = queue.jump(to: queue.id("x"))
    _ = queue.insertNext(sources("w"))
    #expect(queue.names == "a z x y w b c")
  }

  @Test("albums come by chance, their tracks as in the list", arguments: 0..<20)
  func albums(seed: UInt64) {
    var queue = queue("a1 b1 c2 d2 e2 f3 g h b1 i3", repeat: .all, shuffle: .albums, seed: seed)
    _ = queue.start()
    for _ in 0..<3 {
      let pass = queue.playOut(10).joined(separator: " ")
      #expect(["a1 b1 b1", "c2 d2 e2", "f3 i3", "g", "h"].allSatisfy { pass.contains($0) }, "\(pass)")
    }
  }

  @Test("by albums the current album is played to its end, and newcomers split none", arguments: 0..<20)
  func albumNewcomers(seed: UInt64) {
    var queue = queue("a1 b1 c1 d2 e2 f3 g3", at: 1, shuffle: .albums, seed: seed)
    _ = queue.append(sources("x2 y4 z4 w1"))
    _ = queue.insert(sources("v2"), at: 3)
    let coming = queue.coming
    #expect(coming.hasPrefix("c1 w1 "))
    #expect(["v2 d2 e2 x2", "f3 g3", "y4 z4"].allSatisfy { coming.contains($0) }, "\(coming)")
  }

  @Test(
    "by albums each pass plays an album from its first row on, also where it was torn apart",
    arguments: 0..<20)
  func albumHeads(seed: UInt64) {
    var queue = queue("a1 b1 c1 d2 e2 f2", repeat: .all, shuffle: .albums, seed: seed)
    _ = queue.start()
    _ = queue.insertNext(sources("x3"))
    _ = queue.playOut(7)
    for _ in 0..<3 {
      let pass = queue.playOut(7).joined(separator: " ")
      #expect(["a1 b1 c1", "d2 e2 f2", "x3"].allSatisfy { pass.contains($0) }, "\(pass)")
    }
  }

  @Test("a jump by albums goes on with that album")
  func albumJump() {
    var queue = queue("a1 b1 c1 d2 e2 f2 g3 h3", at: 0, shuffle: .albums)
    _ = queue.insertNext(sources("x"))
    _ = queue.jump(to: queue.id("e2"))
    #expect(queue.coming.hasPrefix("x f2 ") && queue.coming.hasSuffix("g3 h3"))
    _ = queue.goBack()
    #expect(queue.name(queue.current) == "a1")
  }

  @Test("chance chooses another entry than the current one, and each of the others")
  func anywhere() {
    var queue = queue("a b c d", at: 0)
    var heard = Set<EntryID?>()
    for _ in 0..<100 {
      let before = queue.current
      _ = queue.jumpAnywhere()
      #expect(queue.current != before)
      heard.insert(queue.current)
    }
    #expect(heard.count == 4)
  }
}
