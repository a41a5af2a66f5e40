// SPDX-License-Identifier: MIT
import AudioModel
import HealthModel
import PlaybackLogic
import ReaderModel
import Testing

@Suite("What the surroundings mean")
struct HealthTests {
  private let pulse = AudioServer(name: "pulseaudio", version: "16.1", defaultSink: "laptop")
  private let pipeWire = AudioServer(
    name: "PulseAudio (on PipeWire 0.3.65)", version: "15.0.0", defaultSink: "laptop")

  private func laptop(headphones: Port.Availability, active: String = "headphones", isMuted: Bool = false)
    -> Sink
  {
    Sink(
      index: .init(rawValue: 1), name: "laptop", description: "Built-in",
      ports: [
        Port(name: "speaker", description: "Speakers", kind: .speaker),
        Port(name: "headphones", description: "Headphones", kind: .headphones, availability: headphones),
      ], activePort: active, isMuted: isMuted)
  }

  private func findings(
    _ sound: HealthEvidence.Answer<HealthEvidence.Sound>,
    bus: HealthEvidence.Answer<HealthEvidence.Bus> = .found(.init(agent: 7, hasPlayerName: true)),
    reader: HealthEvidence.Answer<ReaderFence> = .found(.all),
    folders: [HealthEvidence.Folder] = [], settings: [HealthEvidence.Answer<String>] = [.found("/f")]
  ) -> [Finding] {
    Health.findings(
      of: HealthEvidence(sound: sound, bus: bus, reader: reader, folders: folders, settings: settings))
  }

  private func one(_ topic: String, _ findings: [Finding]) throws -> Finding {
    let found = findings.filter { $0.topic == topic }
    #expect(found.count == 1, "\(topic)")
    return try #require(found.first)
  }

  @Test(
    "a server that does not answer, a bus that does not, a folder that can't be written: problems with advice"
  )
  func missing() throws {
    let all = findings(
      .missing("refused"), bus: .missing("no address"), reader: .missing("no file"),
      folders: [
        .init(purpose: "state", path: "/s", trouble: "read-only"), .init(purpose: "pictures", path: nil),
      ],
      settings: [.missing("line 2: what?"), .missing("line 4: who?")])
    // The agent plays with the presets of what it can't read.
    #expect(all.map(\.level) == [.problem, .problem, .warning, .warning, .warning, .problem, .problem])
    #expect(all.allSatisfy { $0.advice != nil })
    let lines = all.filter { $0.topic == "settings" }.map(\.text)
    #expect(lines == ["line 2: what?", "line 4: who?"], "each bad line is named")
    #expect(try one("sound server", all).text == "no answer: refused")
    #expect(try one("state", all).text == "/s: read-only")
  }

  @Test("a database that was set aside is named, for as long as it is there")
  func setAside() throws {
    var folder = HealthEvidence.Folder(purpose: "state", path: "/s")
    folder.damaged = ["state.db.damaged-20260101-120000"]
    let found = try one("state", findings(.missing("refused"), folders: [folder]))
    #expect(found.level == .warning && found.advice != nil)
    #expect(found.text == "/s: state.db.damaged-20260101-120000 could not be used and was set aside")
  }

