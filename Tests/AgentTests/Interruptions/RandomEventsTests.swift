// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("An agent in a lively house", .serialized, .realTime, .endsAnyway)
struct RandomEventsTests {
  @Test(
    "in 1,000 events nothing sounds that the user does not want, and what is wanted does",
    arguments: CallStage.Kind.desktops)
  func events(kind: CallStage.Kind) throws {
    // A seed of one's own, to have the same again.
    let given = getenv("FERMATA_SEED").flatMap { UInt64(String(cString: $0)) }
    let seed = given ?? UInt64.random(in: 0...UInt64.max)
    let house = try LivelyHouse(kind, seed: seed)
    do {
      for _ in 0..<1_000 { try house.happen() }
      try house.rest()
    } catch {
      Issue.record("seed \(seed): \(error)\n\(house.report)")
    }
    try house.stop()
  }
}

/// Headphones come and go, people call and press keys; and at rest the agent has to agree with the model.
private final class LivelyHouse {
  private enum Kind { case order, call, device, way }

  private let server: any SoundServer
  private let agent: AgentStage
  private let caller: BusCaller
  private var random: SeededGenerator
  private var model = WishModel()
  private var phones: [OtherStream] = []
  private var hasHeadphones = true
  /// What happened since the last rest, beyond orders: those are obeyed when they return.
  private var unsettled: Set<Kind> = []
  /// The user has not wanted music since the last rest, so none may be heard at any moment.
  private var isQuiet = true
  /// When headphones came or went that had gone or come before anybody could see what became of that.
  private var rattled: Duration?
  /// When headphones came or went last.
  private var lastPlug: Duration?
  private(set) var trail: [String] = []

  init(_ kind: CallStage.Kind, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    server = try kind.start(["speakers", "headphones"])
    agent = try AgentStage(server, isVerbose: true)
    caller = try BusCaller(on: agent.bus)
    let format = AudioFormat(rate: 8_000, channels: 1)
    let tone = WAVFile.bytes(Tone.sine(frames: 60 * 8_000, format), format)
    for name in ["one.wav", "two.wav", "three.wav"] {
      let path = try agent.folder.write(name, tone)
      try Child.run(.beside("fermata"), ["add", path], environment: agent.environment)
    }
    try Child.run(.beside("fermata"), ["repeat", "all"], environment: agent.environment)
    try play()
    try rest()
  }

  func stop() throws {
    phones = []
    try agent.stop()
  }

  /// What happened last, and what the agent says of it.
  var report: String {
    (trail.suffix(30) + [agent.agent.standardError.suffix(12_000).description]).joined(separator: "\n")
  }

  // MARK: What happens

