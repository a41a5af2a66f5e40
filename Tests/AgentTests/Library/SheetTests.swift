// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import Testing

@Suite("The tracks of CUE sheets in the library", .serialized, .realTime, .endsAnyway)
struct SheetTests {
  private static let second = Noise.format.rate

  private static func sheet(_ file: String, _ titles: [String]) -> [UInt8] {
    let tracks = titles.enumerated().map { index, title in
      "  TRACK 0\(index + 1) AUDIO\n    TITLE \"\(title)\"\n    INDEX 01 00:0\(index * 2):00\n"
    }
    let head = "REM GENRE Jazz\nREM DATE 1997\nPERFORMER \"Many\"\nTITLE \"The Mix\"\nFILE \"\(file)\" WAVE\n"
    return Array((head + tracks.joined()).utf8)
  }

  /// A library with a disc of six seconds, which a sheet cuts into three tracks.
  private func disc() async throws -> (library: LibraryStage, samples: [Float]) {
    let library = try await LibraryStage()
    try library.folder.makeFolder("Music/mix")
    let noise = try Noise("Music/mix/mix.wav", seed: 1, frames: 6 * Self.second, in: library.folder)
    try library.folder.write("Music/mix/mix.cue", Self.sheet("mix.wav", ["One", "Two", "Three"]))
    try await library.add()
    return (library, noise.samples)
  }

  private func titles(_ library: LibraryStage, _ expression: String = "") async throws -> [String] {
    try await library.items(LibraryRequest(expression)).map(\.item.displayTitle)
  }

  /// Waits until the library has these titles; each question is the pause in between.
  private func wait(for titles: [String], _ library: LibraryStage) async throws {
    let deadline = Deadline.patient
    while try await self.titles(library) != titles {
      if deadline.hasPassed {
        throw KitError("the library has \(try await self.titles(library)), not \(titles)")
      }
    }
  }

