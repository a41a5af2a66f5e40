// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@testable import PlaybackLogic

@Suite("Books with chapters, in a player")
struct BookPlaceTests {
  /// Two songs around a book with four chapters of 1,000 s each, where the last one has no end but the file's.
  private func book(_ places: [String: Duration]? = [:], at row: Int = 1, repeats: RepeatMode = .none)
    -> ResumeScene
  {
    var scene = ResumeScene(places, repeats: repeats)
    scene.send(.places(places, ofBooks: ["/books/b.m4b"]))
    var sources = (0..<4).map {
      let start = UInt32($0) * 75_000
      return EntrySource("/books/b.m4b", span: CueSpan(start: start, end: $0 == 3 ? nil : start + 75_000))
    }
    if row == 1 { sources = [EntrySource("/music/5.flac")] + sources + [EntrySource("/music/6.flac")] }
    scene.edit { $0.replace(with: sources) }
    scene.order(.play)
    scene.stream()
    scene.hear(length: 1_000, kind: row == 1 ? .music : .audiobook)
    return scene
  }

  /// The row of what is loaded, and where in it.
  private func row(_ scene: ResumeScene) -> [Int?] {
    [scene.loaded.flatMap { scene.playback.player.queue.position(of: $0.entry.id) }, scene.start]
  }

  @Test("a book is begun in the chapter in which it was left")
  func chapter() {
    #expect(row(book(["/books/b.m4b": .seconds(2_500)], at: 0)) == [2, 497])
    #expect(row(book(["/books/b.m4b": .seconds(3_100)], at: 0)) == [3, 97])
    #expect(row(book(["/books/b.m4b": .seconds(2_000)], at: 0)) == [2, 0], "at the end of the second")
    #expect(row(book(["/books/b.m4b": .seconds(700)], at: 0)) == [0, 697])
    #expect(row(book([:], at: 0)) == [0, 0])
  }

  @Test("so it is when its turn comes after a song, by itself without a gap, or by Next")
  func chapterInTurn() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)])
    let next = try #require(scene.follower)
    #expect(next.start == .seconds(497) && scene.playback.player.queue.position(of: next.entry.id) == 3)
    var skipped = scene
    scene.send(.sound(.opened(play: next.play, length: .seconds(1_000))))
    scene.send(.sound(.heard(play: next.play)))
    #expect(scene.playback.player.queue.current == next.entry.id && scene.place == 497)
    skipped.order(.next)
    #expect(row(skipped) == [3, 497])
    // The chapter has not played for long, though it went on far behind its beginning.
    skipped.order(.previous)
    #expect(row(skipped) == [2, 0], "a row that somebody goes to is the row that they get")
  }

  @Test("a chosen chapter is what plays, and from then on the place is there")
  func chosenChapter() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let first = try #require(scene.playback.player.queue.entries(at: 0..<1).first)
    scene.order(.jump(to: first.id))
    #expect(row(scene) == [0, 0])
    scene.hear(length: 1_000, kind: .audiobook)
    scene.wait(.seconds(5))
    scene.order(.pause)
    #expect(!scene.stored.contains("/books/b.m4b 5"), "a few seconds are a try")
    scene.order(.play)
    scene.move()
    scene.wait(.seconds(25))
    scene.order(.stop)
    #expect(scene.stored.last == "/books/b.m4b 30")
    scene.order(.play)
    #expect(row(scene) == [0, 27])
  }

  @Test("the place goes on from chapter to chapter, and is forgotten at the end of the last")
  func chapters() throws {
    var scene = book(at: 0)
    scene.wait(.seconds(45))
    #expect(scene.stored.last == "/books/b.m4b 40")
    for chapter in 1...3 {
      let next = try #require(scene.follower)
      #expect(next.start == .zero)
      scene.send(.sound(.opened(play: next.play, length: .seconds(1_000))))
      scene.send(.sound(.heard(play: next.play)))
      scene.loaded = next
      #expect(scene.stored.last == "/books/b.m4b \(chapter)000")
      // The kind is that of the chapter before.
      scene.wait(.seconds(30))
      #expect(scene.stored.last == "/books/b.m4b \(chapter)020")
    }
    scene.send(.sound(.ended(play: try #require(scene.loaded).play)))
    #expect(scene.stored.last == "/books/b.m4b forgotten")
    scene.order(.play)
    #expect(row(scene) == [0, 0])
  }

  @Test("a book that is repeated begins with its first chapter")
  func repeatedBook() throws {
    var scene = book(["/books/b.m4b": .seconds(3_500)], at: 0, repeats: .all)
    #expect(row(scene) == [3, 497])
    let next = try #require(scene.follower)
    #expect(next.start == .zero && scene.playback.player.queue.position(of: next.entry.id) == 0)
    scene.order(.next)
    #expect(row(scene) == [0, 0])
  }

  @Test("a book that is put behind its own chapter is begun where it was left, too")
  func bookBesideItself() throws {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let sources = scene.playback.player.queue.entries(at: 0..<4).map(\.source)
    scene.edit { $0.insertNext(sources) }
    let first = scene.playback.player.queue.entries(at: 3..<4)[0].id
    let chapter = try #require(scene.playback.player.chapterLeft(first, after: nil))
    #expect(scene.playback.player.queue.position(of: chapter) == 5)
    // What follows the first chapter is the second, wherever the book was left.
    let second = scene.playback.player.queue.entries(at: 4..<5)[0].id
    #expect(scene.playback.player.chapterLeft(second, after: nil) == nil)
  }

  @Test("whoever wants a book from its beginning gets its first chapter")
  func bookFromBeginning() {
    var scene = book(["/books/b.m4b": .seconds(2_500)], at: 0)
    let sources = scene.playback.player.queue.entries(at: 0..<4).map(\.source)
    scene.edit(fromBeginning: true) { $0.replace(with: sources) }
    scene.order(.play)
    #expect(row(scene) == [0, 0])
    scene.hear(length: 1_000, kind: .audiobook)
    scene.order(.next)
    #expect(row(scene) == [1, 0])
    scene.edit { $0.replace(with: sources) }
    scene.order(.play)
    #expect(row(scene)[0] == 2)
  }
}
