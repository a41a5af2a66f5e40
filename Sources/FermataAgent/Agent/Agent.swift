// SPDX-License-Identifier: MIT
package import AgentLoop
import ArtIO
import FaceModel
import Glibc
import MediaModel
import PlaybackLogic
import PulseIO
import ReaderIO
import ReaderModel
import SettingsModel
import StoreIO
import UserFiles

/// The agent process: owns the player, its stored state and its place on the session bus, and connects them.
///
/// It lives until a signal, a Quit on the bus or the end of the session ends it.
@AgentLoop
package final class Agent {
  private let log: Log
  private let threads: Threads
  private let service: PlayerService
  private let items: ItemService
  private let files: FileChecker
  private let library: LibraryService
  private let listening: ListeningService
  private let resuming: ResumeService
  private let jobPower: JobPower
  private let pads: PadService
  private let shutdown: Shutdown
  private let sleep: SleepService
  private var bus: BusService?
  private let keeper: StateKeeper
  private let settings: SettingsKeeper?
  private let unlessRunning: Bool
  private let notice = ServiceNotice.ofThisProcess
  private lazy var session = SessionWatch { [weak self] in
    self?.log(.notice, "the session bus does not come back: the session is over")
    self?.end(code: 0)
  }
  private var status = ServiceStatus(state: .stopped, why: nil)
  /// Whether the names on the bus were taken once.
  private var hasBegun = false
  private let started = AgentLoop.now
  /// With the setting `play-on-start`, a stored queue that is found later than this after the start does not begin to play.
  private static let latestPlayOnStart = Duration.seconds(10)

  /// Runs the agent until it ends, and returns its exit status. With `unlessRunning`, this agent ends with 0 if another one runs already.
  /// Blocks. Call it on the main thread, before any other thread exists.
  package nonisolated static func run(_ log: Log, unlessRunning: Bool = false) -> Int32 {
    Process.prepareForService()
    AgentLoop.task {
      // Before any other thread starts: a thread started earlier would not have these signals blocked.
      let signals = SignalWatch(SignalWatch.ending) { signal in
        Agent.current?.end(signal) ?? AgentLoop.stop(0)
      }
      do throws(StartFailure) {
        let agent = try await Agent.open(log, unlessRunning: unlessRunning)
        current = agent
        agent.start()
        await agent.untilOver()
      } catch {
        AgentLoop.stop(error.status)
      }
      withExtendedLifetime(signals) {}
    }
    return AgentLoop.run()
  }

  /// The threads for work that may block. They are separate, so an order waits neither for background reading nor for the disk of
  /// another kind of work.
  private struct Threads {
    /// Looks up the sources that an order names, and writes files that an order asks for.
    let orders = BlockingThread("orders")
    /// Reads tags, pictures and the playlist folder, and checks whether files exist.
    let reading = BlockingThread("reading")
    /// Opens the next track ahead of time, and measures the true length of tracks.
    let sound = BlockingThread("sound")
  }

  /// The exit status of an agent that could not store all changes, such as those of the queue, before it ended.
  private static let unsaved: Int32 = 73

  /// The agent of this process, so that the signal handler can find and end it.
  private static var current: Agent?

  /// Thrown when the agent does not start; the reason is in the log already. `status` is the exit status of the process.
  private struct StartFailure: Error {
    let status: Int32
  }

  private static func open(_ log: Log, unlessRunning: Bool) async throws(StartFailure) -> Agent {
    if let reason = UserFolders.uselessHome { log(.warning, "\(reason): it counts as unset") }
    let threads = Threads()
    let settings = SettingsFile.standard.map { SettingsKeeper($0, log) }
    switch await StateOpening.take(log, unlessRunning: unlessRunning) {
    case .open(let kept): return Agent(log, kept, settings, threads, unlessRunning: unlessRunning)
    case .over(let code): throw StartFailure(status: code)
    }
  }

  private init(
    _ log: Log, _ keeper: StateKeeper, _ settings: SettingsKeeper?, _ threads: Threads,
    unlessRunning: Bool
  ) {
    self.log = log
    self.keeper = keeper
    self.settings = settings
    self.threads = threads
    self.unlessRunning = unlessRunning
    let seed = UInt64.random(in: .min ... .max)
    items = ItemService(
      thread: threads.reading, art: UserFolders.artFolder.map { ArtCache(folder: $0) },
      reader: ReaderClient { Self.tell($0, log) })
    SoundOpener.outside.tell { Self.tell($0, log) }
    shutdown = Shutdown { log(.warning, "\($0) does not end in time: ending without it") }
    let server = PulseServer(properties: StreamIdentity.application)
    service = PlayerService(
      player: keeper.player(seed: seed), server: server, properties: StreamIdentity.music,
      items: items, volume: keeper.stored.volume ?? 1, thread: threads.sound)
    service.guardOthers()
    sleep = SleepService(service, log)
    files = FileChecker(service, thread: threads.reading)
    library = LibraryService(
      in: UserFolders.dataFolder, jobs: JobService(), orders: threads.orders, log: log,
      // A reader apart from the one for tracks that play, which has none of its processes: those of a scan run only when nobody else wants the processor.
      read: {
        [reader = ReaderClient(beside: items.reader, atOnce: 2, borrows: false)] (files, looking)
          throws(LibraryScan.NoReader)
        in
        try reader.records(of: files, looking: looking)
      })
    service.measuredGains = { [library] in library.measuredGains }
    listening = ListeningService(service, library, log) { [items] in items.itemSoFar($0).item.id }
    resuming = ResumeService(service, library, log)
    library.placesChanged = { [resuming] in resuming.libraryChanged() }
    library.followMoves { [service] in service.relocate($0) }
    resuming.number = { [listening] in listening.number(of: ItemSource($0)) }
    jobPower = JobPower(library.jobs, on: threads.reading)
    pads = PadService(
      beside: service, on: server, thread: BlockingThread("pads"), folder: UserFolders.stateFolder, log)
  }

  /// Waits for ever: the process ends because the loop stops. Until then the waiting task keeps the signal watch alive.
  private func untilOver() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

  private func start() {
    let bus = BusService(
      service, items: items, thread: threads.orders, names: .agent, playlists: playlists(), library: library,
      pads: pads,
      quit: { [weak self] in self?.end(code: 0) },
      handler: { [weak self] in self?.hear($0) })
    bus.libraryChanged = { [resuming, items] in
      resuming.libraryChanged()
      items.libraryChanged()
    }
    items.listings = { [library] in library.listings(asksDisk: $0) }
    bus.isReady = { [resuming] in await resuming.untilLoaded() }
    bus.readSettings = { [settings] in await settings?.readAgain() }
    self.bus = bus
    if log.least == .debug { service.evidence = { [log] in log(.debug, $0) } }
    service.news = { [weak self] in self?.hear($0) }
    keeper.attach(to: service)
    keeper.adopted = { [weak self] in self?.adopted() }
    shutdown.add("state") { [shutdown, keeper] in if await keeper.close() { shutdown.failure = nil } }
    shutdown.add("library") { [library, listening, resuming] in
      library.endWork()
      listening.stop()
      resuming.stop()
      await AgentLoop.wait(atMost: Self.longestLibraryWait) {
        await listening.finish()
        await resuming.finish()
        await library.closeDatabases()
      }
      library.stop()
    }
    shutdown.add("sound") { [service, pads] in
      pads.stop()
      service.stop()
    }
    resuming.begin()
    obeySettings()
    service.start()
    shutdown.add("sleep") { [sleep] in sleep.stop() }
    shutdown.add("bus") { bus.stop() }
    bus.start()
    files.checkAll()
  }

  /// How long the end of the agent waits for the library's last writes. A shutdown has five seconds in all, and the queue is stored after these.
  private static let longestLibraryWait = Duration.seconds(2)

  /// The presets if nothing says where a settings file could be.
  private var presentSettings: Settings { settings?.settings ?? Settings() }

  private func obeySettings() {
    settings?.follow { [weak self] in self?.apply($0) }
    apply(presentSettings)
    playOnStart(presentSettings)
  }

  /// Plays the stored queue if the settings say so and it played when it was stored, unless somebody has ordered something by then.
  private func playOnStart(_ settings: Settings) {
    guard settings.playsOnStart, keeper.stored.wasWanted(in: service.player.queue), service.player.canPlay
    else {
      return
    }
    AgentLoop.task { [service, resuming] in
      // A book that was stopped goes on where it was left.
      await resuming.untilLoaded()
      if !service.hasOrders { service.order(.play) }
    }
  }

  /// Does what is done with a queue at the start for one that was found later. Music that begins much later would startle.
  private func adopted() {
    apply(presentSettings)
    if AgentLoop.now - started < Self.latestPlayOnStart { playOnStart(presentSettings) }
    files.checkAll()
  }

  private func apply(_ settings: Settings) {
    items.charset = settings.tagsCharset.converted
    library.charset = settings.tagsCharset.converted
    jobPower.runsOnBattery = settings.runsJobsOnBattery
    service.apply(settings)
  }

  private func playlists() -> PlaylistCollection? {
    guard let folder = UserFolders.playlists else { return nil }
    let playlists = PlaylistCollection(folder, thread: threads.reading) { [log] in
      log(.warning, "playlists: \($0)")
    }
    playlists.add(library.smart)
    return playlists
  }

  private func end(_ signal: Int32) {
    log(.info, "ending on signal \(signal)")
    end(code: 0)
  }

  private func end(code: Int32) {
    notice?.stopping()
    bus?.tellEnd()
    // Until the state is closed. Set now, so that it also counts if something misses the deadline before.
    if !shutdown.hasBegun { shutdown.failure = Self.unsaved }
    shutdown.begin(code)
  }

  /// Called whenever the bus names are taken, also on a bus that was started anew. Tells systemd that the agent is ready.
  private func tookNames() {
    session.found()
    notice?.ready()
    tellStatus(anew: true)
    guard !hasBegun else { return }
    hasBegun = true
    // Only now: whoever starts the agent waits until it has its name on the bus, so nothing else may delay that.
    sleep.start()
    library.begin()
  }

  /// Whether systemd has started this very process. A terminal that a service has started passes that service's `NOTIFY_SOCKET` on to its shells, and
  /// they to us.
  private static var isService: Bool { Process.environment("SYSTEMD_EXEC_PID") == "\(getpid())" }

  private func tellStatus(anew: Bool = false) {
    guard let notice, !shutdown.hasBegun else { return }
    let now = ServiceStatus(state: service.player.state, why: service.why)
    if anew || now != status { notice.status(now.line) }
    status = now
  }

  // MARK: The log

  private func hear(_ event: BusService.Event) {
    switch event {
    case .owning(let name):
      log(.info, "on the bus as \(name)")
      tookNames()
    case .second(let name, let first):
      let holder = first.map { "process \($0)" } ?? "another process"
      log(.notice, "on the bus as \(name): the session's agent is \(holder), and commands go there")
      if unlessRunning { return end(code: 0) }
      // As a service that goes on it would hold up the session for ever: once the first agent has ended, the bus would ask systemd for a service that
      // runs already.
      guard let notice, Self.isService else { return tookNames() }
      notice.ready()
      end(code: 0)
    case .lost(let reason, let wait, let isNew):
      if isNew { log(.warning, "no bus (\(reason)): trying again in \(wait)") }
      session.lost()
      // Sleep is told by the system's bus, and music plays without a session's as well.
      if isNew { sleep.start() }
    }
  }

  private func hear(_ news: PlayerNews) {
    keeper.hear(news)
    pads.hear(news)
    bus?.hear(news)
    if case .turn = news { tellStatus() }
    files.hear(news)
    listening.hear(news)
    switch news {
    case .route(let change, let paused): tell(change, paused)
    case .interruptionBegan(let told) where told.source == .refusal:
      log(.warning, "the sound server makes no stream (\(service.lastServerError ?? "no reason")): trying on")
    case .interruptionBegan(let told):
      log(.info, "interrupted by \(told.source.text)" + (told.wasPlaying ? "" : ", while nothing played"))
    case .interruptionEnded(let told, let end):
      let sources = told.sources.map(\.text).joined(separator: " and ")
      switch end {
      case .resumes: log(.info, "\(sources) is over: playing goes on")
      case .staysSilent: log(.info, "\(sources) is over: staying as it is")
      case .overruled: log(.info, "playing on during \(sources), as the user wants")
      }
    case .waiting(let source): log(.info, "waiting to play: \(source.text)")
    case .refused(let refusal): log(.info, "refused: \(refusal.rawValue)")
    case .skipped(let entry, let reason): tell(of: entry, "is skipped: \(reason)")
    case .endedEarly(let entry, let reason, _): tell(of: entry, "ends early: \(reason)")
    case .missing(let entries): log(.debug, "\(entries.count) files are gone, or there again")
    case .guarded(let report): Self.tell(report, log)
    case .seeked, .queue, .item, .volume, .turn: break
    }
  }

  /// Logs the result of an attempt to pause another program's player.
  static func tell(_ report: GuardReport, _ log: Log) {
    log(
      report.outcome == .paused ? .info : .warning,
      PlainWords.guarded(report.player, report.reason, report.outcome, lost: report.lost.map(RouteFace.init)))
  }

  private func tell(_ change: RouteChange, _ paused: Bool) {
    if change.reason == .mediaServicesWereLost, change.previous == nil {
      let reason = service.lastServerError.map { " (\($0))" } ?? ""
      return log(.warning, "no sound server answers\(reason): trying on")
    }
    let words = PlainWords.route(
      change.reason, from: change.previous.map(RouteFace.init), to: change.current.map(RouteFace.init),
      paused: paused)
    log(.info, "\(words) (\(change.reason.rawValue))" + (paused ? ": pausing" : ""))
  }

  private nonisolated static func tell(_ news: ReaderClient.News, _ log: Log) {
    switch news {
    case .missing(let reason): log(.warning, "no tags are read: \(reason)")
    case .killer(let file, let reason): log(.warning, "'\(file)' is left alone until it changes: \(reason)")
    case .began(let fence):
      log(.debug, "reading files; around that stand \(fence.names.joined(separator: ", "))")
    }
  }

  private nonisolated static func tell(_ news: DecoderClient.News, _ log: Log) {
    switch news {
    case .missing(let reason): log(.warning, "AAC, ALAC and the like do not play: that \(reason)")
    case .began(let release): log(.debug, "decoding by FFmpeg \(release), in a process of its own")
    }
  }

  private func tell(of entry: EntryID, _ trouble: String) {
    let location = service.player.queue.entry(entry)?.location ?? "an entry"
    log(.warning, "'\(location)' \(trouble)")
  }

}
