// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
package import FaceModel
import Glibc
import MediaModel
package import PlaybackLogic

/// Keeps the player on the session bus: connects, takes its names, and does both again when the bus was lost. Loop only; `stop` ends
/// it.
///
/// What the agent offers has a connection of its own, apart from MPRIS. A sandbox that lets a program talk to players lets it call everything that the
/// connection with a player's name offers, and the agent can write files.
@AgentLoop
package final class BusService {
  /// Which names are requested on the bus.
  package enum Names: Sendable, Hashable {
    /// The agent's own name, which only one agent of a session can have, and a player's name.
    case agent
    /// A player's name only: this is one of many players, inside the process of this program.
    case instance(of: MPRISRoot.Program)
    /// The agent's own name and no player's: this agent plays nothing. Orders to play are refused.
    case guardian

    /// Whether this process tries to be the session's agent.
    fileprivate var isAgents: Bool { if case .instance = self { false } else { true } }

    /// How many connections to the bus are needed: one for the agent, and one for the player.
    fileprivate var connections: Int { self == .agent ? 2 : 1 }

    /// The program that is shown to play.
    fileprivate var program: MPRISRoot.Program {
      if case .instance(let program) = self { program } else { .fermata }
    }
  }

  /// What happens to the connection to the bus.
  package enum Event: Sendable {
    /// The player is on the bus, by this name.
    case owning(String)
    /// The player is on the bus, by this name, but the session's agent is another process; `besides` is its ID, if it is known.
    case second(String, besides: UInt32?)
    /// The bus was lost or not found; the next try comes after this time. `isNew` is false if just this was reported before.
    case lost(String, retryIn: Duration, isNew: Bool)
  }

  private let service: PlayerService
  private let items: ItemService
  private let editor: QueueEditor
  /// Reads the settings file, and returns its path when what it says is in force; nil if there is none.
  var readSettings: @AgentLoop () async -> FilePath? = { nil }
  /// Returns when all is known that an order needs. The names are taken only then, so it must not take long.
  var isReady: @AgentLoop () async -> Void = {}
  /// Called when items of the library came, changed or went.
  var libraryChanged: @AgentLoop () -> Void = {}
  private let playlists: PlaylistCollection?
  private let library: LibraryService?
  private let pads: PadService?
  private let names: Names
  private let endpoint: BusEndpoint
  private let quit: @AgentLoop () -> Void
  private let handler: @AgentLoop (Event) -> Void
  private var backoff = Backoff()
  private var losses = BusLosses()
  /// When the bus was lost, while it is not back.
  private var lostAt: Duration?
  /// The connections to the bus, as far as they are open.
  private var connections: [BusConnection] = []
  private var mpris: MPRISService?
  private var agent: AgentService?
  private var saved: PlaylistsService?
  private var libraryInterfaces: LibraryInterfaces?
  private var padsInterface: PadsInterface?
  private var retry: LoopTimer?
  private var isStopped = false

  /// The agent takes its names on the bus when the current track's tags have been read, or after this time.
  private static let patience = Duration.milliseconds(250)

  /// A service for this player, and for these playlists, this library and these pads if there are any. `quit` is called when somebody on the bus asks
  /// for the end; `handler` is called with what happens to the connection.
  package init(
    _ service: PlayerService, items: ItemService, thread: BlockingThread, names: Names,
    playlists: PlaylistCollection? = nil, library: LibraryService? = nil, pads: PadService? = nil,
    on endpoint: BusEndpoint = .session,
    quit: @escaping @AgentLoop () -> Void,
    handler: @escaping @AgentLoop (Event) -> Void
  ) {
    self.service = service
    self.items = items
    editor = QueueEditor(service: service, items: items, thread: thread, library: library)
    self.playlists = playlists
    self.library = library
    self.pads = pads
    self.names = names
    self.endpoint = endpoint
    self.quit = quit
    self.handler = handler
  }

  /// Begins to connect, and goes on trying until `stop`.
  package func start() {
    playlists?.news = { [weak self] in self?.saved?.changed() }
    library?.changed = { [weak self, library] counts in
      self?.libraryInterfaces?.changed(counts)
      library?.smart.libraryChanged()
      self?.libraryChanged()
    }
    library?.jobs.news = { [weak self] in self?.libraryInterfaces?.changed($0) }
    pads?.changed = { [weak self] in self?.padsInterface?.changed() }
    AgentLoop.task { [weak self] in await self?.connect() }
  }

  /// Sends the signal that this agent ends on purpose, so that nobody takes its end for a crash. Call it before any step that takes time.
  package func tellEnd() { agent?.tellEnd() }

  /// Leaves the bus.
  package func stop() {
    isStopped = true
    retry?.cancel()
    leave()
  }

  private func leave() {
    mpris = nil
    agent = nil
    saved = nil
    libraryInterfaces = nil
    padsInterface = nil
    service.guardOthers(on: nil)
    for connection in connections { connection.close() }
    connections = []
  }

  /// Passes the player's reports on to all services on the bus.
  package func hear(_ news: PlayerNews) {
    playlists?.hear(news)
    if case .turn = news { items.lookAhead(in: service.player.queue) }
    mpris?.hear(news)
    agent?.hear(news)
  }

  private func connect() async {
    var opened: [BusConnection] = []
    do throws(BusError) {
      let all = try await BusConnection.open(count: names.connections, endpoint)
      if isStopped { return all.forEach { $0.close() } }
      opened = all
      connections = all
      for connection in all { connection.onLoss = { [weak self] in self?.lost("\($0)", all) } }
      // All objects are exported before the names are taken, since a client that sees a name may call at once.
      let (first, last) = (opened[0], opened[opened.count - 1])
      if names != .guardian { offerPlayer(on: last) }
      if names.isAgents { offerAgent(on: first) }
      service.guardOthers(on: last)
      await currentIsKnown()
      await isReady()
      try await takeNames(ofAgent: first, ofPlayer: last)
      backoff.reset()
      losses = BusLosses()
      lostAt = nil
    } catch {
      lost(error.message, opened)
    }
  }

  /// Whether these connections are the ones in use. They are not if they were left or lost meanwhile, or if others have been opened since.
  private func areCurrent(_ opened: [BusConnection]) -> Bool { opened.elementsEqual(connections, by: ===) }

  private func offerPlayer(on connection: BusConnection) {
    saved = playlists.map { PlaylistsService(connection, editor: editor, $0) }
    mpris = MPRISService(
      connection, service, items: items, editor: editor, playlists: saved, of: names.program, quit: quit)
  }

  private func offerAgent(on connection: BusConnection) {
    libraryInterfaces = library.map { LibraryInterfaces(connection, $0, items.pictures) }
    padsInterface = pads.map { PadsInterface(connection, $0) }
    let others = (libraryInterfaces?.interfaces() ?? []) + (padsInterface.map { [$0.interface()] } ?? [])
    let refusal = names == .guardian ? GuardAgent.refusal : nil
    agent = AgentService(
      connection, service, items: items, editor: editor,
      beside: refusal.map { LibraryInterfaces.refused(with: $0) + [PadsInterface.refused(with: $0)] }
        ?? others,
      refusingOrdersWith: refusal, readSettings: readSettings, quit: quit)
  }

  /// Waits until the tags of a restored track are read, so that the track is shown with its title from the beginning. Gives up if its disk takes too
  /// long.
  private func currentIsKnown() async {
    let queue = service.player.queue
    guard let current = queue.current, let entry = queue.entry(current) else { return }
    await items.settle(entry, within: Self.patience)
  }

  private func takeNames(
    ofAgent agent: BusConnection, ofPlayer player: BusConnection
  ) async throws(BusError) {
    // The same agent of a session gets both names, because all commands go to it.
    let isFirst = names.isAgents ? try await agent.requestName(AgentDescriptions.busName) : false
    if names == .guardian {
      let name = AgentDescriptions.busName.text
      if isFirst { return handler(.owning(name)) }
      return handler(.second(name, besides: try? await agent.processID(of: AgentDescriptions.busName)))
    }
    let name = "\(MPRISDescriptions.root.name).\(names.program.nameOnBus)"
    let instance = "\(name).instance\(getpid())"
    for name in isFirst ? [name, instance] : [instance] {
      guard let valid = BusName(name), try await player.requestName(valid) else { continue }
      guard names == .agent, !isFirst else { return handler(.owning(name)) }
      return handler(.second(name, besides: try? await player.processID(of: AgentDescriptions.busName)))
    }
  }

  /// Whether an agent is on the bus; nil if there is no bus to ask. Connects for this question only.
  static func isAgentThere(on endpoint: BusEndpoint = .session) async -> Bool? {
    do throws(BusError) {
      let connection = try await BusConnection.open(endpoint)
      defer { connection.close() }
      return try await connection.owner(of: AgentDescriptions.busName) != nil
    } catch {
      return nil
    }
  }

  /// Handles the loss of the bus, once, however many connections notice it. The loss of connections that were already left is ignored.
  private func lost(_ reason: String, _ opened: [BusConnection]) {
    guard !isStopped, areCurrent(opened) else { return }
    leave()
    let wait = wait()
    handler(.lost(reason, retryIn: wait, isNew: losses.isNew(reason, wait)))
    retry = AgentLoop.after(wait) { [weak self] in self?.start() }
  }

  /// How long to wait until the next try. At first these waits are short: a bus that restarts has to be found before its session is taken to be over.
  private func wait() -> Duration {
    let lostAt = self.lostAt ?? AgentLoop.now
    self.lostAt = lostAt
    let usual = backoff.next()
    return AgentLoop.now - lostAt < SessionWatch.patience ? min(usual, .milliseconds(200)) : usual
  }
}

