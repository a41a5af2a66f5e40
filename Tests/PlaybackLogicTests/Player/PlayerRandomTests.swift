// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import AudioModel
import Testing

@Suite("The player under random events")
struct PlayerRandomTests {
  @Test("what is heard is always what is wanted, and nothing is told of what is dead", arguments: 0..<20)
  func invariants(seed: UInt64) {
    var random = Random(state: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    var deck = Deck(6, seed: seed, repeat: [.none, .one, .all][Int(seed % 3)])
    for step in 0..<5_000 {
      act(&deck, &random)
      let faults = faults(of: deck)
      #expect(faults.isEmpty, "seed \(seed), step \(step): \(faults)")
      if !faults.isEmpty { return }
    }
  }

  private func faults(of deck: Deck) -> [String] {
    var faults = deck.faults
    let player = deck.player
    let isWanted =
      !player.session.isCorked && player.queue.current != nil && player.session.intent == .playing
    if deck.isSounding != isWanted { faults.append("sounds: \(deck.isSounding), wanted: \(isWanted)") }
    if let loaded = deck.loaded, loaded.entry.id != player.queue.current {
      faults.append("the wrong entry is loaded")
    }
    if deck.position < .zero { faults.append("a place of \(deck.position)") }
    if let length = player.length, deck.position > length { faults.append("past the end: \(deck.position)") }
    if player.length != nil, player.queue.current == nil { faults.append("a length of nothing") }
    if deck.timers[.cue] != nil, player.session.state == .playing, player.state != .seekingForward,
      player.state != .seekingBackward
    {
      faults.append("cues in the state \(player.state)")
    }
    return faults
  }

  private func act(_ deck: inout Deck, _ random: inout Random) {
    switch random.below(28) {
    case 0, 1: deck.order(.play)
    case 2: deck.order(.pause)
    case 3: deck.order(.toggle)
    case 4: deck.order(.stop)
    case 5, 6: deck.order(.next)
    case 7: deck.order(.previous)
    case 8: deck.order(.seek(.seconds(random.below(300) - 150)))
    case 9: deck.order(.seekTo(.seconds(random.below(120))))
    case 10: deck.order(.jumpAnywhere)
    case 11: deck.order(.beginSeek(random.below(2) == 0 ? .forward : .backward))
    case 12: deck.order(.endSeek)
    case 13: deck.hear(length: random.below(4) == 0 ? nil : .seconds(random.below(200)))
    case 14, 15: deck.playToEnd()
    case 16: deck.fail()
    case 17: deck.failFollower()
    case 18: deck.session(random.below(2) == 0 ? .began(.cork) : .ended(.cork))
    case 19: deck.session(random.below(2) == 0 ? .began(.call) : .ended(.call))
    case 20: restartServer(&deck)
    case 21: deck.edit { $0.append([EntrySource("/music/\($0.count).ogg")]) }
    case 22: edit(&deck, &random)
    case 23: deck.edit { $0.undo() ?? $0.setRepeat(.default) }
    case 24:
      deck.edit { $0.setShuffle(.chosen(ShuffleMode.allCases[random.below(ShuffleMode.allCases.count)])) }
    case 25, 26: tag(&deck, &random)
    default: deck.wait(.milliseconds(random.below(20_000)))
    }
  }

  /// Mostly of the current entry, and often less than where the listener is.
  private func tag(_ deck: inout Deck, _ random: inout Random) {
    let count = deck.player.queue.count
    let rows = [deck.row, deck.row, count > 0 ? random.below(count) : nil, nil]
    deck.tag(rows[random.below(rows.count)], length: .seconds(random.below(120)))
  }

  private func restartServer(_ deck: inout Deck) {
    deck.session(.began(.server))
    deck.sound(.soundLost)
    deck.session(.ended(.server))
  }

  private func edit(_ deck: inout Deck, _ random: inout Random) {
    let count = deck.player.queue.count
    guard count > 0 else { return }
    let row = random.below(count)
    switch random.below(3) {
    case 0: deck.edit { $0.remove(at: RangeSet(row..<row + 1)) }
    case 1: deck.edit { $0.move(row..<row + 1, to: random.below(count)) }
    default: deck.edit { $0.insertNext([EntrySource("/music/next.mp3")]) }
    }
  }

  /// SplitMix64.
  private struct Random {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((bits ^ (bits >> 31)) % UInt64(limit))
    }
  }
}
