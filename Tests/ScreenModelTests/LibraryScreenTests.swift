// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
@testable import ScreenModel
import Testing

@Suite("The library in columns")
struct LibraryScreenTests {
  /// Three artists with an album each, one track that has an artist only, and two that have neither.
  private func stage(holds: Bool = false) -> ScreenStage {
    var stage = ScreenStage()
    stage.library = [
      ScreenStage.track(0, "Airbag", "Radiohead", "OK Computer"),
      ScreenStage.track(1, "Lucky", "Radiohead", "OK Computer"),
      ScreenStage.track(2, "Jóga", "Björk", "Homogenic"),
      ScreenStage.track(3, "Demo", "Nobody", ""),
      ScreenStage.track(4, "Tone one", "", ""), ScreenStage.track(5, "Tone two", "", ""),
    ]
    stage.open()
    stage.press("2")
    stage.holdsLibrary = holds
    _ = stage.takeEffects()
    return stage
  }

  private func text(_ stage: inout ScreenStage) -> String {
    let frame = stage.frame()
    return (1..<10).map { frame.text($0) }.joined(separator: "\n")
  }

  private func item(_ number: Int64) -> LibraryChoice { .item(MediaItem.ID(rawValue: number)) }

  @Test("columns right of another choice are empty and take no orders until its answer is there")
  func outdated() {
    var stage = stage(holds: true)
    #expect(text(&stage).contains("Airbag") && text(&stage).contains("OK Computer"))
    stage.press("j")
    #expect(!text(&stage).contains("Airbag") && !text(&stage).contains("OK Computer"))
    stage.press("l a Enter l a Enter")
    #expect(stage.takeEffects().isEmpty)
    stage.answerLibrary()
    stage.answerLibrary()
    #expect(text(&stage).contains("Homogenic") && text(&stage).contains("Jóga"))
    stage.press("a")
    #expect(stage.takeEffects() == [.use(item(3), .append)])
  }

  @Test("the answer to an earlier choice is not shown, and no key acts on it")
  func late() {
    var stage = stage(holds: true)
    stage.press("j")
    let asked = stage.waiting.count
    stage.press("k l l")
    // One question at a time: the next is sent when the answer to the first has come.
    #expect(stage.waiting.count == asked)
    stage.answerLibrary()
    #expect(!text(&stage).contains("Homogenic") && !text(&stage).contains("Jóga"))
    stage.press("a")
    #expect(stage.takeEffects().isEmpty)
    for _ in 0..<4 { stage.answerLibrary() }
    stage.press("a")
    #expect(stage.takeEffects() == [.use(item(1), .append)])
  }

  @Test("what is chosen stays chosen while others come and go above it, and a range keeps both ends")
  func comers() {
    var stage = stage()
    stage.press("j j")
    #expect(stage.screen.library.chosenTitle == "Nobody")
    stage.library.insert(ScreenStage.track(9, "Waterloo", "ABBA", "Waterloo"), at: 0)
    stage.send(.news(.library(added: 1, changed: 0, removed: 0)))
    #expect(stage.screen.library.chosenTitle == "Nobody" && text(&stage).contains("Demo"))
    stage.press("k k l l j v")
    #expect(stage.screen.library.chosenTitle == "Lucky")
    stage.library.insert(ScreenStage.track(7, "Prelude", "Radiohead", "OK Computer"), at: 0)
    stage.send(.news(.library(added: 1, changed: 0, removed: 0)))
    #expect(stage.screen.library.chosenTitle == "Lucky")
    stage.press("k a")
    #expect(stage.takeEffects().last == .use(.several([item(1), item(2)]), .append))
  }

  @Test("Esc after words shows the columns as they were before")
  func backFromWords() {
    var stage = stage()
    stage.press("j l /")
    stage.type("Airbag")
    #expect(text(&stage).contains("Airbag"))
    stage.press("Esc")
    #expect(text(&stage).contains("Jóga") && stage.screen.library.chosenTitle == "Homogenic")
    stage.holdsLibrary = true
    stage.press("/")
    stage.type("Air")
    stage.press("Enter Esc")
    stage.answerLibrary()
    #expect(text(&stage).contains("Jóga") && stage.screen.library.chosenTitle == "Homogenic")
  }

  @Test("a filter that nothing matches empties every column")
  func noMatch() {
    var stage = stage()
    stage.press("/")
    stage.type("qqq")
    stage.press("Enter")
    let shown = text(&stage)
    #expect(!shown.contains("Radiohead") && !shown.contains("OK Computer") && !shown.contains("Airbag"))
    stage.press("a Enter")
    #expect(stage.takeEffects().isEmpty)
    stage.press("Esc")
    #expect(text(&stage).contains("Airbag"))
  }

  @Test("a filter that nothing matches may be shortened again")
  func shortened() {
    var stage = stage()
    stage.press("/")
    stage.type("jogaq")
    stage.press("Backspace")
    #expect(text(&stage).contains("Jóga"))
  }

