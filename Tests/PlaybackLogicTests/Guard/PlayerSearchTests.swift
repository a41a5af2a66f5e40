// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Which player a stream belongs to")
struct PlayerSearchTests {
  private static let pulse = ["client.api": "pipewire-pulse", "pipewire.sec.pid": "9"]

  private func player(_ name: String, _ process: Int32) -> BusPlayer {
    BusPlayer(busName: "org.mpris.MediaPlayer2.\(name)", owner: ":1.\(process)", process: process)!
  }

  private func process(
    _ id: Int32, parent: Int32? = 1, _ program: String? = nil, flatpak: String? = nil
  ) -> (Int32, ProcessRecord) {
    (id, ProcessRecord(id: id, parent: parent, program: program, flatpak: flatpak))
  }

  private func program(_ client: [String: String], _ stream: [String: String] = [:], named: String = "x")
    -> StreamProgram
  {
    var world = AudioWorld(server: AudioServer(name: "", version: "", defaultSink: ""))
    let index = AudioClient.Index(rawValue: 4)
    world.clients = [AudioClient(index: index, name: named, properties: client)]
    return StreamProgram(
      of: SinkInput(index: SinkInput.Index(rawValue: 5), client: index, properties: stream), in: world)
  }

  private func name(
    _ program: StreamProgram, _ players: [BusPlayer], _ processes: [(Int32, ProcessRecord)]
  ) -> String? {
    PlayerSearch(players, Dictionary(uniqueKeysWithValues: processes)).player(of: program)?.busName
  }

  @Test("the stream's own process")
  func ownProcess() {
    let found = name(
      program(["application.process.id": "20"]), [player("cmus", 20), player("mpv", 21)],
      [process(20), process(21)])
    #expect(found == "org.mpris.MediaPlayer2.cmus")
  }

  @Test("a child plays: the nearest ancestor with a name")
  func child() {
    let found = name(
      program(["application.process.id": "23"]), [player("outer", 20), player("chromium.instance21", 21)],
      [process(20), process(21, parent: 20), process(22, parent: 21), process(23, parent: 22)])
    #expect(found == "org.mpris.MediaPlayer2.chromium.instance21")
  }

  @Test("a player with two names, each of a connection of its own, is one; players of other names are more")
  func everyPlayer() {
    let names = [
      ("vlc.instance20", ":1", 20), ("vlc", ":2", 20), ("vlc.instance21", ":3", 21),
      ("phone.mpris_1", ":4", 30),
      ("phone.mpris_2", ":5", 30), ("also", ":5", 30),
    ]
    let players = names.compactMap { name, owner, process in
      BusPlayer(busName: "org.mpris.MediaPlayer2.\(name)", owner: owner, process: Int32(process))
    }
    #expect(PlayerSearch(players, [:]).all.map(\.owner) == [":5", ":4", ":2", ":3"])
    #expect(players[0].isSame(as: players[1]) && !players[1].isSame(as: players[2]))
  }