  @Test("each track is an item with what the sheet says of it, and the file is none")
  func listed() async throws {
    let (library, _) = try await disc()
    let items = try await library.items()
    #expect(items.map(\.item.tags.title) == ["One", "Two", "Three"])
    #expect(items.allSatisfy { $0.item.tags.artist == ["Many"] && $0.item.tags.album == "The Mix" })
    #expect(items.allSatisfy { $0.item.tags.genre == ["Jazz"] && $0.item.tags.date?.year == 1997 })
    #expect(items.map(\.item.tags.track) == [1, 2, 3] && items.map(\.chapter) == [1, 2, 3])
    #expect(items.map(\.item.tags.duration) == Array(repeating: .seconds(2), count: 3))
    #expect(
      items.map(\.item.part?.start.frames) == [0, 150, 300]
        && items.map(\.item.part?.end?.frames) == [150, 300, nil])
    let status = try await library.status()
    #expect(status.tracks == 3 && status.albums == 1 && status.folders.first?.tracks == 3)
    let albums = try AgentLibrary.collections(
      reply: try await library.caller.call(.query(LibraryRequest(group: "album"))))
    #expect(albums.collections.map(\.title) == ["The Mix"] && albums.collections.map(\.count) == [3])
    #expect(try await titles(library, "genre == \"Jazz\" and track > 1") == ["Two", "Three"])
    try library.stage.stop()
  }

  @Test("what is queued by number is heard as that part, and neighbours without a gap; it counts as played")
  func heard() async throws {
    let (library, samples) = try await disc()
    let ids = try await library.items().compactMap(\.item.id)
    let recorder = try library.stage.server.record("speakers")
    try await library.caller.call(AgentCall.play([.item(ids[1]), .item(ids[2])], PlayOptions()))
    let start = try recorder.waitForSound()
    let recording = try recorder.wait(forFrames: start + 4 * Self.second + Self.second / 2)
    let channels = Noise.format.channels
    let wanted = Array(samples[(2 * Self.second * channels)...])
    let difference = recording.firstDifference(from: wanted)
    #expect(difference == nil, "sample \(difference ?? 0)")
    let rest = recording.samples[((start + 4 * Self.second) * channels)...]
    #expect(rest.allSatisfy { $0 == 0 })
    let deadline = Deadline.patient
    while try await titles(library, "playCount == 1") != ["Two", "Three"] {
      if deadline.hasPassed { throw KitError("played: \(try await titles(library, "playCount > 0"))") }
    }
    func fermata(_ words: String...) throws -> String {
      try Child.run(.beside("fermata"), words, environment: library.stage.environment)
    }
    _ = try fermata("queue", "clear")
    _ = try fermata("add", "--query", "track < 3")
    #expect(
      try fermata("queue") == """
           1  One  Many  The Mix  0:02
           2  Two  Many  The Mix  0:02

        2 tracks, 0:04

        """)
    _ = try fermata("playlist", "save", "mine")
    let shown = try fermata("playlist", "show", "mine")
    #expect(
      shown == """
           1  One  Many  The Mix  0:02
           2  Two  Many  The Mix  0:02

        2 tracks, 0:04

        """, "\(shown)")
    try library.stage.stop()
  }

  @Test("a track keeps its number and what was said of it when its folder is moved and its sheet is edited")
  func identities() async throws {
    let (library, _) = try await disc()
    let two = try #require(try await library.item(titled: "Two").item.id)
    try await library.caller.call(.rate(two, 4))
    try await library.caller.call(.setNote(two, key: "mood", "calm"))
    try library.rename("mix", to: "moved")
    try await library.scan()
    var found = try await library.item(titled: "Two").item
    #expect(found.id == two && found.listening.rating == 4)
    #expect(found.location == .file(try library.path("moved/mix.wav")))
    try library.folder.write("Music/moved/mix.cue", Self.sheet("mix.wav", ["Uno", "Due", "Tre"]))
    try await library.scan()
    found = try await library.item(titled: "Due").item
    #expect(found.id == two && found.listening.rating == 4)
    #expect(try await library.caller.call(.note(two, key: "mood")).decoded(as: String.self) == "calm")
    #expect(try await titles(library) == ["Uno", "Due", "Tre"])
    try await library.stage.restartInOrder()
    #expect(try await library.item(titled: "Due").item.id == two)
    try library.stage.stop()
  }

  @Test("a sheet that is edited, broken, removed or put back is followed without being asked")
  func watched() async throws {
    let (library, _) = try await disc()
    let ids = try await library.items().compactMap(\.item.id)
    try library.folder.write("Music/mix/mix.cue", Self.sheet("MIX.flac", ["A", "B"]))
    try await wait(for: ["A", "B"], library)
    try library.folder.write("Music/mix/mix.cue", Array("REM nothing\nFILE \u{0}".utf8))
    try await wait(for: ["mix"], library)
    let whole = try await library.item(titled: "mix").item
    #expect(whole.part == nil && whole.tags.duration == .seconds(6))
    try library.folder.write("Music/mix/mix.cue", Self.sheet("mix.wav", ["One", "Two", "Three"]))
    try await wait(for: ["One", "Two", "Three"], library)
    #expect(try await library.items().compactMap(\.item.id) == ids)
    try library.remove("mix/mix.cue")
    try await wait(for: ["mix"], library)
    try library.stage.stop()
  }

  @Test("a sheet with a file for each track names them, and hostile sheets change nothing")
  func whole() async throws {
    let library = try await LibraryStage()
    try library.write("a/1.flac", pitch: 400, tags: [:])
    try library.write("a/2.flac", pitch: 500, tags: ["TITLE": "Own"])
    let text = """
      PERFORMER "M\u{e9}"
      TITLE "Disc"
      FILE "1.wav" WAVE
        TRACK 01 AUDIO
          TITLE "First"
          INDEX 01 00:00:00
      FILE "2.wav" WAVE
        TRACK 02 AUDIO
          TITLE "Second"
          INDEX 01 00:00:00
      """
    // In Latin-1, as old programs wrote it.
    try library.folder.write("Music/a/a.cue", text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    try library.write("b/x.flac", pitch: 600, tags: ["TITLE": "X"])
    let flood = (0..<5_000).map { "TRACK 01 AUDIO\nINDEX 01 00:\($0 / 75):\($0 % 75)\n" }
    let hostile: [String] = [
      "FILE \"../a/1.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:20\n",
      "FILE \"/etc/passwd\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:20\n",
      "FILE \"x.flac\" WAVE\n" + flood.joined(),
      "FILE \"x.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 99:00:00\nTRACK 02 AUDIO\nINDEX 01 999:00:00\n",
      "FILE \"x.flac\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:00:00\n",
    ]
    for (number, text) in hostile.enumerated() {
      try library.folder.write("Music/b/\(number).cue", Array(text.utf8))
    }
    #expect(try await library.add().state == .done)
    let first = try await library.item(titled: "First").item.tags
    #expect(first.artist == ["M\u{e9}"] && first.album == "Disc" && first.track == 1)
    let own = try await library.item(titled: "Own").item.tags
    #expect(own.artist == ["M\u{e9}"] && own.album == "Disc" && own.track == 2)
    let found = try await titles(library, "url contains \"Music/b/\"")
    #expect(found == ["X"])
    try library.stage.stop()
  }
}
