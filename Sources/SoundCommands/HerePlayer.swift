// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FaceModel
import FermataAgent
import FermataCommands
import Glibc
import PlaybackLogic
import PulseIO
import ReaderIO
import SettingsModel
import TerminalIO

/// The player for `fermata play --here`, in this process. It plays its queue to the end, shows the position, and handles keys.
///
/// It may only be used on the loop. When it ends it stops the loop.
@AgentLoop
final class HerePlayer {
  private enum Phase {
    case playing
    /// SIGTSTP (Ctrl-Z) has asked the process to stop. The process stops as soon as the server is silent.
    case stopping
    /// Nothing follows any more. The process ends as soon as the server has played the last of the sound.
    case ending
    case over
  }

  private let service: PlayerService
  private let items: ItemService
  private let thread = BlockingThread("reading")
  /// Offers this player on the bus under a name of its own, so that media keys reach it too.
  private var bus: BusService?
  private let server: PulseServer
  /// Pauses before the machine sleeps. After that nothing goes on by itself.
  private var sleep: SleepService
  private let screen: HereScreen
  private var skipped = 0
  private var isHeard = false
  private var isConnected = false
  private var phase = Phase.playing
  private let over = Promise<Void>()
  private var keys: TerminalKeys?
  private var signals: SignalWatch?

  /// How long to wait for a sound server at the start.
  private static let patience = Duration.seconds(5)
  /// After Ctrl-Z: how long to wait until the server has paused the music. Then the process is suspended anyway.
  private static let stopPatience = Duration.seconds(1)
  /// How long to wait for the sound server to play the last of the sound.
  private static let endPatience = Duration.milliseconds(500)

  /// Plays a queue and returns the exit status. Blocks; on the main thread only.
  nonisolated static func run(
    _ queue: PlayQueue, _ reader: ReaderClient, settings: Settings, startsAnywhere: Bool, showsProgress: Bool
  ) -> ExitCode {
    AgentLoop.task {
      let here = HerePlayer(queue, reader, settings, showsProgress: showsProgress)
      here.begin(anywhere: startsAnywhere)
      await here.untilOver()
    }
    let status = AgentLoop.run()
    guard status < 0 else { return ExitCode(rawValue: status) ?? .refused }
    return die(of: -status)
  }

  private init(_ queue: PlayQueue, _ reader: ReaderClient, _ settings: Settings, showsProgress: Bool) {
    server = PulseServer(properties: StreamIdentity.application)
    items = ItemService(thread: thread, art: nil, reader: reader)
    items.charset = settings.tagsCharset.converted
    service = PlayerService(
      player: Player(queue: queue), server: server, properties: StreamIdentity.music, items: items,
      thread: thread)
    sleep = SleepService(service)
    screen = HereScreen(service, items, always: showsProgress)
    // The category `solo` needs this: it asks other players to pause.
    service.guardOthers()
    // The session's own player already pauses players that lost their device; a second one would only do it again.
    var settings = settings
    settings.guarding.isOn = false
    // This comes before `news` is set, because a player that has not begun looks like one that has ended.
    service.apply(settings)
    service.news = { [weak self] in self?.handle($0) }
  }

  /// Waits until the player has ended, and keeps it alive until then.
  private func untilOver() async {
    await over.get()
    withExtendedLifetime(self) {}
  }

  private func begin(anywhere: Bool) {
    signals = SignalWatch([SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]) { [weak self] in
      self?.handle(signal: $0)
    }
    keys = TerminalKeys { [weak self] in self?.press($0) }
    // Without a bus, only media keys are missing.
    bus = BusService(
      service, items: items, thread: thread, names: .instance(of: .fermata),
      quit: { [weak self] in self?.end(0) },
      handler: { _ in })
    bus?.start()
    service.start()
    sleep.start()
    service.order(anywhere ? .jumpAnywhere : .play)
    AgentLoop.after(Self.patience) { [weak self] in self?.giveUp() }
  }

  // MARK: Signals

  private func handle(signal: Int32) {
    switch signal {
    case SIGTSTP: stopSoon()
    case SIGWINCH: screen.resize()
    default: end(-signal)
    }
  }

  /// Pauses, and then stops the process, as Ctrl-Z asks. A stopped process can't tell the server to be silent, and the sound in the server's buffer
  /// would go on. So the player pauses first, and the process stops when the server has obeyed, or after a second.
  private func stopSoon() {
    guard phase == .playing else { return }
    phase = .stopping
    let plays = [.playing, .seekingForward, .seekingBackward].contains(service.player.state)
    if plays { service.order(.pause) }
    let timer = AgentLoop.after(Self.stopPatience) { [weak self] in self?.stop(andPlay: plays) }
    AgentLoop.task { [weak self, server] in
      // The server answers in order, so when this answer comes, it has carried out the earlier orders.
      _ = try? await server.readWorld()
      timer.cancel()
      self?.stop(andPlay: plays)
    }
  }

