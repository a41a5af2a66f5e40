// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("The guard of other players")
struct GuardTests {
  @Test("a player whose headphones are gone is asked, told once, and that is reported once")
  func paused() {
    var room = GuardRoom(["mpv": "usb"])
    room.lose("usb")
    #expect(room.asked == ["mpv"])
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    #expect(room.told == ["mpv"])
    room.send(.obeyed(":mpv", nil))
    #expect(room.reports.isEmpty)
    room.send(.status(":mpv", "Paused"))
    #expect(room.texts == ["mpv paused"])
    room.send(.status(":mpv", "Paused"))
    room.wait(5_000)
    #expect(room.texts == ["mpv paused"])
    #expect(room.told == ["mpv"])
    #expect(room.left == ["mpv"])
  }

  @Test("its own word that it plays, at the moment of its answer, is not the last one")
  func lateWord() {
    var room = GuardRoom(["chromium": "usb"])
    room.lose("usb")
    room.answer("chromium", PlayerAnswer(status: "Playing", canPause: true))
    room.send(.obeyed(":chromium", nil))
    room.send(.status(":chromium", "Playing"))
    #expect(room.reports.isEmpty)
    room.send(.status(":chromium", "Paused"), after: 13)
    #expect(room.texts == ["chromium paused"])
  }

  @Test("a stream that falls silent counts as well as the player's word")
  func silentStream() {
    var room = GuardRoom(["mpv": "usb"])
    room.lose("usb")
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    room.cork("mpv")
    #expect(room.reports.isEmpty)
    room.send(.obeyed(":mpv", nil))
    #expect(room.texts == ["mpv paused"])
  }

  @Test("who answers and plays on refuses")
  func playsOn() {
    var room = GuardRoom(["mpv": "usb"])
    room.lose("usb")
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    room.send(.obeyed(":mpv", nil))
    room.wait(1_000)
    #expect(room.reports.isEmpty)
    room.send(.status(":mpv", "Playing"))
    #expect(room.texts == ["mpv refused"])
  }

  @Test("an error, and the word that it can't: refused; of these only the first was told to pause")
  func refused() {
    var room = GuardRoom(["mpv": "usb", "vlc": "usb"])
    room.lose("usb")
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    room.answer("vlc", PlayerAnswer(status: "Playing", canPause: false))
    room.send(.obeyed(":mpv", .refused))
    #expect(room.texts == ["vlc refused", "mpv refused"])
    #expect(room.told == ["mpv"])
  }

  @Test("no answer to the question, none to the order, and one that leaves: silent, a second later at most")
  func silent() {
    var room = GuardRoom(["deaf": "usb", "mute": "usb", "gone": "usb"])
    room.lose("usb")
    room.answer("mute", PlayerAnswer(status: "Playing", canPause: true))
    room.answer("gone", PlayerAnswer(isGone: true))
    #expect(room.texts == ["gone silent"])
    room.wait(999)
    #expect(room.texts == ["gone silent"])
    room.wait(1)
    #expect(Set(room.texts) == ["gone silent", "deaf silent", "mute silent"])
    // When it comes round, it finds the order.
    #expect(room.told == ["mute", "deaf"])
    room.answer("deaf", PlayerAnswer(status: "Playing", canPause: true))
    room.send(.obeyed(":mute", nil))
    #expect(room.reports.count == 3)
  }

  @Test(
    "who says an excepted name in time is never told, however long the rest takes; nor who says none where some are excepted"
  )
  func exceptedByItsWord() {
    var room = GuardRoom(["odd": "usb", "busy": "usb", "deaf": "usb"], exceptions: ["Odd Player"])
    room.lose("usb")
    room.send(.identified(":odd", "Odd Player"))
    room.send(.identified(":busy", "Busy Player"))
    room.wait(1_000)
    #expect(room.told == ["busy"])
    #expect(Set(room.texts) == ["busy silent", "deaf silent"])
  }

  @Test("who is paused and does not answer is not told of")
  func pausedAndDeaf() {
    var room = GuardRoom(["deaf": "usb"])
    room.cork("deaf")
    room.lose("usb")
    room.wait(5_000)
    #expect(room.asked == ["deaf"] && room.told.isEmpty && room.texts.isEmpty)
  }

