// SPDX-License-Identifier: MIT
import AudioModel

/// Finds the streams of other programs whose private device, such as headphones, is gone, by comparing each reading of the sound server with the one
/// before. The rules are those for our own stream (`Comparison`).
///
/// A value without side effects. Our own stream is silenced until it is clear what happened, but other programs' streams can't be. So a loss is
/// reported with the first reading that shows it, unless the device may be back at once under another profile or port.
struct LossWatch: Sendable {
  /// A stream that has lost its device.
  struct Loss: Sendable, Equatable {
    let stream: SinkInput
    let program: StreamProgram
    /// Whether the stream was playing, and not paused.
    let isRunning: Bool
    /// The device that the stream played on.
    let route: Route
  }

  /// What the last reading of the sound server told of one stream.
  private struct Known {
    var settled: Settled
    var isRunning: Bool
    /// Since when the stream's device has been gone, while it may still come back.
    var goneSince: Duration?
    /// The last output that the stream moved away from, and when. The move looked like somebody's choice, but may turn out to be a loss.
    var departure: (from: Settled, at: Duration)?
  }

  /// When something is plugged in or pulled out, the ports of its jack may change one after another within this time.
  private static let jackSettling = Duration.milliseconds(50)
  /// If a device goes within this time after a stream left it, the stream left because of the loss.
  private static let departure = Duration.milliseconds(100)
  /// How long PipeWire takes at most to link a stream that is new or has lost its link; mostly it takes ten milliseconds.
  private static let linking = Duration.milliseconds(100)

  /// When the sound server has to be read again, even if it reports nothing until then; nil if it needn't.
  private(set) var due: Duration?
  private var latest: AudioWorld?
  /// When the sound server has to be read again, because a stream whose moves it does not report may be on its way to another output.
  private var arrival: Duration?
  private var recent = RecentArrivals()
  /// When all built-in cards went together, if that has happened.
  private var managerEnded: Duration?
  private var streams: [SinkInput.Index: Known] = [:]

  /// Compares a reading of the sound server with the one before, and returns the streams that it shows to have lost their device. Each loss is
  /// returned once.
  mutating func handle(_ world: AudioWorld, own: SinkInput.Index?, at now: Duration) -> [Loss] {
    if let latest {
      recent.note(from: latest, to: world, at: now)
      if world.hasLostManager(since: latest) { managerEnded = now }
    }
    let others = ForeignStreams(in: world, own: own)
    if let arrival, arrival <= now { self.arrival = nil }
    if mayMoveUnseen(others, in: world) { arrival = now + Self.linking }
    due = arrival
    let before = streams
    streams = [:]
    var losses: [Loss] = []
    for stream in others.players {
      var reading = Reading(world: world, ownInput: stream.index)
      reading.takesFiltersAsEnd = isHeardAtHiddenPlace(stream, before[stream.index], in: world)
      guard var known = before[stream.index] else {
        let place = firstPlace(reading, tellsMoves: others.tellsMoves)
        streams[stream.index] = Known(
          settled: Settled(place: place, stream: stream.index), isRunning: !stream.isCorked)
        continue
      }
      if !others.tellsMoves { rectify(&known, reading) }
      // PipeWire shows a stream as corked that has no link, or that is linked to another sink and does not run there yet.
      let isOnItsWay = !others.tellsMoves && stream.isCorked && stream.sink != known.settled.place?.entrance
      if stream.sink != nil, !isOnItsWay { known.isRunning = !stream.isCorked }
      if let place = judge(&known, reading, at: now) {
        losses.append(
          Loss(
            stream: stream, program: StreamProgram(of: stream, in: world), isRunning: known.isRunning,
            route: place.route))
      }
      streams[stream.index] = known
    }
    latest = world
    return losses
  }

  /// Forgets everything, because the server is gone and its index numbers mean nothing any more.
  mutating func forget() { self = LossWatch() }

  /// Whether the sound server has to be read again now. Returns true once for each time that `due` is reached.
  mutating func takeDue(at now: Duration) -> Bool {
    guard let due, due <= now else { return false }
    self.due = nil
    return true
  }

  /// Compares a reading with what is known of one stream. Returns the sink and port that the stream has lost; nil if it lost none, or if the loss was
  /// reported already.
  private mutating func judge(_ known: inout Known, _ reading: Reading, at now: Duration) -> SinkPort? {
    let destination = Destination(reading)
    let place = known.settled.place
    if let departure = known.departure, hasLost(departure, reading, at: now) {
      lose(&known, destination)
      return departure.from.place
    }
    switch verdict(known, reading, at: now) {
    case .lost, .noOutput(lost: true):
      if isAwaitingJack(known, reading, at: now) {
        awaitReturn(&known, within: Self.jackSettling, at: now)
        return nil
      }
      lose(&known, destination)
      return place
    case .mayReturn
    where isSwitchedOff(place, reading.world) || isHeardElsewhere(place, destination, reading.world):
      lose(&known, destination)
      return place
    case .mayReturn(let patience): awaitReturn(&known, within: patience, at: now)
    case .unlinked: known.goneSince = nil
    case .changed(let reason): settle(&known, destination, leaving: isChoice(reason) ? now : nil)
    case .quiet, .noOutput(lost: false): settle(&known, destination, leaving: nil)
    }
    return nil
  }