  /// Suspends this process, as Ctrl-Z does; once it is continued, the music goes on if `plays` is true. Called when the server has corked our stream,
  /// or when that takes too long; the second call does nothing.
  private func stop(andPlay plays: Bool) {
    guard phase == .stopping else { return }
    screen.leave()
    // A stopped process could not tell that it is silent, and the machine would wait for it.
    sleep.stop()
    raiseUnblocked(SIGTSTP)
    setBlocked(true, [SIGTSTP])
    phase = .playing
    sleep = SleepService(service)
    sleep.start()
    if plays { service.order(.play) } else { screen.show() }
  }

  // MARK: What happens

  private func handle(_ news: PlayerNews) {
    bus?.hear(news)
    switch news {
    case .skipped(let entry, let reason):
      skipped += 1
      complain(of: entry, reason, "skipped")
    case .endedEarly(let entry, let reason, _): complain(of: entry, reason, "played as far as it goes")
    case .turn: update()
    default: break
    }
  }

  private func complain(of entry: EntryID, _ reason: String, _ outcome: String) {
    let name = service.player.queue.entry(entry)?.location ?? "?"
    screen.complain(CommandError(.nothingPlayable, name, reason, outcome))
  }

  private func update() {
    if service.isServerThere { isConnected = true }
    screen.show()
    if service.player.isHeard { isHeard = true }
    // The queue has ended, or nothing in it could be played.
    if service.player.state == .stopped { endSoon() }
    if service.why == .noOutput, !isHeard, !TerminalKeys.canCome { giveUpWithoutOutput() }
  }

  /// Ends, because nobody can hear anything, and there are no keys to play on when there is an output.
  private func giveUpWithoutOutput() {
    guard phase == .playing else { return }
    screen.complain(
      CommandError(
        .unavailable, "output", "there is no output that anyone could hear",
        "connect one and turn it on; 'fermata output' lists those that there are"))
    end(ExitCode.unavailable.rawValue)
  }

  /// Ends when the server has played the last of the sound. With the process, the server would drop it.
  private func endSoon() {
    guard phase == .playing else { return }
    phase = .ending
    let timer = AgentLoop.after(Self.endPatience) { [weak self] in self?.endIfStopped() }
    AgentLoop.task { [weak self, service] in
      await service.restIsHeard()
      timer.cancel()
      self?.endIfStopped()
    }
  }

  /// Ends, unless a key has made the music go on meanwhile.
  private func endIfStopped() {
    guard phase == .ending else { return }
    guard service.player.state == .stopped else { return phase = .playing }
    end(!isHeard && skipped > 0 ? ExitCode.nothingPlayable.rawValue : 0)
  }

  private func giveUp() {
    guard !isConnected else { return }
    screen.complain(
      CommandError(
        .unavailable, "sound server", service.lastServerError ?? "no answer",
        "start PipeWire or PulseAudio, or say in PULSE_SERVER where it is"))
    end(ExitCode.unavailable.rawValue)
  }

  private func press(_ key: Key) {
    screen.hideLines()
    switch key {
    case .character(" "): service.order(.toggle)
    case .character("?"), .character("h"): screen.show(lines: Self.keyLines)
    case .character("n"), .character(">"), .down: say(service.order(.next))
    case .character("p"), .character("<"), .up: say(service.order(.previous))
    case .right: service.order(.seek(.seconds(10)))
    case .left: service.order(.seek(.seconds(-10)))
    case .pageUp: service.order(.seek(.seconds(60)))
    case .pageDown: service.order(.seek(.seconds(-60)))
    case .home: service.order(.seekTo(.zero))
    case .character("+"), .character("="), .character("0"): changeVolume(by: 5)
    case .character("-"), .character("9"): changeVolume(by: -5)
    case .character("q"), .control("d"): end(0)
    default: break
    }
  }

  /// Shows for a moment why an order was not carried out.
  private func say(_ outcome: OrderOutcome) {
    if let refusal = outcome.refusal { screen.show(note: refusal.rawValue) }
  }

  private func changeVolume(by percent: Double) {
    service.changeVolume(by: percent / 100)
    screen.show(note: StatusText.percent(service.userVolume))
  }

  /// The descriptions of the keys, which `?` shows.
  private static let keyLines = [
    "  space       pause, play           n > down    next track",
    "  right left  10 seconds            p < up      previous track",
    "  page keys   a minute              + -         volume",
    "  home        to the beginning      q           end",
  ]

  /// Ends with an exit status, or with a signal if `status` is negative.
  private func end(_ status: Int32) {
    guard phase != .over else { return }
    phase = .over
    keys = nil
    screen.end()
    bus?.stop()
    sleep.stop()
    service.stop()
    over.keep()
    guard status == 0, let failure = screen.failure else { return AgentLoop.stop(status) }
    screen.complain(failure)
    AgentLoop.stop(failure.code.rawValue)
  }
}
