// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Testing

@Suite("MPRIS's player: properties", .serialized, .realTime, .endsAnyway, .sharedStage)
struct PlayerPropertyTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let type: WireType
    /// With nothing to play.
    let empty: WireValue?
    /// While the second of four plays.
    let playing: WireValue?
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "PlaybackStatus", type: .string, empty: .string("Stopped"), playing: .string("Playing")),
    Row(name: "LoopStatus", type: .string, empty: .string("None"), playing: .string("None")),
    Row(name: "Rate", type: .double, empty: .double(1), playing: .double(1)),
    Row(name: "Shuffle", type: .boolean, empty: .boolean(false), playing: .boolean(false)),
    Row(name: "Metadata", type: .dictionary(.string, .variant), empty: nil, playing: nil),
    Row(name: "Volume", type: .double, empty: .double(1), playing: .double(1)),
    Row(name: "Position", type: .int64, empty: .int64(0), playing: nil),
    Row(name: "MinimumRate", type: .double, empty: .double(1), playing: .double(1)),
    Row(name: "MaximumRate", type: .double, empty: .double(1), playing: .double(1)),
    Row(name: "CanGoNext", type: .boolean, empty: .boolean(false), playing: .boolean(true)),
    Row(name: "CanGoPrevious", type: .boolean, empty: .boolean(false), playing: .boolean(true)),
    Row(name: "CanPlay", type: .boolean, empty: .boolean(false), playing: .boolean(true)),
    Row(name: "CanPause", type: .boolean, empty: .boolean(false), playing: .boolean(true)),
    Row(name: "CanSeek", type: .boolean, empty: .boolean(false), playing: .boolean(true)),
    Row(name: "CanControl", type: .boolean, empty: .boolean(true), playing: .boolean(true)),
  ]

  @Test("with nothing to play, a property is of its type and says so", arguments: rows)
  func empty(row: Row) throws {
    let (_, client, _) = try mprisStage(.empty)
    let value = try client.get(row.name)
    #expect(value.type == row.type)
    if let expected = row.empty { #expect(value == expected) }
    #expect(try client.all()[row.name] == value)
    #expect(try client.all().count == Self.rows.count)
  }

  @Test("while something plays, a property is of its type and says so", arguments: rows)
  func playing(row: Row) throws {
    let (_, client, _) = try mprisStage(.playing)
    let value = try client.get(row.name)
    #expect(value.type == row.type)
    if let expected = row.playing { #expect(value == expected) }
    if row.name != "Position" { #expect(try client.all()[row.name] == value) }
  }

  @Test("with nothing to play, the metadata name no track, and nothing else")
  func noTrack() throws {
    let (_, client, _) = try mprisStage(.empty)
    #expect(try client.metadata() == ["mpris:trackid": MPRISStage.path(nil)])
  }

  @Test("the position moves while it plays, and stands while it does not", arguments: [true, false])
  func position(isPlaying: Bool) throws {
    let (stage, client, _) = try mprisStage(isPlaying ? .playing : .paused)
    if isPlaying { return #expect(try stage.isMoving()) }
    let before = try stage.position()
    for _ in 0..<50 { try client.sync() }
    #expect(try stage.position() == before)
  }

  @Test("an empty interface name stands for all of them")
  func all() throws {
    let (_, client, _) = try mprisStage(.empty)
    let whole = try client.all(of: InterfaceName(unchecked: ""))
    for interface in [MPRISDescriptions.root, MPRISDescriptions.player, MPRISDescriptions.trackList] {
      for property in interface.properties { #expect(whole[property.name.text] != nil) }
    }
  }

  @Test("what can only be read is not set", arguments: MPRISDescriptions.player.properties.map(\.name))
  func readOnly(name: MemberName) throws {
    let (_, client, _) = try mprisStage(.empty)
    guard MPRISDescriptions.player.property(name)?.access != .readWrite else { return }
    let value = try client.get(name.text)
    let news = try client.news {
      #expect(client.error { try client.set(name.text, value) } == .propertyReadOnly)
    }
    #expect(news.isEmpty)
  }
}