  /// Whether the stream plays to a filter, and neither this reading nor the last one shows to which sink that plays on. Then the filter counts as the
  /// stream's place, unless an earlier reading has shown a device behind it: that device stays the stream's place.
  private func isHeardAtHiddenPlace(_ stream: SinkInput, _ known: Known?, in world: AudioWorld) -> Bool {
    guard let sink = stream.sink.flatMap(world.sink) else { return false }
    let isBehind = known?.settled.place.map { $0.entrance == sink.index && $0.sink != sink.index } ?? false
    return !isBehind && world.path(from: sink).isBroken && latest?.sinkInput(stream.index)?.sink == sink.index
  }

  /// Whether a card that has lost its sink will not make another one soon: it is switched off, or its headset is out of reach.
  private func isSwitchedOff(_ place: SinkPort?, _ world: AudioWorld) -> Bool {
    guard let card = place?.card.flatMap(world.card) else { return false }
    return card.activeProfile == "off" || card.properties["api.bluez5.connection"] == "disconnected"
  }

  /// Whether the stream can be heard at another device while its own device is away because the session manager has ended.
  private func isHeardElsewhere(_ place: SinkPort?, _ destination: Destination, _ world: AudioWorld) -> Bool {
    guard let place, Condition(of: place, in: world) == .removed else { return false }
    return destination.place != nil
  }

  private func verdict(_ known: Known, _ reading: Reading, at now: Duration) -> Verdict {
    let began = known.goneSince ?? now
    return Comparison(
      old: known.settled, reading: reading, recent: recent, began: began, waited: now - began,
      // What goes later is not what went with the session manager.
      isWithoutManager: managerEnded == began
    ).verdict()
  }

  private func isChoice(_ reason: RouteChange.Reason) -> Bool {
    reason == .override || reason == .routeConfigurationChange
  }

  /// Whether the output that the stream has just left is gone. The server's lists are read one after another, so the stream may be seen elsewhere
  /// before its device is seen to be gone.
  private func hasLost(
    _ departure: (from: Settled, at: Duration), _ reading: Reading, at now: Duration
  ) -> Bool {
    guard now - departure.at <= Self.departure else { return false }
    let verdict = Comparison(
      old: departure.from, reading: reading, recent: recent, began: departure.at, waited: .zero
    ).verdict()
    return verdict == .lost || verdict == .noOutput(lost: true)
  }

  /// Whether to wait a little before the device counts as lost: its jack has several ports, such as headphones and headset, and it may turn out that
  /// another one of them is plugged in now.
  private func isAwaitingJack(_ known: Known, _ reading: Reading, at now: Duration) -> Bool {
    guard let place = known.settled.place, let group = place.port?.availabilityGroup, !group.isEmpty,
      let sink = reading.world.sink(place.sink)
    else { return false }
    let shared = sink.ports.filter { $0.availabilityGroup == group && $0.kind != .speaker }
    return shared.count > 1 && now - (known.goneSince ?? now) < Self.jackSettling
  }

  private mutating func awaitReturn(_ known: inout Known, within patience: Duration, at now: Duration) {
    let since = known.goneSince ?? now
    known.goneSince = since
    due = min(due ?? since + patience, since + patience)
  }

  /// Notes that a stream's loss of its device is reported. Changes that follow from it are not reported as further losses.
  private func lose(_ known: inout Known, _ destination: Destination) {
    let new = destination.place
    let isElsewhere = new.map { new in known.settled.place.map { !new.isSame(as: $0) } ?? true } ?? false
    let place = isElsewhere ? new : known.settled.place
    known.settled = Settled(place: place, stream: known.settled.stream, isLost: isElsewhere ? nil : true)
    known.goneSince = nil
    known.departure = nil
  }

  private func settle(_ known: inout Known, _ destination: Destination, leaving now: Duration?) {
    if let now { known.departure = (known.settled, now) }
    known.settled = Settled(place: destination.place, stream: known.settled.stream)
    known.goneSince = nil
  }

  // MARK: Streams whose moves nobody reports

  /// Whether a stream is about to be linked to an output, and the server would not report it: it has lost its link since the last reading, or is new,
  /// or another output is the default now. A stream that stays without a link is not waited for.
  private func mayMoveUnseen(_ others: ForeignStreams, in world: AudioWorld) -> Bool {
    guard !others.tellsMoves else { return false }
    let isOtherDefault = latest.map { $0.server.defaultSink != world.server.defaultSink } ?? false
    return others.players.contains { stream in
      let before = latest?.sinkInput(stream.index)
      return isOtherDefault || stream.sink == nil && (before == nil || before?.sink != nil)
    }
  }

