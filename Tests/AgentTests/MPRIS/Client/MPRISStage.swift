// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import MediaModel
import PlaybackLogic
import Testing

/// An agent with a client, and some tunes to play: four short files whose tags are alike but for the number.
///
/// The tests of a suite use it one after the other: hence `@unchecked Sendable`.
final class MPRISStage: @unchecked Sendable {
  let stage: AgentStage
  let client: MPRISClient
  /// The tunes' URIs.
  let tunes: [String]

  /// Seconds of each tune: more than any test waits.
  static let length = 60

  init() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    self.stage = stage
    client = try MPRISClient(stage.bus)
    tunes = try (1...4).map {
      try Tune.write("tune \($0).flac", number: $0, seconds: Self.length, in: stage.folder)
    }
  }

  /// Ends everything. Throws when something had died.
  func stop() throws {
    client.close()
    try stage.stop()
  }

  // MARK: Beginning

  /// What a test begins with.
  enum Setting: String, CaseIterable, Sendable {
    case empty, stopped, playing, paused, first, last
  }

  /// An agent as if nothing had been done with it, but that numbers of entries go on.
  func reset() throws {
    try client.player("Stop")
    try client.agent(AgentCall(.clear))
    try client.set("LoopStatus", .string("None"))
    try client.set("Shuffle", .boolean(false))
    try client.set("Volume", .double(1))
    try client.wait(for: "PlaybackStatus", .string("Stopped"))
    try client.sync()
    client.forgetSignals()
  }

  /// Puts the tunes in the queue: stopped, nothing current.
  @discardableResult
  func fill(_ count: Int = 4) throws -> [EntryID] {
    let sources = try tunes.prefix(count).map { try MediaSource($0) }
    let entries = try Array(client.agent(AgentCall(.append(sources))).prefix(1)).decoded(as: [UInt64].self)
      .map(EntryID.init(rawValue:))
    let paths = WireValue.array(.objectPath, entries.map { Self.path($0) })
    try client.wait(for: "tags") {
      try client.trackList("GetTracksMetadata", paths).decoded(as: [[String: WireValue]].self)
        .allSatisfy { $0["xesam:artist"] != nil }
    }
    return entries
  }

  /// Brings about a setting; answers the entries of the queue.
  @discardableResult
  func begin(_ setting: Setting) throws -> [EntryID] {
    try reset()
    if setting == .empty { return [] }
    let entries = try fill()
    switch setting {
    case .empty, .stopped: return entries
    case .playing, .paused: try go(to: entries[1])
    case .first: try go(to: entries[0])
    case .last: try go(to: entries[3])
    }
    if setting == .paused {
      try client.player("Pause")
      try client.wait(for: "PlaybackStatus", .string("Paused"))
      // A pause is heard somewhat later than it was ordered; a place that was ordered is exact.
      try client.player("SetPosition", Self.path(entries[1]), .int64(1_000_000))
    }
    try client.sync()
    client.forgetSignals()
    return entries
  }

  /// Plays an entry; returns when all is known of it.
  func go(to entry: EntryID) throws {
    try client.trackList("GoTo", Self.path(entry))
    try waitUntilSettled(entry)
  }

  /// Waits until an entry plays and is known whole: its tags, and its length as the decoder has it.
  func waitUntilSettled(_ entry: EntryID) throws {
    try client.wait(for: "settled playing") {
      let all = try client.all()
      let known = all["Metadata"].flatMap { [String: WireValue](wire: $0) } ?? [:]
      return known["mpris:trackid"] == Self.path(entry) && known["xesam:artist"] != nil
        && known["mpris:length"] != nil && all["PlaybackStatus"] == .string("Playing")
    }
    // What is heard moves.
    let deadline = Deadline.patient
    while try client.get("Position") == .int64(0) {
      if deadline.hasPassed {
        let streams = try stage.server.control.world().sinkInputs
        throw KitError("the position does not move; the server has \(streams)")
      }
    }
  }

  static func path(_ entry: EntryID?) -> WireValue { .objectPath(TrackPath.path(of: entry)) }

  /// The current track's path.
  func currentPath() throws -> WireValue? { try client.metadata()["mpris:trackid"] }
  /// The place in the track, in microseconds.
  func position() throws -> Int64 { try #require(Int64(wire: client.get("Position"))) }
  /// Whether the place moves on: blocks until it does, or a deadline.
  func isMoving() throws -> Bool {
    let before = try position()
    let deadline = Deadline.patient
    while try position() <= before { if deadline.hasPassed { return false } }
    return true
  }
  /// Stopped, Playing or Paused.
  func status() throws -> String { try #require(String(wire: client.get("PlaybackStatus"))) }
}
