// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
package import FaceModel
import Glibc
import MediaModel
package import PlaybackLogic

/// Keeps the player on the session bus: connects, takes its name, and does both again when the bus was lost. Loop only; `stop` ends
/// it.
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
  private var connection: BusConnection?
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
    connection?.close()
    connection = nil
  }

  /// Passes the player's reports on to all services on the bus.
  package func hear(_ news: PlayerNews) {
    playlists?.hear(news)
    if case .turn = news { items.lookAhead(in: service.player.queue) }
    mpris?.hear(news)
    agent?.hear(news)
  }

  private func connect() async {
    var opened: BusConnection?
    do throws(BusError) {
      let connection = try await BusConnection.open(endpoint)
      if isStopped { return connection.close() }
      opened = connection
      self.connection = connection
      connection.onLoss = { [weak self, weak connection] loss in self?.lost("\(loss)", connection) }
      // All objects are exported before the name is taken, since a client that sees the name may call at once.
      saved = playlists.map { PlaylistsService(connection, editor: editor, $0) }
      if names != .guardian {
        mpris = MPRISService(
          connection, service, items: items, editor: editor, playlists: saved, of: names.program,
          quit: quit)
      }
      if names.isAgents {
        libraryInterfaces = library.map { LibraryInterfaces(connection, $0, items.pictures) }
        padsInterface = pads.map { PadsInterface(connection, $0) }
        let others = (libraryInterfaces?.interfaces() ?? []) + (padsInterface.map { [$0.interface()] } ?? [])
        let refusal = names == .guardian ? GuardAgent.refusal : nil
        agent = AgentService(
          connection, service, items: items, editor: editor,
          beside: refusal.map { LibraryInterfaces.refused(with: $0) + [PadsInterface.refused(with: $0)] }
            ?? others, refusingOrdersWith: refusal,
          readSettings: readSettings, quit: quit)
      }
      service.guardOthers(on: connection)
      await currentIsKnown()
      await isReady()
      try await takeNames(connection)
      backoff.reset()
      losses = BusLosses()
      lostAt = nil
    } catch {
      lost(error.message, opened)
    }
  }

  /// Waits until the tags of a restored track are read, so that the track is shown with its title from the beginning. Gives up if its disk takes too
  /// long.
  private func currentIsKnown() async {
    let queue = service.player.queue
    guard let current = queue.current, let entry = queue.entry(current) else { return }
    await items.settle(entry, within: Self.patience)
  }

  private func takeNames(_ connection: BusConnection) async throws(BusError) {
    // The same agent of a session gets both names, because all commands go to it.
    let isFirst = names.isAgents ? try await own(AgentDescriptions.busName, connection) : false
    if names == .guardian {
      let name = AgentDescriptions.busName.text
      if isFirst { return handler(.owning(name)) }
      return handler(.second(name, besides: try? await connection.processID(of: AgentDescriptions.busName)))
    }
    let player = "\(MPRISDescriptions.root.name).\(names.program.nameOnBus)"
    let instance = "\(player).instance\(getpid())"
    for name in isFirst ? [player, instance] : [instance] {
      guard let valid = BusName(name), try await own(valid, connection) else { continue }
      guard names == .agent, !isFirst else { return handler(.owning(name)) }
      return handler(.second(name, besides: try? await connection.processID(of: AgentDescriptions.busName)))
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

  private func own(_ name: BusName, _ connection: BusConnection) async throws(BusError) -> Bool {
    try await connection.requestName(name)
  }

  /// Handles the loss of a connection, once, however many notice it. The loss of a connection that was already left is ignored.
  private func lost(_ reason: String, _ lost: BusConnection?) {
    guard !isStopped, lost === connection else { return }
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
