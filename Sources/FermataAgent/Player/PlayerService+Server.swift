// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import PlaybackLogic
import PulseIO

// Turns what the sound server and the engine report into events for the values that decide.
extension PlayerService {
  func take(_ event: PulseServer.Event) {
    switch event {
    case .connected:
      lastServerError = nil
      tell(RouteEvent.serverFound(makesStream: false))
      read(for: .calls)
    case .disconnected(let error, _):
      lastServerError = error.reason
      readings.forget()
      output = OutputLevel()
      tell(watcher.serverLost())
      tell(RouteEvent.serverLost)
    case .changed(let facility, let kind, let index): changed(facility, kind, index)
    }
  }

  private func changed(_ facility: PulseServer.Facility, _ kind: PulseServer.ChangeKind, _ index: UInt32) {
    switch facility {
    case .sink: tell(RouteEvent.sink(RouteEvent.Change(kind), Sink.Index(rawValue: index)))
    case .card: tell(RouteEvent.card(RouteEvent.Change(kind), Card.Index(rawValue: index)))
    case .server: tell(RouteEvent.serverChanged)
    case .sinkInput:
      if index == engine.stream?.index?.rawValue { tell(RouteEvent.streamChanged) }
      read(for: .calls)
    case .sourceOutput: read(for: .calls)
    }
  }

  // MARK: The world

  func read(for reader: WorldReadings.Reader) { if readings.want(reader) { read() } }

  private func read() {
    let (readers, mark) = (readings.begin(), volume.mark)
    AgentLoop.task { [weak self, server] in
      let world = try? await server.readWorld()
      self?.finished(world, for: readers, mark)
    }
  }

  private func finished(_ world: AudioWorld?, for readers: Set<WorldReadings.Reader>, _ mark: Int?) {
    if let world { take(world, for: readers, mark) }
    let failed = world == nil && server.isConnected
    if failed { for reader in readers { _ = readings.want(reader) } }
    if readings.end(), server.isConnected { read() }
  }

  private func take(_ world: AudioWorld, for readers: Set<WorldReadings.Reader>, _ mark: Int?) {
    let own = engine.stream?.index
    output.look(at: world, ownInput: own)
    if let own, let input = world.sinkInput(own) { look(at: input, mark) }
    let client = own.flatMap { world.sinkInput($0)?.client }
    let events = watcher.handle(
      world, ownClient: client, ownInputs: own.map { [$0] } ?? [], isAfterCork: readers.contains(.cork),
      at: AgentLoop.now)
    if !events.isEmpty { note("streams: " + Evidence.others(in: world, own: own)) }
    tell(events)
    if watcher.hasDoubt { lookAgain() }
    if readers.contains(.route) { tell(RouteEvent.world(world, ownInput: own)) }
  }

  private func lookAgain() {
    guard secondLook == nil else { return }
    secondLook = AgentLoop.after(CallWatcher.grace) { [weak self] in
      self?.secondLook = nil
      self?.read(for: .calls)
    }
  }

  /// Looks at our stream as the server reports it: somebody may have muted it, or moved its volume.
  private func look(at input: SinkInput, _ mark: Int?) {
    tell(.session(.ownMute(input.isMuted)))
    guard let fraction = input.volume else { return }
    if input.index != knownStream, engine.volume != nil { volume.streamMade(at: AgentLoop.now) }
    knownStream = input.index
    let before = volume.user
    switch volume.observe(fraction, mark, at: AgentLoop.now) {
    case .asTold: engine.volume = volume.stream
    case .moved:
      engine.volume = volume.stream
      // If somebody undoes a ducking in a mixer, the volume that the listener wants has not changed.
      guard volume.user != before else { return }
      news(.volume(volume.user))
      turnEnded()
    case .foreign: applyVolume()
    case .doubtful(let again): if again { _ = readings.want(.calls) }
    }
  }

  // MARK: The engine

  func take(_ report: SoundEngine.Report) {
    switch report {
    case .opened(let play, let length, let isExact): opened(play, length, isExact: isExact)
    case .position(let play, let place, let isMoving):
      tell(.sound(.position(play: play, place, isMoving: isMoving)))
    case .progressed: progressed()
    case .heard(let play): tell(.sound(.heard(play: play)))
    case .ended(let play): tell(.sound(.ended(play: play)))
    case .failed(let play, let error): tell(.sound(.failed(play: play, reason: error.reason)))
    case .stalled: break  // the session notices it, because no progress is reported
    case .stream(let event): take(event)
    }
  }

  /// Reports progress, but not while the output is suspended: requests that the server made before suspending it are answered only
  /// then, and that is no progress.
  private func progressed() {
    if engine.stream?.isSuspended != true { tell(.session(.progressed)) }
  }

  private func take(_ event: PlaybackStream.Event) {
    switch event {
    case .ready: streamIsReady()
    case .started: progressed()
    case .underflow: break
    case .moved(let sink): tell(RouteEvent.moved(to: sink))
    case .suspended(let isSuspended): tell(.session(isSuspended ? .began(.suspend) : .ended(.suspend)))
    case .corkRequested:
      tell(.session(.began(.cork)))
      read(for: .cork)
    case .uncorkRequested: tell(.session(.ended(.cork)))
    case .ended(let error):
      // The route event comes first, because it may call for silence: at `streamLost` the player makes a new stream as soon as it
      // may.
      tell(RouteEvent.streamEnded(killed: error.code == .killed))
      if error.code != .killed, server.isConnected {
        lastServerError = error.reason
        tell(.session(.streamRefused))
      }
      tell(.sound(.streamLost))
    }
  }

  /// Reads the mute of a new stream: one that was made during a call is muted, and no event says so.
  private func streamIsReady() {
    tell(.session(.streamMade))
    tell(RouteEvent.streamReady)
    guard let stream = engine.stream else { return }
    AgentLoop.task { [weak self, server] in
      guard let input = try? await stream.readSinkInput() else { return }
      let kind = (try? await server.readWorld(readings: 1))?.server.kind
      self?.tell(.session(.streamReady(isMuted: input.isMuted, serverCorks: kind == .pulseAudio)))
    }
  }
}

extension RouteEvent.Change {
  fileprivate init(_ kind: PulseServer.ChangeKind) {
    switch kind {
    case .new: self = .new
    case .changed: self = .changed
    case .removed: self = .removed
    }
  }
}
