// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import FaceModel
import JobLogic
import LibraryQuery
import MediaModel
import Testing

@testable import FermataCommands

@Suite("What is asked of the library, and how it is shown")
struct LibraryTests {
  private func read<Asked: Command>(_ words: String..., as: Asked.Type = Asked.self) throws -> Asked {
    let invocation = try CommandParser(FermataProgram.definition).parse(words)
    guard case .run(let command as Asked, _) = invocation else {
      throw CommandError(.refused, "\(words)", "say \(invocation)")
    }
    return command
  }

  // MARK: Words

  @Test("what play and add take from the library is one expression, which the library understands")
  func selection() throws {
    let cases: [([String], String)] = [
      (["--album", "Blue"], #"album in ["Blue"]"#),
      (["--query", "rating >= 4", "--album", "Blue"], #"(rating >= 4) and album in ["Blue"]"#),
      (
        ["--artist", #"The "Q" \ Co"#],
        #"(artist in ["The \"Q\" \\ Co"] or albumArtist in ["The \"Q\" \\ Co"])"#
      ),
    ]
    for (words, expected) in cases {
      let invocation = try CommandParser(FermataProgram.definition).parse(["play"] + words)
      guard case .run(let play as PlayCommand, _) = invocation else {
        throw CommandError(.refused, "play", "no")
      }
      #expect(play.selection == expected)
      _ = try Predicate(expected)
    }
    #expect(try read("add", "a.mp3", as: AddCommand.self).selection == nil)
  }

  @Test(
    "an expression that is none is refused before anybody is asked, and the place is named",
    arguments: [
      (["library", "query", "artst == \"X\""], "character 1"),
      (["play", "--query", "year > "], "character 8"),
      (["library", "albums", "--sort", "lyrics"], "lyrics"),
    ])
  func wrong(words: [String], named: String) throws {
    let error = #expect(throws: CommandError.self) {
      try CommandParser(FermataProgram.definition).parse(words)
    }
    #expect(error?.code == .usage)
    #expect(error?.description.contains(named) == true, "\(error?.description ?? "")")
  }

  @Test("sources and the library's items do not mix, and add wants one of them")
  func mixed() {
    for words in [["add", "x.mp3", "--album", "Blue"], ["add"], ["play", "--here", "--artist", "X"]] {
      #expect(throws: CommandError.self) { try CommandParser(FermataProgram.definition).parse(words) }
    }
  }

  @Test("what is measured may be named by an expression, which is checked before anybody is asked")
  func analyze() throws {
    #expect(try read("library", "analyze", as: LibraryAnalyzeCommand.self).expression == "")
    let command = try read("library", "analyze", "rating >= 4", "--again", as: LibraryAnalyzeCommand.self)
    #expect(command.expression == "rating >= 4" && command.again)
    #expect(throws: CommandError.self) {
      try CommandParser(FermataProgram.definition).parse(["library", "analyze", "rating >"])
    }
  }

  @Test("a folder is named as the shell knows it, a rating has at most five stars")
  func items() throws {
    #expect(
      try read("library", "remove", "/music//rock/", as: LibraryRemoveCommand.self).folder == "/music/rock")
    #expect(try read("library", "rate", "7", "0", as: LibraryRateCommand.self).rating == 0)
    #expect(throws: CommandError.self) {
      try CommandParser(FermataProgram.definition).parse(["library", "rate", "7", "6"])
    }
  }

  // MARK: Texts

  private func item(_ id: Int64, _ title: String, _ artist: String, _ album: String, _ seconds: Int)
    -> ItemFace
  {
    var tags = MediaTags()
    (tags.title, tags.artist, tags.album) = (title, [artist], album)
    tags.duration = .seconds(seconds)
    return ItemFace(MediaItem(id: .init(rawValue: id), location: .uri("file:///m/\(id).mp3"), tags: tags))
  }

  private func text(_ lines: [StyledText]) -> String {
    lines.map { $0.rendered(.plain) + "\n" }.joined()
  }

  @Test("a long list of collections is asked for in few expressions, none of them too long")
  func joinedTests() {
    #expect(CollectionTests.joined([]).isEmpty)
    #expect(CollectionTests.joined(["a == 1", "a == 2"]) == ["a == 1 or a == 2"])
    let tests = (0..<2_000).map { "albumID == \($0)" }
    let joined = CollectionTests.joined(tests)
    #expect(joined.count < 20 && joined.allSatisfy { $0.utf8.count < 5_000 })
    #expect(joined.joined(separator: " or ") == tests.joined(separator: " or "))
  }

  @Test("beside an album stands the album's artist, and not one of a track that happens to have its picture")
  func albumArtists() {
    func line(_ edit: (inout MediaTags) -> Void) -> String {
      var face = item(1, "Teardrop", "Massive Attack, Elizabeth Fraser", "Mezzanine", 330)
      edit(&face.item.tags)
      let album = CollectionFace(
        title: "Mezzanine", section: "M", count: 11, duration: .seconds(3_800), representative: face)
      return text(LibraryText.lines([album], 1, ofAlbums: true, width: 80))
    }
    #expect(line { $0.albumArtist = ["Massive Attack"] }.contains("Massive Attack  "))
    #expect(line { _ in }.contains("Elizabeth Fraser"))
    #expect(!line { $0.isCompilation = true }.contains("Massive Attack"))
  }

  @Test("lists read well on a terminal of eighty columns")
  func lists() {
    let items = [
      item(4, "Sinnerman", "Nina Simone", "Pastel Blues", 623),
      item(12_345, "A title that is so long that nobody would ever print it on a sleeve", "X", "Y", 5),
    ]
    let collections = [
      CollectionFace(title: "ABBA", section: "A", count: 12, duration: .seconds(3_000)),
      CollectionFace(title: "Air", section: "A", count: 1, duration: .seconds(200), representative: items[0]),
      CollectionFace(title: "", section: "#", count: 3, duration: .zero),
    ]
    let status = LibraryStatus(
      folders: [
        LibraryFolderFace(path: "/srv/music", tracks: 1_234),
        LibraryFolderFace(path: "/mnt/usb", tracks: 1, why: "nothing is mounted there"),
      ], tracks: 1_235, albums: 101, artists: 1, job: JobID(rawValue: 3), unmeasured: 200,
      unfit: 1, whyUnfit: "'/srv/music/a.flac' is damaged")
    let jobs = [
      Job(
        id: JobID(rawValue: 3), title: "Scan /srv/music", state: .running, done: 5_000, total: 20_000,
        current: "Pastel Blues/Sinnerman.flac", rate: 2_500, remaining: .seconds(6)),
      Job(
        id: JobID(rawValue: 2), title: "Scan /mnt/usb", state: .failed, done: 0,
        why: "nothing is mounted there"),
    ]
    let parts = [
      text(LibraryText.lines(items, 2, width: 80)), text(LibraryText.lines(items, 900, width: 80)),
      text(LibraryText.lines(collections, 3, ofAlbums: false, width: 80)),
      text(LibraryText.lines(status, music: nil)),
      text(LibraryText.lines(LibraryStatus(), music: "/srv/My Music")),
      text(LibraryText.lines(LibraryStatus(), music: nil)), text(LibraryText.lines(jobs, width: 100)),
      text([LibraryText.line(jobs[0], width: 79)]), text(LibraryText.lines([], width: 80)),
      text(LibraryText.lines(items[0])),
    ]
    Golden.expect(parts.joined(separator: "----\n"), is: "library.txt")
    // Whoever follows a job that stands still is told what it waits for.
    let waiting = Job(
      id: JobID(rawValue: 4), title: "Scan /a", state: .waiting, done: 0, why: "waits for job 3")
    #expect(text([LibraryText.line(waiting, width: 79)]) == "Scan /a  waiting  waits for job 3\n")
    let paused = Job(
      id: JobID(rawValue: 4), title: "Scan /a", state: .suspended, done: 1, total: 2,
      why: "waits for the plug")
    let line = text([LibraryText.line(paused, width: 99)])
    #expect(line.hasPrefix("Scan /a  suspended  ") && line.hasSuffix("1 of 2  waits for the plug\n"))
  }
}
