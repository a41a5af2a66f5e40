// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
import FileIO
package import MediaModel
import PadModel
package import PlaybackLogic
package import PulseIO

/// Plays the pads: carries out what `PadSession` decides, on a stream of their own beside the music's.
///
/// Owns the kit, the mixer and the stream. Nothing is loaded and no timer runs before somebody uses the pads. Loop only; `stop` ends it.
@AgentLoop
package final class PadService {
  /// Called when another kit was loaded, when a volume was set, and when hits begin or cease to be refused. It may be called when nothing has changed.
  var changed: @AgentLoop () -> Void = {}

  /// The kit that is loaded; nil before the pads were used, and if the remembered kit cannot be loaded.
  private(set) var kit: LoadedKit?
  private var session = PadSession()
  private var mixer: PadMixer?
  private var memory = PadMemory()
  private var stream: PlaybackStream?
  private var timers: [PadTimer: LoopTimer] = [:]
  /// The timer after which what could not be stored is stored once more; nil if all is stored.
  private var storing: LoopTimer?
  private var pauses = Backoff(first: .seconds(2), limit: .seconds(300))
  private var surroundings = PadSurroundings()
  /// The output that somebody chose for our sound; nil if that is left to the server.
  private var sink: String?
  /// The output for which `stream` was made.
  private var sinkOfStream: String?
  /// Whether the session is soon to be told that all pads have fallen silent, so that it is told once only.
  private var isTellingSilence = false
  /// The tasks that wait for the kit to be loaded.
  private let waiting = WaitingCallers()
  private var isUsed = false
  /// Whether the remembered kit, which could not be loaded before, is being loaded again.
  private var isSeeking = false
  /// The last look for the remembered kit.
  private var lookForKit = BlockingJob()

  private let player: PlayerService
  private let server: PulseServer
  private let thread: BlockingThread
  private let file: PadFile?
  private let log: Log

  /// How much sound the server buffers. A hit waits until the sound that is buffered already has played, so this is short; with even less, the sound
  /// breaks up on a busy machine. PipeWire's smallest is as long.
  private static let bufferLength = Duration.milliseconds(15)

  /// Pads that play on the player's server, and stop when its music is interrupted. Kits are loaded on `thread`. Settings that outlive the agent are
  /// stored in `folder`.
  package init(
    beside player: PlayerService, on server: PulseServer, thread: BlockingThread, folder: FilePath?,
    _ log: Log
  ) {
    (self.player, self.server, self.thread, self.log) = (player, server, thread, log)
    file = folder.map { PadFile(in: $0) }
    player.padStream = { [weak self] in self?.stream?.index }
  }

  /// Ends all sound.
  package func stop() {
    for timer in timers.values { timer.cancel() }
    storing?.cancel()
    timers = [:]
    stream = nil
  }

  // MARK: Orders

  /// Why a hit would be refused now; nil if it would be played.
  var refusal: PadRefusal? { session.refusal }

  /// Whether loading a kit has ended, with or without success. Until then a caller waits for `untilLoaded` before it hits.
  var isLoaded: Bool { isUsed && !isLoading }

  /// Whether a kit is being loaded. A hit for it then waits instead of being refused.
  private(set) var isLoading = false

  /// Strikes a pad, counted from 0, which the kit must have. Returns why it makes no sound; nil if it does.
  func hit(_ pad: Int) -> PadRefusal? {
    var refusal: PadRefusal?
    for effect in session.handle(.hit(pad)) {
      if case .refuse(let reason) = effect { refusal = reason } else { perform(effect) }
    }
    return refusal
  }

  /// Makes the stream ahead of time, so that the first hit is heard as fast as later ones.
  func prepare() { handle(.prepare) }

  /// Fades out all pads that sound.
  func silence() { handle(.stop) }

  /// The volume of all pads, from 0 to 1.
  var volume: Double { mixer?.volume ?? memory.volume }

  /// The volume of a pad, counted from 0, which the kit must have.
  func volume(of pad: Int) -> Double { mixer?.volume(of: pad) ?? 1 }

  /// Sets the volume of a pad, counted from 0, which the kit must have, or of all. Returns when that is stored, or could not be.
  func set(volume: Double, of pad: Int?) async {
    if let pad {
      mixer?.set(volume: volume, of: pad)
      memory.volumes[pad + 1] = volume
    } else {
      mixer?.volume = volume
      memory.volume = volume
    }
    changed()
    await remember()
  }

  // MARK: Kits

  /// Loads the remembered kit at the first use. Returns when it is loaded, or could not be.
  func untilLoaded() async {
    if isLoaded { return }
    if isLoading { return await waiting.wait() }
    (isUsed, isLoading) = (true, true)
    lookAround()
    memory = (try? await thread.run { [file] _ in file?.read() ?? PadMemory() }) ?? PadMemory()
    do throws(KitError) { try await loadRemembered() } catch {
      log(.warning, "pads: \(memory.kit.map { "'\($0)': " } ?? "")\(error)")
    }
    isLoading = false
    waiting.resume()
  }

  /// Looks for the remembered kit once more if it could not be loaded: its disk may have come since. Hits are refused meanwhile.
  func lookForKitAgain() async {
    // While a disk holds up the last look, another one would only take one more thread.
    guard kit == nil, memory.kit != nil, isLoaded, !isSeeking, !lookForKit.isUnderWay else { return }
    isSeeking = true
    try? await loadRemembered()
    isSeeking = false
  }

  private func loadRemembered() async throws(KitError) {
    do throws(KitError) {
      let folder = try memory.kit.map { (uri) throws(KitError) in try Self.folder(uri) }
      lookForKit = BlockingJob()
      let found = try await loaded(folder, memory, lookForKit)
      // Somebody may have loaded another one in the meantime.
      if kit == nil { take(found) }
    } catch {
      if kit == nil { handle(.kit(problem: "\(error)")) }
      throw error
    }
  }

  private static func folder(_ uri: String) throws(KitError) -> FilePath {
    do throws(FileURIError) { return try FilePath(uri: uri) } catch { throw KitError(.missing, "\(error)") }
  }

  /// Loads the kit in a folder, or the one that comes with the program, and remembers it. Throws if it can't be loaded; then the former kit stays.
  func load(_ folder: FilePath?) async throws(KitError) {
    await untilLoaded()
    var new = PadMemory()
    new.kit = folder?.uri
    new.volume = memory.volume
    let kit = try await loaded(folder, new)
    new.volume = volume
    memory = new
    take(kit)
    await remember()
  }

  private func loaded(
    _ folder: FilePath?, _ memory: PadMemory, _ job: BlockingJob = BlockingJob()
  ) async throws(KitError) -> LoadedKit {
    let made: Result<LoadedKit, KitError>
    do throws(BlockingFailure) {
      made = try await thread.run(job) { job in
        Result { () throws(KitError) in try KitLoader.load(folder, memory, job) }
      }
    } catch {
      throw KitError(.unresponsive, "\(error)")
    }
    return try made.get()
  }

  private func take(_ kit: LoadedKit) {
    self.kit = kit
    mixer = kit.mixer
    // The volume may have been set while the kit was loaded.
    mixer?.volume = memory.volume
    handle(.kit(problem: nil))
    changed()
  }

  private func remember() async {
    guard let file else { return }
    let outcome = try? await thread.run { [memory] _ in
      Result { () throws(SystemError) in try file.write(memory) }
    }
    if case .success? = outcome {
      storing = nil
      pauses.reset()
      return
    }
    var reason = "the disk does not answer"
    if case .failure(let error)? = outcome { reason = String(errno: error.code) }
    log(.warning, "pads: not stored: \(reason)")
    // There may be room again later.
    storing?.cancel()
    storing = AgentLoop.after(pauses.next()) { [weak self] in
      AgentLoop.task { await self?.remember() }
    }
  }

  // MARK: Events

  /// Takes the player's reports, because interruptions and a lost output silence the pads as well.
  package func hear(_ news: PlayerNews) {
    guard isUsed else { return }
    switch news {
    case .route(let change, _): if change.pauses { handle(.routeLost) }
    case .turn: lookAround()
    default: break
    }
  }

  private func lookAround() {
    var now = PadSurroundings()
    now.holds = Set(player.player.session.holds.keys)
    now.isServerThere = player.isServerThere
    now.serverError = player.lastServerError
    now.hasOutput = player.player.session.hasOutput
    followSink()
    guard now != surroundings else { return }
    surroundings = now
    handle(.surroundings(now))
  }

  /// Moves the pads' stream to the output that somebody chose for our sound.
  private func followSink() {
    let chosen = player.playback.chosenSink
    guard chosen != sink else { return }
    sink = chosen
    guard let chosen, let stream else { return }
    AgentLoop.task { try? await stream.move(toSink: chosen) }
  }

  private func handle(_ event: PadEvent) { for effect in session.handle(event) { perform(effect) } }

  private func perform(_ effect: PadEffect) {
    switch effect {
    case .connect: connect()
    case .disconnect: stream = nil
    case .look: look()
    case .cork(let isCorked): if isCorked { stream?.cork() } else { stream?.uncork() }
    case .strike(let pad): mixer?.strike(pad)
    case .render: stream?.refill()
    case .fadeOut: mixer?.stop()
    case .drop:
      mixer?.drop()
      stream?.flush()
    case .flush: stream?.flush()
    case .refuse: break  // told to whoever struck
    case .announce: changed()
    case .timer(let timer, let delay): set(timer, after: delay)
    case .cancel(let timer): timers.removeValue(forKey: timer)?.cancel()
    }
  }

  private func set(_ timer: PadTimer, after delay: Duration) {
    timers[timer]?.cancel()
    timers[timer] = AgentLoop.after(delay) { [weak self] in
      self?.timers[timer] = nil
      self?.handle(.timer(timer))
    }
  }

  // MARK: The stream

  private func connect() {
    guard let mixer else { return }
    var settings = PlaybackStream.Settings(
      name: "Pads", format: AudioFormat(rate: mixer.rate, channels: PadMixer.channels))
    settings.bufferLength = Self.bufferLength
    settings.properties = StreamIdentity.pads
    settings.sink = sink
    sinkOfStream = sink
    do throws(PulseError) {
      stream = try PlaybackStream(
        on: server, settings, fill: { [weak self] in self?.fill(&$0) },
        handler: { [weak self] in self?.hear($0) })
    } catch {
      // Only after the other effects that came with this one are carried out.
      AgentLoop.after(.zero) { [weak self] in
        self?.handle(.streamEnded(reason: error.reason, isKilled: false))
      }
    }
  }

  private func hear(_ event: PlaybackStream.Event) {
    switch event {
    case .ready: AgentLoop.task { [weak self] in await self?.becomeReady() }
    case .started: break
    case .suspended(let isSuspended): handle(.suspended(isSuspended))
    case .underflow: handle(.ranDry)
    case .moved: handle(.streamMoved)
    case .corkRequested: handle(.corkRequested(true))
    case .uncorkRequested: handle(.corkRequested(false))
    case .ended(let error):
      handle(.streamEnded(reason: error.reason, isKilled: error.code == .killed))
    }
  }

  private func becomeReady() async {
    let made = stream
    let kind = try? await server.readServer().kind
    guard made === stream, let made else { return }
    // While it was made, it could not be moved to an output that somebody chose.
    if sink != sinkOfStream, let sink { try? await made.move(toSink: sink) }
    guard made === stream else { return }
    handle(.streamMade(isPipeWire: kind == .pipeWire))
    // An output that is only idle has been resumed for the stream.
    if made === stream, made.isSuspended { handle(.suspended(true)) }
  }

  private func look() {
    guard let asked = stream else { return }
    AgentLoop.task { [weak self, server] in
      let world = try? await server.readWorld()
      guard let self, asked === stream else { return }
      handle(.outputs(world.map { Outputs(of: $0, ownInput: asked.index) }))
    }
  }

  private func fill(_ span: inout OutputSpan<Float>) {
    mixer?.render(into: &span)
    guard mixer?.isSilent == true, !isTellingSilence else { return }
    isTellingSilence = true
    AgentLoop.after(.zero) { [weak self] in self?.tellSilence() }
  }

  private func tellSilence() {
    isTellingSilence = false
    if mixer?.isSilent == true { handle(.fellSilent) }
  }
}