  @Test("while the library changes the rows stay, and the choices with them")
  func changes() {
    var stage = stage()
    stage.press("j l")
    stage.holdsLibrary = true
    stage.send(.news(.library(added: 1, changed: 0, removed: 1)))
    #expect(text(&stage).contains("Jóga"))
    stage.library.append(ScreenStage.track(6, "Hunter", "Björk", "Homogenic"))
    for _ in 0..<4 { stage.answerLibrary() }
    #expect(text(&stage).contains("Hunter"))
    stage.press("l j a")
    #expect(stage.takeEffects() == [.use(item(7), .append)])
  }

  @Test("a question that failed leaves what is shown, says why, and is asked once more later")
  func failures() {
    var stage = stage()
    stage.press("j l")
    let title = stage.screen.library.chosenTitle
    stage.holdsLibrary = true
    stage.send(.news(.library(added: 1, changed: 0, removed: 0)))
    let questions = stage.waiting
    #expect(!questions.isEmpty)
    stage.dropLibrary()
    for (_, ticket) in questions { stage.send(.library(.failed("database is locked"), ticket: ticket)) }
    #expect(stage.waiting.isEmpty && stage.screen.library.chosenTitle == title)
    #expect(stage.screen.message?.text == "database is locked" && text(&stage).contains("Jóga"))
    stage.send(.tick)
    #expect(stage.waiting.isEmpty, "not at once")
    for (request, ticket) in questions { stage.send(.unanswered(.needLibrary(request, ticket))) }
    #expect(stage.waiting.count == questions.count)
    for _ in 0..<4 { stage.answerLibrary() }
    #expect(stage.screen.library.chosenTitle == title && text(&stage).contains("Jóga"))
  }

  @Test("tracks of an artist without an album have a row of their own")
  func noAlbum() {
    var stage = stage()
    stage.press("j j")
    #expect(text(&stage).contains("(no album)") && text(&stage).contains("Demo"))
    stage.press("l l a")
    #expect(stage.takeEffects() == [.use(item(4), .append)])
  }

  @Test("tracks without an artist have a row below all artists, which plays whole")
  func noArtist() {
    var stage = stage()
    stage.press("G")
    #expect(text(&stage).contains("(no artist)"))
    #expect(text(&stage).contains("Tone one") && text(&stage).contains("Tone two"))
    stage.press("a l a")
    let artist = LibraryRequest("not albumArtist begins \"\"")
    let album = LibraryRequest("not albumArtist begins \"\" and not album begins \"\"")
    #expect(stage.takeEffects() == [.use(.request(artist), .append), .use(.request(album), .append)])
    stage.press("l j Enter")
    var tracks = album
    tracks.first = 2
    #expect(stage.takeEffects() == [.use(.from(MediaItem.ID(rawValue: 6), tracks), .play)])
  }

  @Test("of two albums with the same title the chosen one is shown and played, in a column as in a search")
  func sameTitle() {
    var stage = stage()
    stage.library = [("Queen", 7), ("ABBA", 8)].enumerated().map { index, album in
      var face = ScreenStage.track(index, "Song \(index)", album.0, "Greatest Hits")
      face.names.album = Int64(album.1)
      return face
    }
    stage.press(":")
    stage.type("browse album")
    stage.press("Enter")
    #expect(text(&stage).contains("Song 0") && !text(&stage).contains("Song 1"))
    stage.press("j")
    #expect(text(&stage).contains("Song 1") && !text(&stage).contains("Song 0"))
    stage.press("a 3")
    stage.type("greatest")
    stage.press("Enter G a k a")
    let requests = [8, 8, 7].map {
      LibraryRequest("albumID == \($0)")
    }
    #expect(stage.takeEffects() == requests.map { .use(.request($0), .append) })
  }

  @Test("while a search is not answered, no row of the search before is chosen")
  func staleSearch() {
    var stage = stage()
    stage.press("3")
    stage.type("radiohead")
    stage.holdsLibrary = true
    stage.type(" x")
    stage.press("Enter Enter")
    #expect(stage.takeEffects() == [])
  }

  @Test("what is chosen in the menu is done to the row for which it was opened, although the rows have moved")
  func heldRow() {
    var stage = stage()
    stage.press("j")
    let choice = stage.screen.library.choice(fromHere: false)
    stage.press("o")
    // So many that the chosen one is in none of the rows that are read.
    stage.library = (0..<200).map { ScreenStage.track($0, "T", "A\($0)", "T") } + stage.library
    stage.send(.news(.library(added: 200, changed: 0, removed: 0)))
    #expect(stage.screen.library.choice(fromHere: false) != choice)
    stage.press("a")
    #expect(stage.takeEffects() == choice.map { [.use($0, .append)] })
  }

  @Test("where all tracks have a value there is no row for those without")
  func allTagged() {
    var stage = stage()
    #expect(!text(&stage).contains("(no album)"))
    stage.library.removeLast(2)
    stage.send(.news(.library(added: 1, changed: 0, removed: 1)))
    #expect(!text(&stage).contains("(no artist)"))
  }
}