  @Test("without a name on the bus there is nobody to ask")
  func nameless() {
    var room = GuardRoom(["game": "usb"], nameless: ["game"])
    room.lose("usb")
    #expect(room.texts == ["game silent"])
    #expect(room.asked.isEmpty)
  }

  @Test("who says that it is paused: left alone if its stream is, asked all the same if it plays")
  func saysPaused() {
    var room = GuardRoom(["idle": "usb", "early": "usb"])
    room.cork("idle")
    room.lose("usb")
    room.answer("idle", PlayerAnswer(status: "Paused", canPause: true))
    room.answer("early", PlayerAnswer(status: "Stopped", canPause: true))
    #expect(room.told == ["early"])
    room.wait(5_000)
    #expect(room.texts == ["early silent"])
  }

  @Test("a call, a program that records, a name that is excepted, its identity, and our own: none is told")
  func exempt() {
    var room = GuardRoom(
      ["phone": "usb", "talk": "usb", "vlc": "usb", "odd": "usb", "fermata": "usb", "mpv": "usb"],
      exceptions: ["VLC", "Odd Player"])
    room.call("phone")
    room.record("talk")
    room.lose("usb")
    #expect(room.asked.sorted() == ["mpv", "odd"])
    room.answer("odd", PlayerAnswer(status: "Playing", canPause: true, identity: "odd player"))
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    #expect(room.told == ["mpv"])
    room.wait(5_000)
    #expect(room.texts == ["mpv silent"])
  }

  @Test("a microphone that goes with the headset was a call all the same")
  func microphoneGone() {
    var room = GuardRoom(["talk": "usb"])
    room.record("talk")
    room.step()
    room.stopRecording()
    room.lose("usb")
    #expect(room.asked.isEmpty)
    #expect(room.reports.isEmpty)
  }

  @Test("two streams of one player are one player; two players on two devices are two")
  func several() {
    var room = GuardRoom(["mpv": "usb", "cmus": "bluetooth"])
    room.addStream(of: "mpv", on: "usb")
    room.lose("usb")
    #expect(room.asked == ["mpv"])
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    room.send(.obeyed(":mpv", nil))
    room.send(.status(":mpv", "Paused"))
    room.lose("bluetooth")
    #expect(room.asked == ["mpv", "cmus"])
  }

  @Test("the next loss of the same player is one again")
  func again() {
    var room = GuardRoom(["mpv": "usb"])
    room.lose("usb")
    room.finish("mpv")
    room.wait(2_000)
    room.bringBack("usb")
    room.move("mpv", to: "usb")
    room.wait(2_000)
    room.lose("usb")
    room.finish("mpv")
    #expect(room.texts == ["mpv paused", "mpv paused"])
  }

  @Test("switched off it does nothing, and what is under way ends untold")
  func off() {
    var room = GuardRoom(["mpv": "usb"])
    room.lose("usb")
    room.send(.settings(GuardSettings(isOn: false)))
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    #expect(room.told.isEmpty)
    #expect(room.left == ["mpv"])
    room.wait(5_000)
    #expect(room.reports.isEmpty)
  }
}

