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
    isCorked: Bool = false,
    isMuted: Bool = false
  ) -> SinkInput {
    SinkInput(
      index: SinkInput.Index(rawValue: 5), client: client, sink: sink, isCorked: isCorked, isMuted: isMuted,
      properties: role.map { ["media.role": $0] } ?? [:])
  }

  private static func recording(
    client: AudioClient.Index? = them, hearsMonitor: Bool = false, isCorked: Bool = false,
    method: String = "",
    properties: [String: String] = [:]
  ) -> SourceOutput {
    SourceOutput(
      index: SourceOutput.Index(rawValue: 6), client: client, hearsMonitor: hearsMonitor, isCorked: isCorked,
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

  @Test("a policy that changes in mid-call takes over without a gap")
  func settingsChange() {
    var watcher = CallWatcher()
    let call = Self.world([Self.input("phone")])
    _ = watcher.handle(call, ownClient: Self.us)
    watcher.settings.roles[.phone] = .duck
    #expect(watcher.handle(call, ownClient: Self.us) == [.duckBegan(.call), .ended(.call)])
  }
}
