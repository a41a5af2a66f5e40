// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What `fermata doctor` says of the guard before a plug is pulled.
@Suite("Whom the guard could pause")
struct GuardOutlookTests {
  /// A server with programs, each of its own process, and the players that they are on the bus.
  private struct Room {
    var world = AudioWorld(server: AudioServer(name: "", version: "", defaultSink: ""))
    var players: [BusPlayer] = []
    var processes: [Int32: ProcessRecord] = [:]

    mutating func add(_ name: String, _ process: Int32, isPlayer: Bool = true) {
      let client = AudioClient.Index(rawValue: UInt32(process))
      world.clients.append(
        AudioClient(index: client, name: name, properties: ["application.process.id": "\(process)"]))
      processes[process] = ProcessRecord(id: process, parent: 1)
      if isPlayer,
        let player = BusPlayer(
          busName: "org.mpris.MediaPlayer2.\(name)", owner: ":1.\(process)", process: process)
      {
        players.append(player)
      }
    }

    mutating func play(_ process: Int32, role: String? = nil) {
      world.sinkInputs.append(
        SinkInput(
          index: SinkInput.Index(rawValue: UInt32(world.sinkInputs.count)),
          client: AudioClient.Index(rawValue: UInt32(process)),
          properties: role.map { ["media.role": $0] } ?? [:]))
    }

    mutating func record(_ process: Int32) {
      world.sourceOutputs.append(
        SourceOutput(
          index: SourceOutput.Index(rawValue: UInt32(process)),
          client: AudioClient.Index(rawValue: UInt32(process))))
    }

    func outlook(
      _ settings: GuardSettings = GuardSettings(), identities: [String: String] = [:], agent: Int32? = nil
    ) -> [String] {
      GuardOutlook(
        in: world, players: players, identities: identities, processes: processes, settings: settings,
        agent: agent
      ).programs.map { "\($0.name) \($0.standing)" }
    }
  }

  @Test("nobody plays: nobody is named, whoever has a name on the bus")
  func nobody() {
    var room = Room()
    room.add("mpv", 20)
    #expect(room.outlook().isEmpty)
  }

  @Test("each program once, by its player's name or else its own, in the order of names")
  func standings() {
    var room = Room()
    room.add("vlc", 20)
    room.add("game", 21, isPlayer: false)
    room.add("cmus", 22)
    for process in [20, 20, 21, 22] as [Int32] { room.play(process) }
    #expect(
      room.outlook(GuardSettings(isOn: true, exceptions: ["VLC"]))
        == ["cmus guarded", "game unreachable", "vlc excepted"])
  }

  @Test("a player may be left alone by the name that it gives itself, as the guard does it")
  func identity() {
    var room = Room()
    room.add("vlc", 20)
    room.add("cmus", 22)
    for process in [20, 22] as [Int32] { room.play(process) }
    let settings = GuardSettings(isOn: true, exceptions: ["VLC media player"])
    #expect(
      room.outlook(settings, identities: [":1.20": "VLC media player", ":1.22": "cmus"])
        == ["cmus guarded", "vlc excepted"])
  }

  @Test("who records, or plays a call beside its music, is never paused")
  func callers() {
    var room = Room()
    room.add("talk", 20)
    room.play(20)
    room.record(20)
    room.add("phone", 21)
    room.play(21)
    room.play(21, role: "phone")
    #expect(room.outlook() == ["phone calling", "talk calling"])
  }

  @Test("our own agent is not listed, and a call alone is no player")
  func left() {
    var room = Room()
    room.add("fermata", 20)
    room.play(20)
    room.add("phone", 21, isPlayer: false)
    room.play(21, role: "phone")
    #expect(room.outlook(agent: 20).isEmpty)
  }

  @Test("the processes to look up are those of players and of callers, each once")
  func processes() {
    var room = Room()
    for process in 20...22 as ClosedRange<Int32> { room.add("p\(process)", process) }
    room.play(21)
    room.play(21)
    room.record(20)
    #expect(GuardOutlook.processes(in: room.world) == [20, 21])
  }
}