  /// The output of a stream that is new, as it was not there when the sound server was last read.
  ///
  /// PipeWire links a new stream a moment after it is there, mostly to the default output, and may not report the link. So until the next reading,
  /// which may be the one that shows a loss, the default output is the best guess. The sink that stands in where there is no output is none: nobody
  /// hears it, so nothing is lost with it.
  private func firstPlace(_ reading: Reading, tellsMoves: Bool) -> SinkPort? {
    switch Destination(reading) {
    case .at(let place): return place
    case .noOutput: return nil
    case .unlinked:
      guard !tellsMoves, let usual = reading.world.sink(named: reading.world.server.defaultSink),
        !usual.isNullFallback
      else { return nil }
      return SinkPort(endOf: reading.world.path(from: usual), in: reading.world)
    }
  }

  /// Corrects the place (output and port) where a stream is known to play, for a stream whose moves the server does not report: it may have been
  /// moved since the last reading.
  ///
  /// If its known place is still there and the stream is elsewhere, it was moved to the new place earlier. If its known place is still there and the
  /// stream is linked to nothing, it had been moved to a place that is gone now, because PipeWire unlinks the streams of a device that goes. If its
  /// known place is gone, that place is what it lost, even if the stream has been linked elsewhere by now.
  private func rectify(_ known: inout Known, _ reading: Reading) {
    guard let latest, !known.settled.isLost, let place = known.settled.place,
      Condition(of: place, in: reading.world) == .intact,
      // Where the filter before it is gone, the stream did not leave by itself.
      reading.world.sink(place.entrance) != nil
    else { return }
    switch Destination(reading) {
    case .at(let new):
      guard new.sink != place.sink, let before = latest.sink(new.sink) else { return }
      let filter = new.entrance == new.sink ? nil : latest.sink(new.entrance)
      known.settled = Settled(
        place: SinkPort(before, through: filter, in: latest), stream: known.settled.stream)
    case .unlinked:
      guard let gone = placeGone(reading.world) else { return }
      known.settled = Settled(place: gone, stream: known.settled.stream)
    case .noOutput: return
    }
  }

  /// A private output, such as headphones, that was there at the last reading and is gone now; nil if there is none.
  private func placeGone(_ world: AudioWorld) -> SinkPort? {
    latest.flatMap { latest in
      latest.sinks.lazy.map { SinkPort($0, in: latest) }.first { place in
        place.isExternal && !place.isUnplugged && Condition(of: place, in: world) != .intact
      }
    }
  }
}

/// The streams of other programs in one reading of the sound server.
struct ForeignStreams {
  private let world: AudioWorld
  private let own: SinkInput.Index?
  private let ownClient: AudioClient.Index?
  /// The program that we are in. It may have other connections, which are not another program's.
  private let ownProgram: StreamProgram?

  init(in world: AudioWorld, own: SinkInput.Index?) {
    self.world = world
    self.own = own
    let client = world.ownClient ?? own.flatMap(world.sinkInput)?.client
    ownClient = client
    ownProgram = client.map { StreamProgram(of: $0, in: world) }
  }

  /// The streams that may belong to a player. Streams without a client are left out: they are the server's own, such as one that carries sound from
  /// one device to another. Streams with a role of `WatchedRole` are left out too: they are calls or short sounds, and must not be paused. So are all
  /// streams of a program whose player pauses by itself, and knows better whether it should.
  var players: [SinkInput] {
    let selfGuarded = world.sinkInputs.filter { $0.properties[StreamProgram.selfGuardedKey] != nil }
      .map { StreamProgram(of: $0, in: world) }
    return world.sinkInputs.filter { stream in
      guard isForeign(stream), stream.watchedRole == nil else { return false }
      return selfGuarded.isEmpty
        || !selfGuarded.contains { $0.isSame(as: StreamProgram(of: stream, in: world)) }
    }
  }

  /// Whether one of the other programs' streams is heard. Some programs keep a stream running without sound; it counts, since its silence can't be
  /// seen.
  var areHeard: Bool {
    world.sinkInputs.contains { isForeign($0) && !$0.isCorked && !$0.isMuted && $0.sink != nil }
  }

  /// The programs that have a call: they play a stream with the role `phone`, or record a microphone.
  var callers: [StreamProgram] {
    let phones = world.sinkInputs.filter { isForeign($0) && $0.watchedRole == .phone }
    let recordings = world.microphoneRecordings(notBy: ownProgram).filter(\.isRunning)
    return phones.map { StreamProgram(of: $0, in: world) }
      + recordings.map { StreamProgram(of: $0, in: world) }
  }

  private func isForeign(_ stream: SinkInput) -> Bool {
    guard stream.client != nil, stream.index != own, stream.client != ownClient else { return false }
    return ownProgram.map { !StreamProgram(of: stream, in: world).isSame(as: $0) } ?? true
  }

  /// Whether the server always reports it when somebody moves a stream. PipeWire never does for its own clients, and from 1.6 on it does for PulseAudio's
  /// clients only if the stream or an output stops or starts by that.
  var tellsMoves: Bool { world.server.kind != .pipeWire }
}

extension AudioClient {
  /// Whether the program speaks PulseAudio's protocol, on PipeWire too.
  var isOfPulse: Bool { properties["client.api"] == "pipewire-pulse" }
}
