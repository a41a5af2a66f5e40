// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The screens of the library, the search and the lists")
struct SearchScreenTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test("below the tracks that are found stand albums and playlists with these words, which play whole")
  func albumsFound() {
    var stage = stage()
    stage.library = (0..<300).map {
      ScreenStage.track($0, "Song \($0)", $0 < 290 ? "Nobody" : "Paris Band", "Album")
    }
    stage.library += [ScreenStage.track(300, "Other", "Nobody", "Paris in Rain")]
    stage.press("3")
    stage.type("paris")
    #expect(stage.frame().text(14) == " Albums")
    #expect(stage.frame().text(15).hasPrefix("   Album · Paris Band"))
    #expect(stage.frame().text(17) == " Lists" && stage.frame().text(18) == "   paris and rain")
    stage.press("Enter G")
    _ = stage.takeEffects()
    #expect(stage.frame().cursor.row == 18)
    stage.press("Enter k a")
    let album = LibraryRequest("album == \"Paris in Rain\"")
    #expect(stage.takeEffects() == [.use(.list("paris and rain"), .play), .use(.request(album), .append)])
    // All that is typed is asked for tracks, but albums only once these are there.
    stage.press("/")
    stage.type(" x")
    #expect(stage.frame().text(14).hasPrefix("   Album") == false)
  }

  @Test("albums that had other words are not found, nor chosen, where no track has the words")
  func albumsOfOtherWords() {
    var stage = findingAnAlbum()
    #expect(stage.picture().split(separator: "\n").contains("| Albums"))
    stage.type("ir")
    #expect(!stage.picture().split(separator: "\n").contains("| Albums"))
    expectNothingToAdd(&stage)
  }

  @Test("an album is not chosen before it is known that it has the words")
  func albumsOnTheWay() {
    var stage = findingAnAlbum()
    stage.holdsLibrary = true
    stage.type("lo")
    // The answers for the tracks come, and those for the albums do not.
    for (_, ticket) in stage.waiting where ticket.asker == .search {
      stage.send(.library(.items([], total: 0), ticket: ticket))
    }
    expectNothingToAdd(&stage)
  }

  /// A search for "ab", which finds the album "Pablo Honey".
  private func findingAnAlbum() -> ScreenStage {
    var stage = stage()
    stage.library = [ScreenStage.track(0, "Song", "Radiohead", "Pablo Honey")]
    stage.press("3")
    stage.type("ab")
    return stage
  }

  private func expectNothingToAdd(_ stage: inout ScreenStage) {
    stage.press("Enter")
    _ = stage.takeEffects()
    stage.press("a")
    #expect(stage.takeEffects() == [])
  }

  @Test("many tracks scroll above what stands below them")
  func albumsBelow() {
    var stage = stage()
    stage.library = (0..<300).map { ScreenStage.track($0, "Song \($0)", "Paris", "Album") }
    stage.press("3")
    stage.type("paris")
    stage.press("Enter")
    #expect(stage.frame().text(19) == " Lists" && stage.frame().text(20) == "   paris and rain")
    for _ in 0..<299 { stage.press("j") }
    #expect(stage.screen.search.chosen?.title == "Song 299")
    #expect(stage.frame().cursor.row < 17)
    stage.press("j")
    #expect(stage.frame().cursor.row == 18 && stage.screen.search.chosen == nil)
    for row in 17..<21 {
      stage.send(.input(.mouse(MouseReport(action: .press, row: row, column: 5))))
      let isHeading = row == 17 || row == 19
      #expect((stage.frame().cursor.row == row) != isHeading, "\(row)")
    }
  }

  @Test("albums are asked for where there is room for one, and once more if that was not answered")
  func albumsUnanswered() throws {
    for (rows, times) in [(10, 0), (24, 2)] {
      var stage = ScreenStage(80, rows)
      stage.library = (0..<3).map { ScreenStage.track($0) }
      stage.open()
      stage.holdsLibrary = true
      stage.press("3")
      stage.type("ok")
      var asked = 0
      while let (request, ticket) = stage.waiting.last, asked < 5 {
        if ticket.asker == .search {
          stage.answerLibrary()
        } else {
          asked += 1
          stage.dropLibrary()
          stage.send(.library(.failed("overtaken by \(request.group ?? "")"), ticket: ticket))
        }
      }
      #expect(asked == times, "\(rows) rows")
    }
  }

  @Test("while words are typed, one click chooses a hit and does not play it")
  func clickWhileTyping() {
    var stage = ScreenStage()
    stage.library = (0..<3).map { ScreenStage.track($0) }
    stage.open()
    stage.press("3")
    stage.type("track")
    _ = stage.frame()
    _ = stage.takeEffects()
    let click = ScreenEvent.input(.mouse(MouseReport(action: .press, row: 3, column: 5)))
    stage.send(click)
    #expect(stage.takeEffects() == [] && !stage.screen.search.isTyping)
    stage.send(click)
    #expect(stage.takeEffects().count == 1)
  }

  @Test("a digit shows a screen, but on Search it is text until the field is left")
  func digits() {
    var stage = stage()
    stage.press("2")
    #expect(stage.screen.tab == .library)
    stage.press("3 1 9 9 7")
    #expect(stage.screen.tab == .search)
    stage.press("Enter 1")
    #expect(stage.screen.tab == .queue)
  }

  @Test("the first letter of another search replaces the text of the one before, unless a key keeps it")
  func anotherSearch() {
    var stage = stage()
    stage.press("3")
    stage.type("radiohead")
    stage.press("Enter 1 3")
    #expect(stage.frame()[1, 9].style.attributes.contains(.reverse))
    stage.type("lucky")
    #expect(stage.screen.search.field.text == "lucky")
    #expect(!stage.frame()[1, 9].style.attributes.contains(.reverse))
    stage.press("Enter 1 3 End")
    stage.type(" x")
    #expect(stage.screen.search.field.text == "lucky x")
    stage.press("Enter 1 3 Backspace")
    #expect(stage.screen.search.field.text == "")
  }

  @Test(
    "Esc empties a search, and on an empty line it goes back to the screen before", arguments: ["", " Enter"])
  func leavingSearch(then: String) {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    stage.press("2 3 r a d\(then) Esc")
    #expect(stage.screen.tab == .search && stage.screen.search.field.text == "")
    stage.press("Esc")
    #expect(stage.screen.tab == .library)
  }

  @Test("a search that found nothing may be shortened again")
  func shortenedSearch() {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    stage.press("3")
    stage.type("trackq")
    #expect(stage.screen.search.chosen == nil)
    stage.press("Backspace")
    #expect(stage.screen.search.chosen?.title == "Track 1")
  }

  @Test("each letter of a search asks at once, and a late answer to an earlier letter is dropped")
  func search() {
    var screen = Screen(ScreenSize(columns: 80, rows: 24), program: ScreenStage.program)
    var tickets: [LibraryTicket] = []
    for key in "3pa" {
      for effect in screen.handle(.input(.key(KeyPress(.character(key)))), at: .zero) {
        if case .needLibrary(let request, let ticket) = effect, ticket.asker == .search {
          #expect(request.search == (tickets.isEmpty ? "p" : "pa"))
          tickets.append(ticket)
        }
      }
    }
    #expect(tickets.count == 2)
    _ = screen.handle(.library(.items([ScreenStage.track(0, "Pa")], total: 1), ticket: tickets[1]), at: .zero)
    _ = screen.handle(
      .library(.items([ScreenStage.track(0), ScreenStage.track(1)], total: 2), ticket: tickets[0]), at: .zero)
    #expect(screen.search.chosen?.title == "Pa")
  }

  @Test(
    "a property with an operator and a value is a predicate",
    arguments: [
      "year > 1990", "artist == \"X\" and year < 2000", "year>1990", "year>=1990", "compilation",
      "not compilation", "not compilation and year < 2000", "(year < 1990 or rating > 3) and cloud",
      "not (not(compilation))", "compilation == false", "year in 1990..1999", "artist in [\"X\"]",
      "title contains \"lo", "album begins \"A\"", "added > -7d", "added in -7d..-1d",
    ])
  func expressions(text: String) { #expect(SearchScreen.isExpression(text)) }

  @Test(
    "other words are none, and neither is a predicate that lacks its value",
    arguments: [
      "love in", "love in v", "dancing in the dark", "paranoid android", "paradise contains",
      "what begins here",
      "album in rainbows", "title track", "year", "year >", "title contains ", "compilation of hits",
      "not compilations", "cloud", "notes", "not", "lyrics contains \"x\"", "", "(", "1 > 2",
    ])
  func noExpressions(text: String) { #expect(!SearchScreen.isExpression(text)) }

  @Test("when the library changes, as it does with each rating, the same hit stays chosen")
  func changedLibrary() {
    var stage = stage()
    stage.library = (0..<300).map { ScreenStage.track($0) }
    stage.press("3")
    stage.type("o")
    stage.press("Enter j j j")
    stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
    #expect(stage.screen.search.chosen?.title == "Track 4")
    stage.library.removeLast(299)
    stage.send(.news(.library(added: 0, changed: 0, removed: 299)))
    #expect(stage.screen.search.chosen?.title == "Track 1")
    stage.press("j")
    #expect(stage.screen.search.chosenTitle == "OK Computer")
    stage.library.append(ScreenStage.track(1))
    stage.send(.news(.library(added: 1, changed: 0, removed: 0)))
    #expect(stage.screen.search.chosenTitle == "OK Computer")
  }

  @Test("the library is made ready for a search once each time that the screen is opened and has no words")
  func preparation() {
    var stage = stage()
    stage.holdsLibrary = true
    func questions() -> Int {
      defer { stage.dropLibrary() }
      return stage.waiting.count { $0.ticket.asker == .preparation && !$0.request.search.isEmpty }
    }
    for (keys, count) in [("3", 1), ("Esc", 0), ("3", 1), ("a Enter 1 3", 0), ("Esc", 1), ("Esc 3", 1)] {
      stage.press(keys)
      stage.send(.tick)
      let asked = questions()
      #expect(asked == count, "\(keys)")
    }
  }

  @Test("a chosen playlist stays chosen when albums come above it, and when another playlist does")
  func lateAlbums() {
    var stage = stage()
    stage.library = (0..<30).map { ScreenStage.track($0, "Paris \($0)", "Nobody", "Paris \($0 % 2)") }
    stage.press("3")
    stage.holdsLibrary = true
    stage.type("paris")
    // The tracks are there, and the question for the albums waits.
    stage.answerLibrary()
    _ = stage.frame()
    stage.press("Enter G")
    #expect(stage.screen.search.chosenTitle == "paris and rain")
    stage.answerLibrary()
    let frame = stage.frame()
    #expect((0..<24).contains { frame.text($0) == " Albums" })
    #expect(stage.screen.search.chosenTitle == "paris and rain")
    stage.send(.lists([KeptList("Paris before"), KeptList("paris and rain")]))
    #expect(stage.screen.search.chosenTitle == "paris and rain")
    // The album that is gone leaves its row to the next one.
    stage.press("k k k")
    #expect(stage.screen.search.chosenTitle == "Paris 0")
  }

  @Test("a range of playlists is still of the same ones when others come above it")
  func rangeOfLists() {
    var stage = stage()
    stage.press("4 gg j v j")
    stage.lists.insert(KeptList("Another"), at: 0)
    stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
    _ = stage.takeEffects()
    stage.press("a")
    #expect(
      stage.takeEffects() == [.use(.several([.list("Road trip"), .list("paris and rain")]), .append)])
  }

  @Test("a range of playlists keeps its ends when one comes or goes between them, or the chosen one goes")
  func changedInsideRange() {
    for (names, keys, added) in [
      ("ZAC", "gg j v j j", ["A", "C"]), ("ZAxBC", "gg j v j j", ["A", "x", "B", "C"]),
      ("ZAB", "gg j j v j", ["B"]),
    ] {
      var stage = stage()
      stage.lists = "ZABC".map { KeptList("\($0)") }
      stage.press("4 " + keys)
      stage.lists = names.map { KeptList("\($0)") }
      stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
      _ = stage.takeEffects()
      stage.press("a")
      #expect(stage.takeEffects() == [.use(.several(added.map { .list($0) }), .append)], "\(names)")
    }
  }

  @Test("smart playlists are listed with the number of their tracks, and play like others")
  func smartLists() {
    var stage = stage()
    stage.press("4")
    #expect(
      stage.frame().text(2).hasPrefix("   Fresh ") && stage.frame().text(2).hasSuffix(" smart · 48 tracks"))
    stage.lists[0] = KeptList("Fresh", count: 1, isSmart: true)
    stage.send(.news(.library(added: 0, changed: 1, removed: 0)))
    #expect(stage.frame().text(2).hasSuffix(" smart · 1 track"))
    // Nobody tells of playlists that other programs make, so they are looked for whenever they are shown.
    stage.lists[0] = KeptList("New", count: 1, isSmart: true)
    stage.press("1 4")
    #expect(stage.frame().text(2).hasPrefix("   New "))
    stage.lists[0] = KeptList("Fresh", count: 1, isSmart: true)
    stage.press("1 4")
    _ = stage.takeEffects()
    stage.press("Enter a")
    #expect(stage.takeEffects() == [.use(.list("Fresh"), .play), .use(.list("Fresh"), .append)])
  }

  @Test("the library plays from the chosen track on, and an artist plays whole")
  func library() {
    var stage = stage()
    stage.library = (0..<4).map { ScreenStage.track($0) }
    stage.send(.agentFound)
    stage.press("2")
    _ = stage.takeEffects()
    stage.press("a")
    guard case .use(.request(let request), .append) = stage.takeEffects().last else {
      Issue.record("nothing was added")
      return
    }
    #expect(request.expression == "albumArtist == \"Radiohead\"")
    stage.press("l l j Enter")
    var tracks = LibraryRequest(
      "albumArtist == \"Radiohead\" and album == \"OK Computer\"", sort: request.sort, first: 2)
    #expect(stage.takeEffects() == [.use(.from(MediaItem.ID(rawValue: 2), tracks), .play)])
    // Not only those that have been read, which are the rows in view and some around them.
    stage.library = (0..<3000).map { ScreenStage.track($0) }
    stage.send(.news(.library(added: 2996, changed: 0, removed: 0)))
    stage.press("G k Enter a")
    tracks.first = 2999
    let item = MediaItem.ID(rawValue: 2999)
    #expect(stage.takeEffects() == [.use(.from(item, tracks), .play), .use(.item(item), .append)])
    stage.press("3")
    stage.type("track")
    stage.press("Enter j Enter a")
    let second = MediaItem.ID(rawValue: 2)
    let hits = LibraryRequest(search: "track", first: 2)
    #expect(stage.takeEffects() == [.use(.from(second, hits), .play), .use(.item(second), .append)])
  }

  @Test("an empty library is filled by Enter")
  func offer() {
    var stage = ScreenStage()
    stage.set(.stopped, row: nil)
    stage.open()
    _ = stage.takeEffects()
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["library", "add", "~/Music"], line: "library add ~/Music")])
  }
}