  @Test("what a newer version wrote is not called damaged, and nobody is told to delete it")
  func newer() throws {
    var folder = HealthEvidence.Folder(purpose: "state", path: "/s")
    folder.newer = ["state.db.newer-20260101-120000"]
    let found = try one("state", findings(.missing("refused"), folders: [folder]))
    #expect(found.level == .warning)
    #expect(
      found.text == "/s: state.db.newer-20260101-120000 is of a newer fermata, and was set aside for it")
    #expect(found.advice?.contains("its old name") == true && found.advice?.contains("delete") == false)
  }

  @Test(
    "a stream of the agent's that nobody can hear is named, and another program's is not",
    arguments: [
      (7, true, 0.5, "muted"), (7, false, 0, "0%"), (7, false, 0.01, nil), (8, true, 0, nil),
    ] as [(Int, Bool, Double, String?)])
  func volume(process: Int, isMuted: Bool, volume: Double, words: String?) throws {
    let client = AudioClient(
      index: .init(rawValue: 3), name: "c", properties: ["application.process.id": "\(process)"])
    var stream = SinkInput(index: .init(rawValue: 4), name: "music", client: client.index)
    (stream.isMuted, stream.volume) = (isMuted, volume)
    let world = AudioWorld(
      server: pulse, sinks: [laptop(headphones: .yes)], sinkInputs: [stream], clients: [client])
    let found = findings(.found(.init(world: world))).filter { $0.topic == "volume" }
    #expect(found.count == (words == nil ? 0 : 1))
    if let words { #expect(found.first?.text.contains(words) == true && found.first?.level == .warning) }
    #expect(found.allSatisfy { $0.advice?.hasPrefix("fermata volume ") == true })
    // The pads' stream, which may be the older one, has a mute of its own.
    var pads = SinkInput(
      index: .init(rawValue: 2), client: client.index, isMuted: !isMuted,
      properties: [SinkInput.padsMark: "pads"])
    pads.volume = 1
    let both = AudioWorld(
      server: pulse, sinks: [laptop(headphones: .yes)], sinkInputs: [pads, stream], clients: [client])
    #expect(findings(.found(.init(world: both))).filter { $0.topic == "volume" } == found)
  }

  @Test(
    "of a device that goes as a whole nobody is warned, and a USB device's socket is told if it tells",
    arguments: [
      ("bluetooth", Port.Availability.unknown, 0), ("bluetooth", .yes, 0), ("usb", .unknown, 0),
      ("usb", .yes, 1),
      ("pci", .unknown, 1),
    ])
  func buses(bus: String, headphones: Port.Availability, count: Int) {
    for isOfCard in [false, true] {
      var sink = laptop(headphones: headphones)
      let card = Card(
        index: .init(rawValue: 5), name: "card", properties: isOfCard ? ["device.bus": bus] : [:])
      (sink.card, sink.properties["device.bus"]) = (card.index, isOfCard ? nil : bus)
      let world = AudioWorld(server: pulse, sinks: [sink], cards: [card])
      let found = findings(.found(.init(world: world))).filter { $0.topic == "jack" }
      #expect(found.count == count, "\(bus), of the card: \(isOfCard)")
      #expect(found.allSatisfy { ($0.level == .warning) == (headphones == .unknown) })
    }
  }

  @Test("a filter is as private as what it plays on to, and mute there is found")
  func filter() throws {
    let server = AudioServer(name: "pulseaudio", version: "16.1", defaultSink: "equalizer")
    var world = AudioWorld(server: server, sinks: [laptop(headphones: .yes)])
    world.sinks.append(
      Sink(index: Sink.Index(rawValue: 5), name: "equalizer", description: "Equalizer", module: 9))
    world.sinkInputs = [
      SinkInput(index: SinkInput.Index(rawValue: 1), sink: world.sinks[0].index, module: 9)
    ]
    let found = findings(.found(.init(world: world, modules: ["module-role-cork"])))
    let text = "Equalizer, to Built-in, Headphones: private, so that its loss pauses (the default)"
    #expect(found.contains { $0.topic == "output" && $0.text == text })
    #expect(found.contains { $0.topic == "jack" })
    world.sinks[0].isMuted = true
    let muted = findings(.found(.init(world: world, modules: ["module-role-cork"])))
    #expect(muted.contains { $0.topic == "output" && $0.level == .warning && $0.text.hasPrefix(text) })
  }

  @Test("headphones whose plug tells are fine, and those whose plug does not are named")
  func jacks() throws {
    let world = AudioWorld(server: pulse, sinks: [laptop(headphones: .yes)])
    let good = findings(.found(.init(world: world, modules: ["module-role-cork"])))
    #expect(good.allSatisfy { $0.level == .fine })
    #expect(try one("sound server", good).text == "PulseAudio 16.1")
    #expect(
      try one("output", good).text == "Built-in, Headphones: private, so that its loss pauses (the default)")
    #expect(try one("jack", good).text.hasPrefix("Headphones: plugged in"))
    #expect(try one("calls", good).text.contains("module-role-cork"))
    let old = AudioWorld(
      server: pipeWire, sinks: [laptop(headphones: .unknown, active: "speaker", isMuted: true)])
    let bad = findings(
      .found(.init(world: old, wirePlumber: WirePlumberVersion("0.5.12"), ownSink: "laptop")))
    #expect(try one("jack", bad).level == .warning)
    #expect(try one("output", bad).level == .warning)
    #expect(try one("output", bad).text.contains("Speakers: heard by all"))
    #expect(try one("sound server", bad).text == "PulseAudio (on PipeWire 0.3.65)")
    #expect(try one("session manager", bad).text.contains("count as one"))
  }

  @Test("an output that is used and lets nothing through is named, and another one is not")
  func silentOutput() throws {
    var sink = laptop(headphones: .yes)
    sink.volume = 0
    let used = try one("output", findings(.found(.init(world: AudioWorld(server: pulse, sinks: [sink])))))
    #expect(used.level == .warning && used.text.hasSuffix("its volume is 0%"))
    #expect(used.advice?.hasSuffix("fermata output NAME") == true)
    sink.volume = 0.01
    let quiet = try one("output", findings(.found(.init(world: AudioWorld(server: pulse, sinks: [sink])))))
    #expect(quiet.level == .fine)
    let other = Sink(index: .init(rawValue: 2), name: "other", isMuted: true, volume: 0)
    let both = findings(
      .found(.init(world: AudioWorld(server: pulse, sinks: [laptop(headphones: .yes), other]))))
    #expect(both.filter { $0.topic == "output" }.allSatisfy { $0.level == .fine })
  }

  @Test("nothing but the server's stand-in is no output")
  func nowhere() throws {
    let stand = Sink(index: .init(rawValue: 0), name: Sink.nullSinkName)
    let all = findings(.found(.init(world: AudioWorld(server: pulse, sinks: [stand]))))
    #expect(try one("output", all).level == .problem)
  }

  @Test("an agent that runs, one that can be started, and one that can't")
  func agent() throws {
    let world = HealthEvidence.Answer.found(HealthEvidence.Sound(world: AudioWorld(server: pulse)))
    #expect(try one("agent", findings(world)).text == "it runs (process 7)")
    #expect(try one("agent", findings(world, bus: .found(.init(canStartAgent: true)))).level == .fine)
    #expect(try one("agent", findings(world, bus: .found(.init()))).level == .warning)
    #expect(try one("media keys", findings(world, bus: .found(.init(agent: 7)))).level == .problem)
    let halted = findings(world, bus: .found(.init(agent: 7, agentAnswers: false)))
    #expect(try one("agent", halted).level == .problem && !halted.contains { $0.topic == "media keys" })
    #expect(try one("agent", halted).text == "it runs (process 7), but does not answer")
    let guardian = try one("media keys", findings(world, bus: .found(.init(agent: 7, onlyGuards: true))))
    #expect(guardian.level == .fine && guardian.text == "this agent only guards, so it takes none")
    let quiet = HealthEvidence.OtherPlayer(name: "mpv", isPlaying: false)
    let loud = HealthEvidence.OtherPlayer(name: "Firefox", isPlaying: true)
    let some = findings(world, bus: .found(.init(agent: 7, hasPlayerName: true, players: [quiet])))
    #expect(try one("media keys", some).level == .fine)
    let many = findings(world, bus: .found(.init(agent: 7, hasPlayerName: true, players: [quiet, loud])))
    #expect(try one("media keys", many).text == "Firefox plays and may catch them")
  }

  @Test("an agent that has no server while the doctor has one, and one whose program was replaced, are told")
  func otherAgent() throws {
    let world = HealthEvidence.Answer.found(HealthEvidence.Sound(world: AudioWorld(server: pulse)))
    var bus = HealthEvidence.Bus(agent: 7, agentServer: .awaited, hasPlayerName: true)
    let waiting = findings(world, bus: .found(bus)).filter { $0.topic == "sound server" }
    #expect(waiting.map(\.level) == [.fine, .problem])
    bus.agentServer = .there
    #expect(findings(world, bus: .found(bus)).count { $0.topic == "sound server" } == 1)
    // A doctor that reaches none knows nothing of the agent's.
    #expect(try one("sound server", findings(.missing("refused"), bus: .found(bus))).level == .warning)
    #expect(try one("agent", findings(world, bus: .found(bus))).level == .fine)
    bus.isAgentReplaced = true
    let replaced = try one("agent", findings(world, bus: .found(bus)))
    #expect(replaced.level == .warning && replaced.advice?.contains("fermata quit") == true)
  }

  @Test(
    "variables that make the agent look elsewhere are told, and those that come to the same are not",
    arguments: [
      (["HOME": "/h"], ["HOME": "/h", "XDG_STATE_HOME": "/h/.local/state"], nil),
      (["HOME": "/h", "XDG_DATA_HOME": "not/absolute"], ["HOME": "/h", "XDG_DATA_HOME": ""], nil),
      (
        ["HOME": "/h"], ["HOME": "/h", "XDG_CONFIG_HOME": "/c"],
        "XDG_CONFIG_HOME is not set for the agent, and here '/c'"
      ),
      (
        ["HOME": "/h", "XDG_CONFIG_HOME": "/c"], ["HOME": "/h"],
        "XDG_CONFIG_HOME is '/c' for the agent, and here not set"
      ),
      (["HOME": "/h"], ["HOME": "/root"], "HOME is '/h' for the agent, and here '/root'"),
      (["PULSE_SERVER": "unix:/a"], ["PULSE_SERVER": "unix:/a", "LANG": "C"], nil),
    ] as [([String: String], [String: String], String?)])
  func environment(agent: [String: String], own: [String: String], text: String?) {
    let world = HealthEvidence.Answer.found(HealthEvidence.Sound(world: AudioWorld(server: pulse)))
    let bus = HealthEvidence.Bus(agent: 7, variables: (agent, own), hasPlayerName: true)
    let found = findings(world, bus: .found(bus)).filter { $0.topic == "environment" }
    #expect(found.map(\.text) == (text.map { [$0] } ?? []))
  }

  @Test("a player that an agent would pause is no fine thing while none runs")
  func unguarded() throws {
    let client = AudioClient(
      index: .init(rawValue: 3), name: "mpv", properties: ["application.process.id": "30"])
    let stream = SinkInput(index: .init(rawValue: 4), name: "music", client: client.index)
    let world = AudioWorld(
      server: pulse, sinks: [laptop(headphones: .yes)], sinkInputs: [stream], clients: [client])
    let player = try #require(
      BusPlayer(busName: "org.mpris.MediaPlayer2.mpv", owner: ":1.30", process: 30))
    let evidence = HealthEvidence(
      sound: .found(.init(world: world)), bus: .found(.init(canStartAgent: true)), reader: .found(.all),
      settings: [], guarding: .init(settings: GuardSettings(isOn: true), players: [player]))
    let found = Health.findings(of: evidence).filter { $0.topic == "guard" }
    #expect(found.map(\.level) == [.warning, .fine], "\(found)")
    #expect(found.last?.text.hasSuffix("would be paused when the device that it plays on is gone") == true)
  }

  @Test("a queue that is not stored is a problem, with the agent's own reason and remedy")
  func notStored() throws {
    let world = HealthEvidence.Answer.found(HealthEvidence.Sound(world: AudioWorld(server: pulse)))
    let full = HealthEvidence.Bus(agent: 7, notStored: "/s/state.db: disk is full; make room")
    let finding = try one("queue", findings(world, bus: .found(full)))
    #expect(finding.level == .problem && finding.advice == "make room")
    #expect(finding.text == "what is done now is not stored: /s/state.db: disk is full")
    #expect(findings(world).allSatisfy { $0.topic != "queue" })
  }

  @Test("the session manager's version is in the name of its library")
  func version() {
    let maps = """
      7f0000000000-7f0000001000 r--p 00000000 08:01 1 /usr/lib/x86_64-linux-gnu/libc.so.6
      7f0000002000-7f0000003000 r--p 00000000 08:01 2 /usr/lib/x86_64-linux-gnu/libwireplumber-0.5.so.0.5.11
      """
    #expect(WirePlumberVersion(inMaps: maps)?.text == "0.5.11")
    #expect(WirePlumberVersion(inMaps: maps)?.pausesPlayers == true)
    // Its library was replaced while it runs.
    #expect(WirePlumberVersion(inMaps: maps + " (deleted)")?.text == "0.5.11")
    #expect(WirePlumberVersion(inMaps: "x /libwireplumber-0.4.so.0.4.13")?.pausesPlayers == false)
    #expect(WirePlumberVersion("0.6")?.pausesPlayers == true)
    #expect(WirePlumberVersion(inMaps: "") == nil)
    for text in ["", "a", "1..2", "1.-2", "1.2.3.4.5"] { #expect(WirePlumberVersion(text) == nil, "\(text)") }
  }

  @Test(
    "what stands around the reader of tags is told, and what does not",
    arguments: [
      (.all, .fine, "behind limits, privacy, no paths (Landlock), few system calls (seccomp)"),
      ([.limits, .privacy, .calls], .fine, "not there: no paths (Landlock)"),
      ([.limits, .privacy, .paths], .warning, "not there: few system calls (seccomp)"),
      ([], .warning, "process of its own; not there: limits, privacy"),
    ] as [(ReaderFence, Finding.Level, String)])
  func reader(fence: ReaderFence, level: Finding.Level, words: String) throws {
    let finding = try one("tags", findings(.missing("refused"), reader: .found(fence)))
    #expect(finding.level == level)
    #expect(finding.text.contains(words), "\(finding.text)")
  }
}