/// Tells whether the loss of a bus is worth a line in the log. Where there is no bus for days, the same line every five seconds is not.
struct BusLosses {
  private var last: (reason: String, wait: Duration)?

  /// Takes a loss, and returns whether its reason or the time until the next try differs from those of the loss before.
  mutating func isNew(_ reason: String, _ wait: Duration) -> Bool {
    defer { last = (reason, wait) }
    return last.map { $0 != (reason, wait) } ?? true
  }
}

extension PlayerFace {
  /// What the player shows at this moment.
  @AgentLoop
  init(of service: PlayerService, items: ItemService) {
    let player = service.player
    let queue = player.queue
    self.init()
    state = player.state
    why = service.why
    entry = queue.current
    if let current = queue.current, let row = queue.entry(current) {
      let known = items.item(row)
      item = known.item
      artURL = known.artURL
      length = player.length
      coding = player.coding
      canSeek = true
    }
    // Rounded, because a mixer's steps are finer than anyone can hear or wants to read.
    volume = (service.userVolume * 1_000).rounded() / 1_000
    isMuted = service.playback.isMuted
    stopsAfterCurrent = player.stopsAfterCurrent
    sleepEnd = service.playback.sleepTimer?.end
    lostRoute = service.playback.lostRoute
    duckLevel = service.playback.duckLevel
    duckedFor = service.playback.duckedFor
    repeatMode = queue.repeatMode
    repeatChoice = queue.repeatChoice
    shuffleMode = queue.shuffleMode
    shuffleChoice = queue.shuffleChoice
    consumes = queue.consumes
    canGoNext = player.canGoNext
    canGoPrevious = player.canGoPrevious
    canPlay = player.canPlay
    route = service.route
    interruptions = player.session.interruptions
    callers = service.playback.callers
    category = player.sessionSettings.category
    isOtherAudioPlaying = service.playback.isOtherAudioPlaying
    notStored = service.keeper?.trouble
    queueLength = queue.count
    queueIndex = queue.currentPosition
  }
}