@Suite("Music that is to be alone")
struct SoloTests {
  @Test(
    "who plays when it begins is asked once, told once, and that is reported once; who is paused is left alone",
    arguments: [true, false])
  func begins(isGuarding: Bool) {
    var room = GuardRoom(["mpv": "laptop", "vlc": "usb"])
    room.send(.settings(GuardSettings(isOn: isGuarding)))
    room.send(.musicBegan)
    #expect(room.asked == ["mpv", "vlc"])
    room.answer("vlc", PlayerAnswer(status: "Paused", canPause: true))
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: true))
    #expect(room.told == ["mpv"])
    room.step()
    room.send(.obeyed(":mpv", nil))
    #expect(room.reports.isEmpty)
    room.send(.status(":mpv", "Paused"))
    room.wait(5_000)
    #expect(room.reports == [GuardReport(player: "mpv", outcome: .paused, lost: nil)])
    #expect(room.reports.first?.reason == .solo)
    #expect(room.told == ["mpv"] && room.left.sorted() == ["mpv", "vlc"])
  }

  @Test("settings that change meanwhile and still want no guard change nothing")
  func settings() {
    var room = GuardRoom(["mpv": "laptop"])
    room.send(.settings(GuardSettings(isOn: false)))
    room.send(.musicBegan)
    room.send(.settings(GuardSettings(isOn: false, exceptions: ["vlc"])))
    room.finish("mpv")
    #expect(room.told == ["mpv"] && room.texts == ["mpv paused"])
  }

  @Test("each beginning asks anew, and none while the first is still under way")
  func again() {
    var room = GuardRoom(["mpv": "laptop"])
    room.send(.musicBegan)
    room.send(.musicBegan)
    #expect(room.asked == ["mpv"])
    room.finish("mpv")
    room.send(.musicBegan)
    room.finish("mpv")
    #expect(room.told == ["mpv", "mpv"])
  }

  @Test("a call, a name that is excepted, and who does not answer: none is told, and nothing is said of them")
  func exempt() {
    var room = GuardRoom(
      ["phone": "laptop", "talk": "laptop", "vlc": "laptop", "deaf": "laptop"], exceptions: ["VLC"])
    room.call("phone")
    room.record("talk")
    room.step()
    room.send(.musicBegan)
    #expect(room.asked == ["deaf"])
    room.wait(5_000)
    #expect(room.told.isEmpty && room.reports.isEmpty && room.left == ["deaf"])
  }

  @Test("who refuses is told as such, and another fermata is asked like any player")
  func refuses() {
    var room = GuardRoom(["fermata": "laptop", "mpv": "laptop"])
    room.send(.musicBegan)
    room.finish("fermata")
    room.answer("mpv", PlayerAnswer(status: "Playing", canPause: false))
    #expect(room.texts == ["fermata paused", "mpv refused"])
  }

  @Test("a device that is lost meanwhile is one pause for both reasons")
  func losesMeanwhile() {
    var room = GuardRoom(["mpv": "usb"])
    room.send(.musicBegan)
    room.lose("usb")
    #expect(room.asked == ["mpv"])
    room.finish("mpv")
    #expect(room.told == ["mpv"] && room.texts == ["mpv paused"])
    #expect(room.reports.map(\.reason) == [.oldDeviceUnavailable])
  }

  @Test("a thousand beginnings that nobody answers keep one search")
  func unanswered() {
    var guardian = Guard()
    var last: [GuardEffect] = []
    for number in 0..<1_000 { last = guardian.handle(.musicBegan, at: .milliseconds(number)) }
    #expect(last == [.find(1_000, processes: [])])
    let player = BusPlayer(busName: "org.mpris.MediaPlayer2.mpv", owner: ":1", process: 7)
    #expect(guardian.handle(.found(999, player.map { [$0] } ?? [], [:]), at: .seconds(1)).isEmpty)
    #expect(!guardian.handle(.found(1_000, player.map { [$0] } ?? [], [:]), at: .seconds(1)).isEmpty)
  }
}

/// Players on devices, a guard over them, and a bus that has all of them. Times are in milliseconds.
struct GuardRoom {
  private static let numbers = ["laptop": UInt32(0), "usb": 1, "bluetooth": 2]

  private struct Stream {
    let player: String
    let index: UInt32
    var device: String?
    var isCorked = false
  }

  private(set) var time = 0
  private(set) var asked: [String] = []
  private(set) var told: [String] = []
  private(set) var left: [String] = []
  private(set) var reports: [GuardReport] = []
  private var guardian = Guard()
  private var due: Int?
  private var streams: [Stream] = []
  private var roles: [String: String] = [:]
  private var recorder: String?
  private var devices: Set<String> = ["laptop", "usb", "bluetooth"]
  /// How often each device has come: a device that returns has another number.
  private var comings: [String: UInt32] = [:]
  private let names: [String]
  private let nameless: Set<String>

  /// Players by the device that each plays on.
  init(_ players: [String: String], exceptions: [String] = [], nameless: Set<String> = []) {
    names = players.keys.sorted()
    self.nameless = nameless
    for (number, name) in zip(1..., names) {
      streams.append(Stream(player: name, index: UInt32(number), device: players[name]))
    }
    send(.settings(GuardSettings(isOn: true, exceptions: exceptions)))
    step()
  }

  var texts: [String] { reports.map { "\($0.player) \($0.outcome)" } }

  // MARK: What happens

  /// A device goes, and its streams go to the laptop's loudspeakers.
  mutating func lose(_ device: String) {
    devices.remove(device)
    for at in streams.indices where streams[at].device == device { streams[at].device = "laptop" }
    step()
  }

