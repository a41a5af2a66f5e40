// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
@testable import ScreenModel
import Testing

@Suite("Marks on Library, Search and Lists")
struct PicksTests {
  /// Two artists with an album each, on the screen Library.
  private func stage() -> ScreenStage {
    var stage = ScreenStage()
    stage.library = [
      ScreenStage.track(0, "Airbag", "Radiohead", "OK Computer"),
      ScreenStage.track(1, "Lucky", "Radiohead", "OK Computer"),
      ScreenStage.track(2, "Electioneering", "Radiohead", "OK Computer"),
      ScreenStage.track(3, "Jóga", "Björk", "Homogenic"),
      ScreenStage.track(4, "Hunter", "Björk", "Homogenic"),
    ]
    stage.open()
    stage.press("2")
    _ = stage.takeEffects()
    return stage
  }

  private func item(_ number: Int64) -> LibraryChoice { .item(MediaItem.ID(rawValue: number)) }

  private func lines(_ stage: inout ScreenStage) -> [String] {
    let frame = stage.frame()
    return (0..<frame.size.rows).map { frame.text($0) }
  }

  private func marks(_ stage: inout ScreenStage) -> Int {
    lines(&stage).reduce(0) { $0 + $1.unicodeScalars.count { $0 == "▌" } }
  }

  @Test("marked tracks of several albums are added together, in the order in which they were marked")
  func basket() {
    var stage = stage()
    // The last column has the first artist's tracks; the second one is below.
    stage.press("l l j m k m h h j")
    #expect(marks(&stage) == 0)
    #expect(lines(&stage).contains { $0.contains("2 marked") })
    stage.press("l l m a")
    #expect(stage.takeEffects() == [.use(.several([item(2), item(1), item(4)]), .append)])
    #expect(marks(&stage) == 0)
    #expect(!lines(&stage).contains { $0.contains("marked") })
  }

  @Test("a rating is for all marked tracks; a marked album can't be rated, which is said")
  func rated() {
    var stage = stage()
    stage.press("l l m j m R 4")
    #expect(stage.takeEffects() == [.rate([1, 2].map { .item(MediaItem.ID(rawValue: $0)) }, 4)])
    stage.press("h m R 3")
    #expect(lines(&stage).contains { $0.contains("2 of 3 marked rows can be rated") }, "\(lines(&stage))")
  }

  @Test("a second m takes the mark away, and Esc all of them")
  func unmarked() {
    var stage = stage()
    stage.press("l l m j m")
    #expect(marks(&stage) == 2)
    stage.press("m")
    #expect(marks(&stage) == 1)
    stage.press("j m Esc")
    #expect(marks(&stage) == 0)
    stage.press("a")
    #expect(stage.takeEffects() == [.use(item(3), .append)])
  }

  @Test("v marks a range, which the second v or any order ends")
  func range() {
    var stage = stage()
    stage.press("l l v j j")
    #expect(marks(&stage) == 3)
    #expect(lines(&stage).contains { $0.contains("3 marked") })
    stage.press("v k")
    #expect(marks(&stage) == 3)
    stage.press("Esc v k Enter")
    #expect(stage.takeEffects() == [.use(.several([item(1), item(2)]), .play)])
  }

