// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Call watcher")
struct CallWatcherTests {
  private static let us = AudioClient.Index(rawValue: 1)
  private static let them = AudioClient.Index(rawValue: 2)
  private static let sibling = AudioClient.Index(rawValue: 3)
  private static let anywhere = Sink.Index(rawValue: 0)

  private static func world(
    _ inputs: [SinkInput] = [], recording: [SourceOutput] = [], clients: [AudioClient] = []
  ) -> AudioWorld {
    AudioWorld(
      server: AudioServer(name: "", version: "", defaultSink: ""), sinkInputs: inputs,
      sourceOutputs: recording,
      clients: clients)
  }

  private static func input(
    _ role: String? = nil, client: AudioClient.Index? = them, sink: Sink.Index? = anywhere,
    isCorked: Bool = false, isMuted: Bool = false, index: UInt32 = 5
  ) -> SinkInput {
    SinkInput(
      index: SinkInput.Index(rawValue: index), client: client, sink: sink, isCorked: isCorked,
      isMuted: isMuted,
      properties: role.map { ["media.role": $0] } ?? [:])
  }

  private static func recording(
    client: AudioClient.Index? = them, hearsMonitor: Bool = false, hasSource: Bool = true,
    isCorked: Bool = false, method: String = "",
    properties: [String: String] = [:]
  ) -> SourceOutput {
    SourceOutput(
      index: SourceOutput.Index(rawValue: 6), client: client,
      monitors: hearsMonitor ? Sink.Index(rawValue: 3) : nil, hasSource: hasSource, isCorked: isCorked,
      resampleMethod: method, properties: properties)
  }

  private static func found(
    _ world: AudioWorld, settings: SessionSettings = SessionSettings(), ownInputs: Set<SinkInput.Index> = []
  ) -> [SessionEvent] {
    var watcher = CallWatcher(settings: settings)
    return watcher.handle(world, ownClient: us, ownInputs: ownInputs)
  }

  @Test("a call is somebody else's stream with that role, as soon as it sounds")
  func call() {
    #expect(Self.found(Self.world([Self.input("phone")])) == [.began(.call)])
    #expect(Self.found(Self.world([Self.input("Phone")])) == [.began(.call)])
    #expect(Self.found(Self.world([Self.input("phone", client: nil)])) == [.began(.call)])
    let silent = [
      Self.input("phone", client: Self.us), Self.input("phone", sink: nil),
      Self.input("phone", isCorked: true),
      Self.input("phone", isMuted: true), Self.input("music"), Self.input("video"), Self.input(nil),
    ]
    for input in silent { #expect(Self.found(Self.world([input])).isEmpty, "\(input)") }
    let own: Set = [SinkInput.Index(rawValue: 5)]
    #expect(Self.found(Self.world([Self.input("phone", client: nil)]), ownInputs: own).isEmpty)
  }

  @Test("a recorded microphone is a call while the same program plays something")
  func microphone() {
    #expect(Self.found(Self.world([Self.input()], recording: [Self.recording()])) == [.began(.microphone)])
    #expect(Self.found(Self.world(recording: [Self.recording()])).isEmpty)
    let silent = [
      Self.recording(client: Self.us), Self.recording(client: nil), Self.recording(hearsMonitor: true),
      Self.recording(isCorked: true), Self.recording(method: "peaks"),
      Self.recording(properties: ["stream.monitor": "true"]), Self.recording(client: Self.sibling),
    ]
    for recording in silent {
      #expect(Self.found(Self.world([Self.input()], recording: [recording])).isEmpty, "\(recording)")
    }
    let idle = Self.world([Self.input(isCorked: true)], recording: [Self.recording()])
    #expect(Self.found(idle).isEmpty)
  }

  @Test("a virtual machine records as long as it runs, which is no call, unless every recording is to count")
  func virtualMachine() {
    let machine = AudioClient(
      index: Self.them, name: "qemu", properties: ["application.process.binary": "qemu-system-x86_64"])
    let world = Self.world([Self.input()], recording: [Self.recording()], clients: [machine])
    #expect(Self.found(world).isEmpty)
    var settings = SessionSettings()
    settings.microphone = .always
    #expect(Self.found(world, settings: settings) == [.began(.microphone)])
  }

  @Test("a program with two connections is one, unless only its number in a sandbox is the same")
  func siblings() {
    func clients(_ name: String) -> [AudioClient] {
      [
        AudioClient(index: Self.them, name: "browser", properties: ["application.process.id": "2"]),
        AudioClient(index: Self.sibling, name: name, properties: ["application.process.id": "2"]),
      ]
    }
    let recording = [Self.recording(client: Self.sibling)]
    let same = Self.world([Self.input()], recording: recording, clients: clients("browser"))
    #expect(Self.found(same) == [.began(.microphone)])
    let other = Self.world([Self.input()], recording: recording, clients: clients("recorder"))
    #expect(Self.found(other).isEmpty)
  }

  @Test(
    "one that gives its connections different names is known by its file, as Chromium and all that is made with it"
  )
  func namedInput() {
    func world(_ binaries: [String]) -> AudioWorld {
      let names = [(Self.them, "Google Chrome"), (Self.sibling, "Google Chrome input")]
      let clients = zip(names, binaries).map { client, binary in
        AudioClient(
          index: client.0, name: client.1,
          properties: ["application.process.id": "77", "application.process.binary": binary])
      }
      return Self.world([Self.input()], recording: [Self.recording(client: Self.sibling)], clients: clients)
    }
    #expect(Self.found(world(["chrome", "chrome"])) == [.began(.microphone)])
    #expect(Self.found(world(["chrome", "recorder"])).isEmpty)
  }

  @Test("the program that we are in may record and play with connections of its own, and has no call by that")
  func ownProgram() {
    func world(_ recorder: String) -> AudioWorld {
      let clients = [(Self.us, "game"), (Self.them, "game"), (Self.sibling, recorder)].map { client, name in
        AudioClient(index: client, name: name, properties: ["application.process.id": "77"])
      }
      let effects = [Self.input(client: Self.them), Self.input(client: Self.sibling, index: 8)]
      return Self.world(effects, recording: [Self.recording(client: Self.sibling)], clients: clients)
    }
    #expect(Self.found(world("game")).isEmpty)
    #expect(Self.found(world("telephone")) == [.began(.microphone)])
  }

  @Test("the microphone's policy is a setting")
  func microphonePolicy() {
    var settings = SessionSettings()
    settings.microphone = .always
    #expect(
      Self.found(Self.world(recording: [Self.recording()]), settings: settings) == [.began(.microphone)])
    settings.microphone = .ignore
    #expect(Self.found(Self.world([Self.input()], recording: [Self.recording()]), settings: settings).isEmpty)
  }

