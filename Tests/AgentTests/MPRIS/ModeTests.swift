// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("MPRIS's player: modes and settings", .serialized, .realTime, .endsAnyway, .sharedStage)
struct ModeTests {
  struct Ends: Sendable, CustomTestStringConvertible {
    let setting: MPRISStage.Setting
    let loop: String
    let next: Bool
    let previous: Bool
    var testDescription: String { "\(setting), \(loop)" }
  }

  /// Previous does something wherever something is current: at worst the track begins anew.
  static let rows = MPRISStage.Setting.allCases.flatMap { setting in
    ["None", "Track", "Playlist"].map { loop in
      let hasCurrent = setting != .empty && setting != .stopped
      return Ends(
        setting: setting, loop: loop, next: hasCurrent && (setting != .last || loop == "Playlist"),
        previous: hasCurrent)
    }
  }

  @Test("CanGoNext and CanGoPrevious are true where there is somewhere to go", arguments: rows)
  func atBothEnds(row: Ends) throws {
    let (_, client, _) = try mprisStage(row.setting)
    try client.set("LoopStatus", .string(row.loop))
    #expect(try client.get("CanGoNext") == .boolean(row.next))
    #expect(try client.get("CanGoPrevious") == .boolean(row.previous))
    #expect(try client.get("LoopStatus") == .string(row.loop))
  }

  @Test(
    "Next on the last one leads to the first where the list repeats, and keeps a pause",
    arguments: [true, false])
  func wrap(isPaused: Bool) throws {
    let (stage, client, entries) = try mprisStage(.last)
    try client.set("LoopStatus", .string("Playlist"))
    if isPaused { try client.player("Pause") }
    try client.player("Next")
    #expect(try stage.currentPath() == MPRISStage.path(entries[0]))
    #expect(try stage.status() == (isPaused ? "Paused" : "Playing"))
  }

  @Test(
    "a LoopStatus that there is not is an error, and nothing changes",
    arguments: ["", "none", "TRACK", "Playlists", " None", "All", "🎵", String(repeating: "x", count: 70_000)])
  func unknownLoop(text: String) throws {
    let (_, client, _) = try mprisStage(.playing)
    let news = try client.news {
      #expect(client.error { try client.set("LoopStatus", .string(text)) } == .invalidArgs)
    }
    #expect(news.isEmpty)
    #expect(try client.get("LoopStatus") == .string("None"))
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let name: String
    let value: WireValue
    var testDescription: String { "\(name): \(value.type)" }
  }

  static let wrongs =
    [.int32(1), .boolean(true), .array(.string, [.string("Track")]), .variant(.string("Track"))].map {
      Wrong(name: "LoopStatus", value: $0)
    }
    + [.string("true"), .int32(1), .byte(1), .double(1)].map { Wrong(name: "Shuffle", value: $0) }
    + [.int32(1), .int64(0), .string("0.5"), .boolean(true), .variant(.double(0.5))].map {
      Wrong(name: "Volume", value: $0)
    }
    + [.int32(0), .string("0"), .uint64(0)].map { Wrong(name: "Rate", value: $0) }

  @Test("a value of another type is refused, and nothing changes", arguments: wrongs)
  func wrongType(wrong: Wrong) throws {
    let (_, client, _) = try mprisStage(.playing)
    let news = try client.news {
      #expect(client.error { try client.set(wrong.name, wrong.value) } == .invalidArgs)
    }
    #expect(news.isEmpty)
  }

  @Test(
    "a volume is brought between silence and full; what is no number is refused",
    arguments: [
      (0.5, 0.5), (0, 0), (1, 1), (-1, 0), (1.5, 1), (1e300, 1), (.nan, nil), (.infinity, nil),
      (-.infinity, nil),
    ] as [(Double, Double?)])
  func volume(asked: Double, got: Double?) throws {
    let (_, client, _) = try mprisStage(.empty)
    try client.set("Volume", .double(0.25))
    let error = client.error { try client.set("Volume", .double(asked)) }
    #expect(error == (got == nil ? .invalidArgs : nil))
    let volume = try #require(Double(wire: client.get("Volume")))
    #expect(abs(volume - (got ?? 0.25)) < 0.001)
  }

  @Test(
    "a rate of 0 pauses, and the rate stays 1; speeds that there are not are ignored",
    arguments: [0, 1, 0.5, 2, -1, 1e9] as [Double])
  func rate(rate: Double) throws {
    let (stage, client, _) = try mprisStage(.playing)
    try client.set("Rate", .double(rate))
    #expect(try stage.status() == (rate == 0 ? "Paused" : "Playing"))
    #expect(try client.get("Rate") == .double(1))
  }

  @Test(
    "a rate of 0 does nothing where nothing plays", arguments: [MPRISStage.Setting.empty, .stopped, .paused])
  func rateAtRest(setting: MPRISStage.Setting) throws {
    let (stage, client, _) = try mprisStage(setting)
    let before = try stage.status()
    try client.set("Rate", .double(0))
    #expect(try stage.status() == before)
  }

  @Test("shuffled, Previous leads back the way that Next came")
  func shuffled() throws {
    let (stage, client, _) = try mprisStage(.playing)
    try client.set("Shuffle", .boolean(true))
    #expect(try client.get("Shuffle") == .boolean(true))
    var way = [try #require(try stage.currentPath())]
    while try client.get("CanGoNext") == .boolean(true) {
      try client.player("Next")
      way.append(try #require(try stage.currentPath()))
    }
    #expect(Set(way).count == way.count)
    for path in way.dropLast().reversed() {
      try client.player("Previous")
      #expect(try stage.currentPath() == path)
    }
  }
}