  func happen() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: try play()
    case 5, 6: try order("Pause") { $0.pause() }
    case 7: try order("Stop") { $0.stop() }
    case 8, 9: try order("Next") { _ in }
    case 10, 11, 12: try ring()
    case 13, 14, 15, 16: try hasHeadphones ? unplug() : plug()
    case 17, 18: try move()
    default: try changeDefault()
    }
    if random.chance(30) { try rest() }
  }

  private func order(_ name: String, _ change: (inout WishModel) -> Void) throws {
    // An order before the agent knows of a loss or of a call is another one than after it.
    if model.isLost || (model.isWanted && name != "Next"), !unsettled.isEmpty { try rest() }
    trail.append(name)
    change(&model)
    try caller.order(name)
  }

  /// What Play means depends on what the agent has seen.
  private func play() throws {
    if !unsettled.isEmpty { try rest() }
    isQuiet = false
    try order("Play") { $0.play() }
  }

  private func ring() throws {
    if let last = phones.indices.last, phones.count == 2 || model.isOverruled || random.chance(50) {
      trail.append("a call ends")
      phones.remove(at: last)
      model.callEnds()
    } else {
      // One that follows another at once may be taken for the same; and whether it stops anything depends on what was lost.
      if unsettled.contains(.call) || (unsettled.contains(.device) && !isQuiet) { try rest() }
      trail.append("a call begins")
      phones.append(try phone())
      model.callBegins()
    }
    // With the end of a call music that is wanted goes on.
    if model.isWanted { isQuiet = false }
    unsettled.insert(.call)
  }

  /// PipeWire refuses a stream whose sink goes in the same moment: then they call again.
  private func phone() throws -> OtherStream {
    let deadline = Deadline.patient
    let silence = Tone.silence(frames: 441, CallStage.format)
    while true {
      do {
        return try server.play(silence, CallStage.format, properties: ["media.role": "phone"])
      } catch  where !deadline.hasPassed {
        trail.append("a call fails")
      }
    }
  }

  private func unplug() throws {
    // Whether that is a loss depends on where the sound goes, and on whether the agent knows.
    // PipeWire never plays a stream whose sink goes before it began.
    if model.isWanted || unsettled.contains(.call) { try rest() }
    // Where no stream of ours is linked while music is wanted, it depends on what was told of the default before.
    if model.isWanted, own(in: try server.control.world())?.sink == nil { return }
    let isOnIt = try isOnHeadphones()
    trail.append("unplug\(isOnIt ? ": a loss" : "")")
    if isOnIt { model.lose() }
    notePlug()
    hasHeadphones = false
    try server.unload(sink: "headphones")
    unsettled.insert(.device)
  }

  /// PipeWire moves streams some time after it was told to: the agent has to have seen it.
  private func isOnHeadphones() throws -> Bool {
    let deadline = Deadline.patient
    while true {
      let world = try server.control.world()
      guard let own = own(in: world), own.sink == world.sink(named: "headphones")?.index else { return false }
      let route = try caller.texts("Route", of: "org.fermata.Session1")
      if route.contains("headphones") || !model.isWanted { return true }
      if deadline.hasPassed {
        throw KitError("the agent does not see that it plays on the headphones: \(route)")
      }
      try rest()
    }
  }

  /// A busy server tells of a plug late. At rest the agent may not have heard of it yet, where it changed nothing for the music.
  private func notePlug() {
    let now = Monotonic.now
    if unsettled.contains(.device) || lastPlug.map({ now - $0 < .seconds(2) }) == true { rattled = now }
    lastPlug = now
  }

  private func plug() throws {
    trail.append("plug")
    notePlug()
    hasHeadphones = true
    try server.load(sink: "headphones")
    unsettled.insert(.device)
  }

  private func move() throws {
    let sink = hasHeadphones && random.chance(50) ? "headphones" : "speakers"
    guard let own = own(in: try server.control.world()) else { return }
    trail.append("move to \(sink)")
    // It may end while it is asked for.
    try? server.control.move(own.index, toSink: sink)
    unsettled.insert(.way)
  }

  private func changeDefault() throws {
    let sink = hasHeadphones && random.chance(50) ? "headphones" : "speakers"
    trail.append("default \(sink)")
    try server.control.setDefaultSink(sink)
    unsettled.insert(.way)
  }

  // MARK: The question

  /// Waits until the agent says, and the server has, what the model wants. Throws where that does not come.
  func rest() throws {
    let deadline = Deadline.patient
    while let difference = try difference() {
      if try isLateLoss() { model.lose() }
      if deadline.hasPassed { throw KitError("no rest: \(difference); the model: \(model)") }
    }
    trail.append("rest: \(model.state)")
    unsettled = []
    isQuiet = !model.isWanted
  }

  /// Played just after a plug that rattled, and that was found to be a loss only then: it is told when nothing has happened for a
  /// while, and whoever pauses is on the safe side. Nothing else may be found so late.
  private func isLateLoss() throws -> Bool {
    guard model.isWanted, let rattled, Monotonic.now - rattled < .seconds(2) else { return false }
    return try caller.texts("Why", of: "org.fermata.Player1")[0] == "route"
  }

  private func difference() throws -> String? {
    let status = try caller.status()
    if isQuiet, status == "Playing" { throw KitError("it plays, and nobody wants it") }
    guard status == model.status else { return "MPRIS says \(status)" }
    let state = try caller.texts("State", of: "org.fermata.Player1")[0]
    guard state == model.state else { return "the state is \(state)" }
    let why = try caller.texts("Why", of: "org.fermata.Player1")[0]
    if model.isLost, why != "route" { return "it is paused by \(why)" }
    // Nobody touches a mixer here: a mute is the server's own.
    if state == "playing", !why.isEmpty { return "it plays, and is not heard for \(why)" }
    let interruptions = try caller.texts("Interruptions", of: "org.fermata.Session1")
    guard interruptions.contains("call") == model.isInterrupted else {
      return "interruptions: \(interruptions)"
    }
    return try differenceOfSound()
  }

  private func differenceOfSound() throws -> String? {
    let world = try server.control.world()
    let own = own(in: world)
    guard model.sounds == (own.map { !$0.isCorked && !$0.isMuted } ?? false) else {
      return "our stream is \(own.map { "\($0)" } ?? "not there")"
    }
    let route = try caller.texts("Route", of: "org.fermata.Session1")
    // A stream that is silent is linked to nothing then: but what was lost has to have been seen.
    if !hasHeadphones, route.contains("headphones") { return "the route is still \(route)" }
    guard let sink = own?.sink.flatMap({ index in world.sinks.first { $0.index == index }?.name }) else {
      return model.sounds ? "our stream is linked to nothing" : nil
    }
    // What is left of an earlier stream would look like ours.
    return route.contains(sink) ? nil : "the route is \(route) and not \(sink); streams: \(world.sinkInputs)"
  }

  /// PipeWire keeps what is left of streams whose sink went while they were made: linked to nothing, for good.
  private func own(in world: AudioWorld) -> SinkInput? {
    let streams = world.sinkInputs.filter {
      $0.name != "another program's sound"
    }
    return streams.last { $0.sink != nil } ?? streams.last
  }
}