  @Test("each role does what it was set to", arguments: WatchedRole.allCases)
  func roles(role: WatchedRole) {
    let world = Self.world([Self.input(role.rawValue)])
    let source = Interruption.Source(role)
    var settings = SessionSettings()
    #expect(Self.found(world) == (role == .phone ? [.began(.call)] : []))
    settings.roles[role] = .pause
    #expect(Self.found(world, settings: settings) == [.began(source)])
    settings.roles[role] = .duck
    #expect(Self.found(world, settings: settings) == [.duckBegan(source)])
    settings.roles[role] = .ignore
    #expect(Self.found(world, settings: settings).isEmpty)
  }

  @Test("only differences are told, beginnings before ends, and the quiet at last")
  func differences() {
    var watcher = CallWatcher()
    let call = Self.world([Self.input("phone")])
    let talk = Self.world([Self.input()], recording: [Self.recording()])
    #expect(watcher.handle(call, ownClient: Self.us) == [.began(.call)])
    #expect(watcher.handle(call, ownClient: Self.us).isEmpty)
    #expect(
      watcher.handle(talk, ownClient: Self.us) == [.began(.microphone), .ended(.call), .rolesWentQuiet])
    #expect(watcher.handle(Self.world(), ownClient: Self.us) == [.ended(.microphone)])
    #expect(watcher.handle(Self.world([Self.input("event")]), ownClient: Self.us).isEmpty)
    #expect(watcher.serverLost() == [.rolesWentQuiet])
    #expect(watcher.serverLost().isEmpty)
  }

  @Test("a stream on its way from one sink to another goes on; one that never sounded does not begin there")
  func relinked() {
    var watcher = CallWatcher()
    let away = Self.world([Self.input("phone", sink: nil, isCorked: true)])
    #expect(watcher.handle(away, ownClient: Self.us).isEmpty)
    #expect(watcher.handle(Self.world([Self.input("phone")]), ownClient: Self.us) == [.began(.call)])
    #expect(watcher.handle(away, ownClient: Self.us).isEmpty)
    #expect(watcher.handle(Self.world([Self.input("phone")]), ownClient: Self.us).isEmpty)
    #expect(watcher.handle(away, ownClient: Self.us).isEmpty)
    #expect(watcher.handle(Self.world(), ownClient: Self.us) == [.ended(.call), .rolesWentQuiet])
    #expect(watcher.handle(away, ownClient: Self.us).isEmpty)
  }

  @Test("on PipeWire a stream that looks corked has a moment to come back, on PulseAudio none")
  func grace() {
    func events(_ server: String) -> [[SessionEvent]] {
      var watcher = CallWatcher()
      return [(false, 0), (true, 50), (false, 60), (true, 9_000), (true, 9_099), (true, 9_100)].map {
        isCorked, time in
        var world = Self.world([Self.input("phone", isCorked: isCorked)])
        world.server.name = server
        return watcher.handle(world, ownClient: Self.us, at: .milliseconds(time))
      }
    }
    let over: [SessionEvent] = [.ended(.call), .rolesWentQuiet]
    #expect(events("PulseAudio (on PipeWire 1.0)") == [[.began(.call)], [], [], [], [], over])
    #expect(events("pulseaudio") == [[.began(.call)], over, [.began(.call)], over, [], []])
  }

  @Test("on PipeWire a stream that was moved has a second to be heard on its new sink")
  func moved() {
    var watcher = CallWatcher()
    func events(sink: UInt32?, isCorked: Bool = true, at time: Int) -> [SessionEvent] {
      var world = Self.world([
        Self.input("phone", sink: sink.map { .init(rawValue: $0) }, isCorked: isCorked)
      ])
      world.server.name = "PulseAudio (on PipeWire 1.0)"
      return watcher.handle(world, ownClient: Self.us, at: .milliseconds(time))
    }
    #expect(events(sink: 1, isCorked: false, at: 0) == [.began(.call)])
    #expect(events(sink: nil, at: 5_000).isEmpty && events(sink: 2, at: 5_999).isEmpty && watcher.hasDoubt)
    #expect(events(sink: 2, isCorked: false, at: 6_000).isEmpty && !watcher.hasDoubt)
    // Nothing has changed for a minute, so nothing was read.
    #expect(events(sink: 3, at: 66_000).isEmpty && watcher.hasDoubt)
    #expect(events(sink: 3, at: 66_999).isEmpty)
    #expect(events(sink: 3, at: 67_000) == [.ended(.call), .rolesWentQuiet])
  }

  @Test(
    "on PipeWire a recording that goes to another microphone has a second to run there, and one that ends has none"
  )
  func otherMicrophone() {
    func events(_ server: String) -> [[SessionEvent]] {
      var watcher = CallWatcher()
      return [(false, 0), (true, 500), (false, 900), (true, 60_000), (true, 61_000)].map { isCorked, time in
        var world = Self.world([Self.input()], recording: [Self.recording(isCorked: isCorked)])
        world.server.name = server
        return watcher.handle(world, ownClient: Self.us, at: .milliseconds(time))
      }
    }
    let began: [SessionEvent] = [.began(.microphone)]
    #expect(events("PulseAudio (on PipeWire 1.0)") == [began, [], [], [], [.ended(.microphone)]])
    #expect(
      events("pulseaudio") == [began, [.ended(.microphone)], began, [.ended(.microphone)], []])
    var watcher = CallWatcher()
    var world = Self.world([Self.input()], recording: [Self.recording()])
    world.server.name = "PulseAudio (on PipeWire 1.0)"
    _ = watcher.handle(world, ownClient: Self.us)
    world.sourceOutputs = []
    #expect(watcher.handle(world, ownClient: Self.us) == [.ended(.microphone)] && !watcher.hasDoubt)
  }

  @Test("on PipeWire a recording without a source hears another program, and is looked at once more")
  func recordingOfAProgram() {
    var watcher = CallWatcher()
    func events(hasSource: Bool, at time: Int) -> [SessionEvent] {
      var world = Self.world([Self.input()], recording: [Self.recording(hasSource: hasSource)])
      world.server.name = "PulseAudio (on PipeWire 1.0)"
      return watcher.handle(world, ownClient: Self.us, at: .milliseconds(time))
    }
    #expect(events(hasSource: false, at: 0) == [] && watcher.hasDoubt)
    #expect(events(hasSource: false, at: 100) == [] && !watcher.hasDoubt)
    #expect(events(hasSource: true, at: 200) == [.began(.microphone)])
    // On its way from one microphone to another, it has a second.
    #expect(events(hasSource: false, at: 300) == [] && watcher.hasDoubt)
    #expect(events(hasSource: false, at: 1_300) == [.ended(.microphone)] && !watcher.hasDoubt)
  }

  @Test("a cork for a call during which the music is to go on is unwanted")
  func unwantedCork() {
    func events(_ policy: RolePolicy, _ roles: String...) -> [SessionEvent] {
      var settings = SessionSettings()
      settings.roles[.phone] = policy
      var watcher = CallWatcher(settings: settings)
      let others = roles.enumerated().map { Self.input($1, index: UInt32(10 + $0)) }
      return watcher.handle(Self.world(others), ownClient: Self.us, isAfterCork: true)
    }
    #expect(events(.duck, "phone") == [.duckBegan(.call), .corkUnwanted])
    #expect(events(.ignore, "phone") == [.corkUnwanted])
    #expect(events(.pause, "phone") == [.began(.call)])
    #expect(events(.ignore, "phone", "music") == [.corkUnwanted])
    #expect(events(.ignore, "game").isEmpty && events(.ignore, "phone", "game").isEmpty)
  }

  @Test("a cork whose call was over before it was seen is over; one for a role that is not watched is not")
  func unseenCall() {
    func events(isMuted: Bool, _ others: [SinkInput]) -> [SessionEvent] {
      var watcher = CallWatcher()
      let own = Self.input(client: Self.us, isMuted: isMuted, index: 4)
      return watcher.handle(
        Self.world([own] + others), ownClient: Self.us, ownInputs: [own.index], isAfterCork: true)
    }
    #expect(events(isMuted: true, []) == [.rolesWentQuiet])
    #expect(
      events(isMuted: true, [Self.input(), Self.input("game", isCorked: true, index: 7)]) == [.rolesWentQuiet]
    )
    #expect(events(isMuted: true, [Self.input("game")]).isEmpty)
    #expect(events(isMuted: false, [Self.input("game")]) == [.rolesWentQuiet])
    #expect(events(isMuted: true, [Self.input("phone")]) == [.began(.call)])
  }

  @Test("a cork for a role that is not watched ends with the last stream of such a role")
  func otherRole() {
    var watcher = CallWatcher()
    func events(_ others: [SinkInput], isAfterCork: Bool = false) -> [SessionEvent] {
      let own = Self.input(client: Self.us, isMuted: true, index: 4)
      return watcher.handle(
        Self.world([own] + others), ownClient: Self.us, ownInputs: [own.index], isAfterCork: isAfterCork)
    }
    let (alarm, second, music) = (
      Self.input("alarm"), Self.input("alarm", index: 7), Self.input("music", index: 8)
    )
    #expect(events([alarm, music]).isEmpty && events([]).isEmpty, "nobody was corked for it")
    #expect(events([alarm, second, music], isAfterCork: true).isEmpty)
    #expect(events([second, music]).isEmpty)
    #expect(events([music]) == [.rolesWentQuiet])
    #expect(events([music]).isEmpty)
  }

  @Test("a call that is seen with the end of another one begins; a second one beside the first does not")
  func nextCall() {
    var watcher = CallWatcher()
    let (one, two) = (Self.input("phone"), Self.input("phone", index: 7))
    #expect(watcher.handle(Self.world([one]), ownClient: Self.us) == [.began(.call)])
    #expect(watcher.handle(Self.world([two]), ownClient: Self.us) == [.began(.call)])
    #expect(watcher.handle(Self.world([one, two]), ownClient: Self.us).isEmpty)
    #expect(watcher.handle(Self.world([one]), ownClient: Self.us).isEmpty)
    var played = Played(playing: true)
    played.send(.began(.call), .began(.call))
    #expect(played.began == [.call])
    played.send(.userPlays, .began(.call))
    #expect(!played.session.isSounding)
  }

  @Test("a policy that changes in mid-call takes over without a gap")
  func settingsChange() {
    var watcher = CallWatcher()
    let call = Self.world([Self.input("phone")])
    _ = watcher.handle(call, ownClient: Self.us)
    watcher.settings.roles[.phone] = .duck
    #expect(watcher.handle(call, ownClient: Self.us) == [.duckBegan(.call), .ended(.call)])
  }
}