  mutating func bringBack(_ device: String) {
    devices.insert(device)
    comings[device, default: 0] += 10
    step()
  }

  mutating func move(_ player: String, to device: String) {
    change(player) { $0.device = device }
    step()
  }

  mutating func cork(_ player: String, _ isCorked: Bool = true) {
    change(player) { $0.isCorked = isCorked }
    step()
  }

  mutating func call(_ player: String) { roles[player] = "phone" }
  mutating func record(_ player: String) { recorder = player }
  mutating func stopRecording() { recorder = nil }

  mutating func addStream(of player: String, on device: String) {
    streams.append(Stream(player: player, index: UInt32(streams.count + 1), device: device))
    step()
  }

  /// The player does what it was asked and told.
  mutating func finish(_ player: String) {
    answer(player, PlayerAnswer(status: "Playing", canPause: true))
    send(.obeyed(":\(player)", nil))
    send(.status(":\(player)", "Paused"))
  }

  mutating func answer(_ player: String, _ answer: PlayerAnswer) { send(.answered(":\(player)", answer)) }

  /// Reads the world.
  mutating func step() { send(.world(world, own: nil), after: 1) }

  mutating func wait(_ span: Int) {
    let end = time + span
    while let next = due, next <= end {
      due = nil
      time = next
      send(.timer)
    }
    time = end
  }

  mutating func send(_ event: GuardEvent, after span: Int = 0) {
    time += span
    for effect in guardian.handle(event, at: .milliseconds(time)) { take(effect) }
  }

  private mutating func take(_ effect: GuardEffect) {
    switch effect {
    case .readWorld: step()
    case .find(let number, _): send(.found(number, players, processes))
    case .ask(let player): asked.append(player.name)
    case .pause(let player): told.append(player.name)
    case .leave(let player): left.append(player.name)
    case .timer(let delay): due = time + Int(delay / .milliseconds(1))
    case .tell(let report): reports.append(report)
    case .readStatus: break
    }
  }

  private mutating func change(_ player: String, _ change: (inout Stream) -> Void) {
    for at in streams.indices where streams[at].player == player { change(&streams[at]) }
  }

  // MARK: What is there

  private func process(_ player: String) -> Int32 { Int32(100 + (names.firstIndex(of: player) ?? 0)) }

  private var players: [BusPlayer] {
    names.filter { !nameless.contains($0) }.compactMap {
      BusPlayer(busName: "org.mpris.MediaPlayer2.\($0)", owner: ":\($0)", process: process($0))
    }
  }

  private var processes: [Int32: ProcessRecord] {
    Dictionary(uniqueKeysWithValues: names.map { (process($0), ProcessRecord(id: process($0), parent: 1)) })
  }

  private func sink(_ device: String) -> Sink.Index {
    Sink.Index(rawValue: (Self.numbers[device] ?? 9) + (comings[device] ?? 0))
  }

  private var world: AudioWorld {
    var world = AudioWorld(server: AudioServer(name: "pulseaudio", version: "", defaultSink: "laptop"))
    for device in devices.sorted() {
      let card = Card.Index(rawValue: sink(device).rawValue)
      let port = Port(name: "out", kind: device == "laptop" ? .speaker : .headset)
      let bus = device == "laptop" ? "pci" : device
      world.cards.append(
        Card(index: card, name: device, activeProfile: "on", ports: [port], properties: ["device.bus": bus]))
      world.sinks.append(
        Sink(index: sink(device), name: device, card: card, ports: [port], activePort: "out"))
    }
    for name in names {
      world.clients.append(
        AudioClient(
          index: client(name), name: name, properties: ["application.process.id": "\(process(name))"]))
    }
    world.sinkInputs = streams.map { stream in
      SinkInput(
        index: SinkInput.Index(rawValue: stream.index), client: client(stream.player),
        sink: stream.device.map(sink), isCorked: stream.isCorked,
        properties: roles[stream.player].map { ["media.role": $0] } ?? [:])
    }
    if let recorder {
      world.sourceOutputs = [SourceOutput(index: SourceOutput.Index(rawValue: 1), client: client(recorder))]
    }
    return world
  }

  private func client(_ player: String) -> AudioClient.Index {
    AudioClient.Index(rawValue: UInt32(process(player)))
  }
}