  @Test("a circle of parents and a long line of them end")
  func circle() {
    #expect(
      name(
        program(["application.process.id": "20"]), [player("a", 99)],
        [process(20, parent: 21), process(21, parent: 20)]) == nil)
  }

  @Test("two names of one process: the shorter one")
  func twoNames() {
    let found = name(
      program(["application.process.id": "20"]), [player("vlc.instance20", 20), player("vlc", 20)],
      [process(20)])
    #expect(found == "org.mpris.MediaPlayer2.vlc")
  }

  @Test("PipeWire's own word counts for native clients, and is its own number for PulseAudio's")
  func security() {
    let native = program(["client.api": "pipewire", "pipewire.sec.pid": "20", "application.process.id": "21"])
    #expect(native.process == 20)
    #expect(native.isProcessKnown)
    var client = Self.pulse
    client["application.process.id"] = "21"
    #expect(program(client).process == 21)
    #expect(program(Self.pulse).process == nil)
    #expect(program(["application.process.id": "-4"]).process == nil)
  }

  @Test("a number from inside a sandbox is another program's outside")
  func wrongNumber() {
    let found = name(
      program(["application.process.id": "3", "application.process.binary": "spotify"]), [player("mpv", 3)],
      [process(3, "mpv")])
    #expect(found == nil)
  }

  @Test("a Flatpak's player is found by its application, though a proxy has the name")
  func flatpak() {
    let told = program([
      "application.process.id": "3", "pipewire.access.portal.app_id": "com.spotify.Client",
    ])
    let players = [player("spotify", 40), player("other", 41)]
    let processes = [
      process(3, "kthread"), process(40, "xdg-dbus-proxy", flatpak: "com.spotify.Client"),
      process(41, "xdg-dbus-proxy", flatpak: "org.other"),
    ]
    #expect(name(told, players, processes) == "org.mpris.MediaPlayer2.spotify")
    let seen = program(["client.api": "pipewire", "pipewire.sec.pid": "50"])
    #expect(
      name(seen, players, processes + [process(50, "spotify", flatpak: "com.spotify.Client")])
        == "org.mpris.MediaPlayer2.spotify")
  }

  @Test(
    "a Flatpak as PipeWire shows it: a client of PulseAudio's, a native one, and one with a security context",
    arguments: [
      [
        "client.api": "pipewire-pulse", "pipewire.access": "flatpak", "pipewire.sec.pid": "9",
        "application.process.id": "2", "application.process.binary": "spotify",
        "pipewire.access.portal.app_id": "com.spotify.Client",
      ],
      [
        "pipewire.access": "flatpak", "pipewire.sec.pid": "50",
        "pipewire.access.portal.app_id": "com.spotify.Client",
      ],
      [
        "pipewire.sec.engine": "org.flatpak", "pipewire.sec.pid": "50",
        "pipewire.sec.app-id": "com.spotify.Client",
      ],
    ])
  func flatpakOnPipeWire(client: [String: String]) {
    let players = [player("spotify", 40), player("other", 2)]
    let found = name(
      program(client), players,
      [
        process(2, "other"), process(40, "xdg-dbus-proxy", flatpak: "com.spotify.Client"),
        process(50, parent: 49, "spotify", flatpak: "com.spotify.Client"),
      ])
    #expect(found == "org.mpris.MediaPlayer2.spotify")
  }

  @Test("PulseAudio knows of no Flatpak: the number from inside is not believed, and the name decides")
  func flatpakOnPulseAudio() {
    let told = program([
      "application.process.id": "2", "application.process.binary": "spotify", "application.name": "Spotify",
    ])
    let processes = [process(2, "kthreadd"), process(40, "xdg-dbus-proxy", flatpak: "com.spotify.Client")]
    #expect(name(told, [player("spotify", 40)], processes) == "org.mpris.MediaPlayer2.spotify")
  }

  @Test("a Snap has the numbers of the machine: its process is found as any other")
  func snap() {
    let told = program([
      "client.api": "pipewire-pulse", "pipewire.snap.id": "firefox.firefox", "application.process.id": "61",
      "application.process.binary": "firefox",
    ])
    let found = name(
      told, [player("firefox.instance_1_60", 60)],
      [process(60, "firefox"), process(61, parent: 60, "firefox")])
    #expect(found == "org.mpris.MediaPlayer2.firefox.instance_1_60")
  }

  @Test("names last: a daemon whose name another process has")
  func byName() {
    let musicd = program(
      ["application.process.id": "20", "application.process.binary": "musicd"], named: "Music Player Daemon")
    #expect(
      name(musicd, [player("musicd", 30)], [process(20, "musicd"), process(30, "python3.11")])
        == "org.mpris.MediaPlayer2.musicd")
  }

  @Test("names only when one fits, and never another window of the same program")
  func ambiguous() {
    let two = [player("mpv", 30), player("mpv.instance31", 31)]
    let unknown = program(["application.name": "mpv"])
    #expect(name(unknown, two, [process(30, "mpv"), process(31, "mpv")]) == nil)
    #expect(name(unknown, [two[0]], [process(30, "mpv")]) == "org.mpris.MediaPlayer2.mpv")
    let without = program(["application.process.id": "20", "application.name": "mpv"])
    #expect(name(without, [two[0]], [process(20, "mpv"), process(30, "mpv")]) == nil)
  }

  @Test(
    "what a player is called",
    arguments: [
      ("vlc", "vlc"), ("vlc.instance17", "vlc"), ("chromium.instance_1_2", "chromium"),
      ("kdeconnect.mpris_000001", "kdeconnect.mpris_000001"), ("a.instance4.b", "a"),
      ("instance7", "instance7"),
    ])
  func called(suffix: String, expected: String) {
    #expect(player(suffix, 1).name == expected)
  }
}