  @Test("a long range is taken whole, though not all of its rows were read; albums are not, and that is said")
  func longRange() {
    var stage = ScreenStage()
    stage.library = (0..<3_000).map { ScreenStage.track($0, "Song \($0)", "Artist \($0)", "Album") }
    stage.open()
    stage.press("3")
    stage.type("song")
    stage.press("Enter gg v j j G")
    stage.press("k k k")
    guard let last = stage.screen.cursorRow else { return #expect(Bool(false), "nothing is chosen") }
    _ = stage.takeEffects()
    stage.press("a")
    var request = LibraryRequest(search: "song")
    (request.first, request.limit) = (1, min(last, 2_999) + 1)
    #expect(stage.takeEffects() == [.use(.several([.request(request)]), .append)])

    stage.press("2 gg v G")
    _ = stage.takeEffects()
    stage.press("a")
    #expect(stage.takeEffects().isEmpty)
    #expect(lines(&stage).contains { $0.contains("rows were read and are marked") }, "\(lines(&stage))")
  }

  @Test("V takes albums apart that have the same title: by their artists, or by their folders")
  func albumsOfOneTitle() {
    func key(_ artist: [String], _ file: String) -> [Substring] {
      var tags = MediaTags()
      (tags.album, tags.albumArtist) = ("First Album", artist)
      let path = FilePath(file).map(MediaLocation.file) ?? .uri("")
      return TrackRow(ItemFace(MediaItem(location: path, tags: tags))).albumKey
    }
    #expect(key([], "/m/one/1.mp3") != key([], "/m/two/1.mp3"))
    #expect(key([], "/m/one/1.mp3") == key([], "/m/one/2.mp3"))
    #expect(key(["A"], "/m/one/1.mp3") == key(["A"], "/m/two/1.mp3"))
    #expect(key(["A"], "/m/one/1.mp3") != key(["B"], "/m/one/1.mp3"))
  }

  @Test("a range ends at the chosen row when n shows only rows with the last words")
  func rangeBeforeWords() {
    var stage = stage()
    stage.press("/")
    stage.type("o")
    stage.press("Enter Esc l l j j v n")
    #expect(marks(&stage) == 1)
  }

  @Test("* turns the marks of a list round, and leaves those elsewhere")
  func inverted() {
    var stage = stage()
    // The second track; then, of the other artist, the first.
    stage.press("l l j m h h j l l m *")
    #expect(marks(&stage) == 1)
    stage.press("a")
    #expect(stage.takeEffects() == [.use(.several([item(2), item(5)]), .append)])
    stage.press("v j * a")
    #expect(stage.takeEffects() == [.use(item(5), .append)], "the range was all there is: nothing is marked")
  }

  @Test("V marks the tracks of an album that stand together")
  func wholeAlbum() {
    var stage = stage()
    stage.press("l l j V")
    #expect(marks(&stage) == 3)
    stage.press("Esc h V")
    #expect(marks(&stage) == 0 && lines(&stage).contains { $0.contains("no track of an album") })
    stage.press("3")
    stage.type("o")
    stage.press("Enter V a")
    let choices = stage.takeEffects().compactMap { if case .use(let choice, _) = $0 { choice } else { nil } }
    #expect(choices.count == 1 && stage.screen.picks.isEmpty)
  }

  @Test("an album is marked as a whole, and marks are kept from Library to Search and Lists")
  func together() {
    var stage = stage()
    stage.press("l m 3")
    stage.type("hunter")
    stage.press("Enter m 4")
    stage.press("m A")
    let album = LibraryRequest("albumArtist == \"Radiohead\" and album == \"OK Computer\"")
    #expect(
      stage.takeEffects().filter { if case .use = $0 { true } else { false } } == [
        .use(.several([.request(album), item(5), .list("Fresh")]), .addNext)
      ])
  }

  @Test("while a search is typed, Esc empties the line before it takes marks away")
  func typing() {
    var stage = stage()
    stage.press("l l m 3")
    stage.type("hunter")
    #expect(lines(&stage).contains { $0.contains("1 marked") && $0.contains("Enter goes to the list") })
    stage.press("Esc")
    #expect(stage.screen.search.isEmpty && !stage.screen.picks.isEmpty)
    stage.press("Esc")
    #expect(stage.screen.picks.isEmpty && stage.screen.tab == .search)
    stage.press("Esc")
    #expect(stage.screen.tab == .library)
  }

  @Test("a mark stays on its row when the library changes")
  func changed() {
    var stage = stage()
    stage.press("l l j m")
    stage.library.remove(at: 0)
    stage.send(.news(.library(added: 0, changed: 0, removed: 1)))
    #expect(lines(&stage).contains { $0.contains("▌") && $0.contains("Lucky") })
  }
}
