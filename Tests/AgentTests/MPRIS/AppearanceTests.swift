// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("Shells of desktops", .serialized, .realTime, .endsAnyway)
struct AppearanceTests {
  /// A bus with a shell, and an agent that comes and goes.
  private struct Desk {
    let server: PrivatePulse
    let bus: PrivateBus
    let folder: TemporaryDirectory
    let shell: CachingShell

    init() throws {
      server = try PrivatePulse(sinks: ["speakers"])
      bus = try PrivateBus()
      folder = try TemporaryDirectory()
      shell = try CachingShell(bus)
    }

    func startAgent() throws -> Child {
      try Child(.beside("fermata"), ["agent"], environment: AgentStage.environment(server, bus, folder))
    }

    /// Waits until this place is on disk. No answer waits for that: the store's thread writes it a moment later.
    func waitForStoredPlace(microseconds: Int) throws {
      let deadline = Deadline.patient
      let place = (0..<8).map { UInt8(truncatingIfNeeded: microseconds >> (8 * $0)) }
      // The place stands behind the mark and the entry, with eight bytes each.
      while try !folder.bytes(".local/state/fermata/position").dropFirst(16).starts(with: place) {
        guard !deadline.hasPassed else { throw KitError("the place is not stored") }
      }
    }

    func stop() throws {
      try server.stop()
      try bus.stop()
    }
  }

  @Test("asked in the instant in which the name appears, it answers all, time after time")
  func firstAnswer() throws {
    let desk = try Desk()
    for round in 1...5 {
      let agent = try desk.startAgent()
      try desk.shell.wait(for: "answer \(round)") { $0.firstAnswers.count == round }
      let answer = try #require(desk.shell.now.firstAnswers.last ?? nil)
      #expect(Set(answer.keys) == Set(MPRISDescriptions.player.properties.map(\.name.text)))
      #expect(answer["PlaybackStatus"] == .string("Stopped") && answer["CanPlay"] == .boolean(false))
      #expect(agent.stop(within: .patience) == .exited(0))
      try desk.shell.wait(for: "its end") { !$0.isThere }
    }
    try desk.stop()
  }

  @Test("restored, the first answer has the track whole: its title, its length and the place in it")
  func restored() throws {
    let desk = try Desk()
    var agent = try desk.startAgent()
    try desk.shell.wait(for: "the player") { $0.firstAnswers.count == 1 }
    let client = try MPRISClient(desk.bus)
    let uri = try Tune.write("restored.flac", number: 7, seconds: 60, in: desk.folder)
    try client.player("OpenUri", .string(uri))
    try desk.shell.wait(for: "playing") { $0.properties["PlaybackStatus"] == .string("Playing") }
    try client.player("Pause")
    let track = try #require(try client.metadata()["mpris:trackid"])
    try client.player("SetPosition", track, .int64(31_000_000))
    try desk.waitForStoredPlace(microseconds: 31_000_000)
    for round in 2...4 {
      if round == 2 { agent.kill() } else { #expect(agent.stop(within: .patience) == .exited(0)) }
      agent = try desk.startAgent()
      try desk.shell.wait(for: "answer \(round)") { $0.firstAnswers.count == round }
      let answer = try #require(desk.shell.now.firstAnswers.last ?? nil)
      #expect(answer["PlaybackStatus"] == .string("Paused") && answer["Position"] == .int64(31_000_000))
      let metadata = try #require(answer["Metadata"].flatMap { [String: WireValue](wire: $0) })
      #expect(metadata["xesam:title"] == .string("Tune 7") && metadata["mpris:length"] == .int64(60_000_000))
      #expect(metadata["mpris:trackid"] == track && metadata["xesam:artist"] == ["Somebody"].wireValue)
    }
    client.close()
    #expect(agent.stop(within: .patience) == .exited(0))
    try desk.stop()
  }

  @Test("a shell that shows a player while it can play shows it, its tracks, and its end")
  func shown() throws {
    let desk = try Desk()
    let agent = try desk.startAgent()
    try desk.shell.wait(for: "the player") { $0.firstAnswers.count == 1 }
    #expect(!desk.shell.now.isShown)
    let client = try MPRISClient(desk.bus)
    for number in 1...3 {
      let uri = try Tune.write("\(number).flac", number: number, seconds: 60, in: desk.folder)
      try client.player("OpenUri", .string(uri))
      try desk.shell.wait(for: "tune \(number)") { $0.metadata("xesam:title") == .string("Tune \(number)") }
      let now = desk.shell.now
      #expect(now.isShown && now.metadata("xesam:artist") == ["Somebody"].wireValue)
      #expect(now.properties["PlaybackStatus"] == .string("Playing"))
    }
    try client.agent(AgentCall(.clear))
    try desk.shell.wait(for: "nothing to play") { !$0.isShown }
    #expect(desk.shell.now.metadata("mpris:trackid") == MPRISStage.path(nil))
    client.close()
    agent.kill()
    try desk.shell.wait(for: "its end") { !$0.isThere }
    try desk.stop()
  }

  @Test("whatever is done, who believes the signals alone knows what GetAll answers", arguments: [1, 2, 3])
  func cache(seed: UInt64) throws {
    let stage = try MPRISStage()
    let shell = try CachingShell(stage.stage.bus)
    var random = SeededGenerator(seed: seed)
    try stage.begin(.playing)
    for _ in 0..<150 { try act(stage, &random) }
    try stage.client.wait(for: "rest") { try agree(shell.now.properties, stage.client.all()) }
    #expect(shell.now.updates > 20)
    try stage.stop()
  }

  /// What was told is as it is.
  private func agree(_ told: [String: WireValue], _ all: [String: WireValue]) -> Bool {
    told.allSatisfy { name, value in all[name] == value }
  }

  private func act(_ stage: MPRISStage, _ random: inout SeededGenerator) throws {
    let client = stage.client
    let known = try #require([ObjectPath](wire: client.get("Tracks", of: MPRISDescriptions.trackList.name)))
    let track = WireValue.objectPath(known.randomElement(using: &random) ?? TrackPath.none)
    let tune = WireValue.string(stage.tunes[Int.random(in: 0..<4, using: &random)])
    switch Int.random(in: 0..<13, using: &random) {
    case 0: try client.player("Next")
    case 1: try client.player("Previous")
    case 2: _ = client.error { try client.player("PlayPause") }
    case 3: try client.player("Stop")
    case 4: try client.player("Play")
    case 5: try client.set("Volume", .double(Double.random(in: 0...1, using: &random)))
    case 6:
      try client.set(
        "LoopStatus", .string(["None", "Track", "Playlist"].randomElement(using: &random) ?? "None"))
    case 7: try client.set("Shuffle", .boolean(Bool.random(using: &random)))
    case 8: try client.trackList("GoTo", track)
    case 9: try client.trackList("RemoveTrack", track)
    case 10: try client.trackList("AddTrack", tune, track, .boolean(Bool.random(using: &random)))
    case 11: try client.player("Seek", .int64(Int64.random(in: -70_000_000...70_000_000, using: &random)))
    default: try client.player("OpenUri", tune)
    }
  }
}
