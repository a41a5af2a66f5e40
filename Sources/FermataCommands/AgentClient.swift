// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
package import CommandModel
package import FaceModel
import JobLogic
import MediaModel
import PlaybackLogic

/// The agent, as one command of the command line uses it: it sends questions and orders over the session bus, and
/// turns failures into errors of the command line. Nothing else here knows what a call or an answer looks like.
///
/// It may only be used on the loop. It holds the bus connection.
@AgentLoop
package final class AgentClient {
  /// The timeout of a call with sources or a file. The agent reads the folders before it answers.
  private static let patience = Duration.seconds(600)

  private let connection: BusConnection
  private let command: String

  /// A client on a connection. `command` is the command that errors name.
  package init(_ connection: BusConnection, for command: String) {
    self.connection = connection
    self.command = command
  }

  /// Connects. The first call starts the agent if it isn't running.
  static func open(for command: String) async throws(CommandError) -> AgentClient {
    AgentClient(try await sessionBus(), for: command)
  }

  /// Connects if the agent is running; nil if it isn't. Never starts one.
  static func openIfRunning(for command: String) async throws(CommandError) -> AgentClient? {
    let connection = try await sessionBus()
    do throws(BusError) {
      return try await connection.owner(of: AgentDescriptions.busName) == nil
        ? nil : AgentClient(connection, for: command)
    } catch {
      throw CommandError(error, of: command)
    }
  }

  private static func sessionBus() async throws(CommandError) -> BusConnection {
    do throws(BusError) { return try await BusConnection.open(.session) } catch {
      throw CommandError(
        .unavailable, "session bus", error.message, "run it in a desktop session, or below 'dbus-run-session'"
      )
    }
  }

  private static func startAgent(_ connection: BusConnection) async throws(CommandError) {
    do throws(BusError) {
      // A running agent is used even if the bus doesn't know how to start one.
      if try await connection.owner(of: AgentDescriptions.busName) != nil { return }
      try await connection.start(AgentDescriptions.busName)
    } catch {
      let isUnknown = error.name == .serviceUnknown
      let reason =
        "it isn't running, and the session bus \(isUnknown ? "does not know how to" : "could not") start it"
      throw CommandError(
        .unavailable, "agent", "\(reason) (\(error.message))",
        isUnknown ? "start it with 'fermata agent &'" : "'fermata agent' says why it does not start")
    }
  }

  @discardableResult
  private func call(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let target = BusTarget(
      AgentDescriptions.busName, AgentDescriptions.path, call.interface, call.member)
    do throws(BusError) { return try await connection.call(target, call.arguments, timeout: timeout) } catch {
      guard Self.saysNotRunning(error) else { throw CommandError(error, of: command) }
    }
    // The bus starts what it is asked for if it can, so a running agent is not looked for first. Only where that failed, this says why,
    // or finds an agent that has come meanwhile.
    try await Self.startAgent(connection)
    do throws(BusError) { return try await connection.call(target, call.arguments, timeout: timeout) } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Whether the call did not reach an agent: nobody has its name, and the bus could not start one.
  private static func saysNotRunning(_ error: BusError) -> Bool {
    error.name == .serviceUnknown || error.name == .nameHasNoOwner
      || error.name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
  }

  private var unreadable: CommandError {
    CommandError(
      .unavailable, "agent", "its answer cannot be read: it is of another version",
      "end it and start the new one with 'fermata agent &'")
  }

  // MARK: The player

  /// Gives the player an order. Returns the name of what playing waits for; nil if it plays, or need not.
  func order(_ order: PlayerOrder) async throws(CommandError) -> String? {
    Self.waiting(try await call(AgentCall(order)))
  }

  /// The reason why playing has to wait is the only string in an answer, and empty if there is none.
  private static func waiting(_ reply: [WireValue]) -> String? {
    for case .string(let reason) in reply.reversed() { return reason.isEmpty ? nil : reason }
    return nil
  }

  package func status(
    timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> StatusFace {
    let reply = try await call(.status, timeout: timeout)
    guard let status = reply.first.flatMap({ StatusFace(wire: $0) }) else { throw unreadable }
    return status
  }

  /// Orders the end of the agent. It goes on for a moment after the answer.
  func quit() async throws(CommandError) { try await call(.quit) }

  /// Sets the volume, from 0 to 1.
  func set(volume: Double) async throws(CommandError) { try await call(.set(volume: volume)) }

  /// Raises the volume by `difference`, from -1 to 1, or lowers it if negative. Returns the new volume.
  func change(volumeBy difference: Double) async throws(CommandError) -> Double {
    let reply = try await call(.change(volumeBy: difference))
    guard let volume = try? reply.decoded(as: Double.self) else { throw unreadable }
    return volume
  }

  /// Mutes the music, or unmutes it.
  func set(muted: Bool) async throws(CommandError) { try await call(.set(muted: muted)) }

  /// Mutes the music if it isn't muted, and unmutes it if it is. Returns whether it is muted now.
  func toggleMute() async throws(CommandError) -> Bool {
    let reply = try await call(.toggleMute)
    guard let isMuted = try? reply.decoded(as: Bool.self) else { throw unreadable }
    return isMuted
  }

  /// The outputs that the sound can go to.
  func outputs() async throws(CommandError) -> [OutputFace] {
    let reply = try await call(.outputs)
    guard case .array(_, let outputs)? = reply.first else { throw unreadable }
    return outputs.compactMap(OutputFace.init)
  }

  /// Lets the sound go to the output that this names.
  func set(output: String) async throws(CommandError) {
    do throws(CommandError) { try await call(.set(output: output)) } catch {
      guard error.code == .refused else { throw error }
      throw CommandError(.refused, command, error.reason, "'fermata output' lists them")
    }
  }

  /// Chooses the repeat mode.
  func set(repeat choice: ModeChoice<RepeatMode>) async throws(CommandError) {
    try await edit(.set(repeat: choice))
  }

  func set(shuffle choice: ModeChoice<ShuffleMode>) async throws(CommandError) {
    try await edit(.set(shuffle: choice))
  }

  func sleep(after time: Duration?) async throws(CommandError) { _ = try await call(.sleep(after: time)) }

  func set(consume isOn: Bool) async throws(CommandError) { try await edit(.set(consume: isOn)) }

  /// Has the agent read the settings file, and waits a moment until what that says is in force. An agent that cannot do so takes the
  /// file by itself a little later.
  func readSettings() async { _ = try? await call(.readSettings, timeout: .seconds(2)) }

  /// The words for the modes that were chosen by hand; "default" if none was. Nil if the agent doesn't say soon.
  func repeatChoice() async -> String? { await text(of: .repeatChoice) }
  func shuffleChoice() async -> String? { await text(of: .shuffleChoice) }

  private func text(of property: AgentCall) async -> String? {
    guard case .variant(let value)? = try? await call(property, timeout: .seconds(2)).first else {
      return nil
    }
    return String(wire: value)
  }

  /// The picture of an item, or of the current track if `item` is nil, as a URI and as the file that it names. `size`
  /// is in pixels; nil means the picture's own size.
  func art(_ item: MediaItem.ID?, size: Int?) async throws(CommandError) -> (uri: String, file: FilePath) {
    let reply = try await call(.art(item, size: size))
    guard let uri = try? reply.decoded(as: String.self), let file = try? FilePath(uri: uri) else {
      throw unreadable
    }
    return (uri, file)
  }

  // MARK: The queue

  /// Adds sources. Returns how many entries that made, and messages about what was left out.
  func add(_ order: QueueOrder) async throws(CommandError) -> (count: Int, leftOut: [String]) {
    let reply = try await edit(AgentCall(order), timeout: Self.patience)
    guard let entries = try? Array(reply.prefix(1)).decoded(as: [UInt64].self) else { throw unreadable }
    return (entries.count, Self.leftOut(reply))
  }

  /// Replaces the queue by sources and plays them. Returns messages about what was left out, and the name of what
  /// playing waits for; nil if it waits for nothing.
  func play(
    _ sources: [MediaSource], _ options: PlayOptions
  ) async throws(CommandError) -> (leftOut: [String], waiting: String?) {
    let reply = try await edit(AgentCall(QueueOrder.play(sources, options)), timeout: Self.patience)
    return (Self.leftOut(reply), Self.waiting(reply))
  }

  private static func leftOut(_ reply: [WireValue]) -> [String] {
    reply.last.flatMap { try? [$0].decoded(as: [String].self) } ?? []
  }

  /// Undoes or redoes an edit, and returns what that changed.
  func retrace(_ order: QueueOrder) async throws(CommandError) -> EditCounts {
    let reply = try await edit(AgentCall(order))
    guard let counts = try? AgentQueue.counts(reply: reply) else { throw unreadable }
    return counts
  }

  /// Makes an edit and waits until it is made.
  func edit(_ order: QueueOrder) async throws(CommandError) { try await edit(AgentCall(order)) }

  /// Writes the queue into a file.
  func save(_ file: FilePath, replacing: Bool) async throws(CommandError) {
    try await call(AgentCall(QueueOrder.save(file, replacing: replacing)), timeout: Self.patience)
  }

  /// Makes an edit. If the agent's queue can't be stored, prints why on standard error, because the edit would be lost
  /// when the agent ends.
  @discardableResult
  private func edit(
    _ call: AgentCall, timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> [WireValue] {
    let reply = try await self.call(call, timeout: timeout)
    if let reason = await notStored() { Printer.complain("not stored: \(reason)") }
    return reply
  }

  /// Why the agent's queue is not stored; nil if it is stored or the agent does not say.
  package func notStored() async -> String? {
    guard case .variant(.string(let reason))? = try? await call(.notStored).first, !reason.isEmpty else {
      return nil
    }
    return reason
  }

  /// Reads the whole queue, page by page. Reads it again if its length changed between two pages, and throws after
  /// four attempts.
  func queue() async throws(CommandError) -> QueuePage {
    for _ in 0..<4 { if let queue = try await queueAtOnce() { return queue } }
    throw CommandError(.tryAgain, "queue", "it is being edited all the time", "try again")
  }

  /// Reads these rows of the queue, which count from 1. Throws if the first of them doesn't exist; the last may be beyond the end.
  func queue(rows: ClosedRange<Int>) async throws(CommandError) -> QueuePage {
    var queue = try await page(from: rows.lowerBound, count: min(rows.count, AgentQueue.largestPage))
    guard rows.lowerBound <= queue.length else { throw Self.noRow(rows.lowerBound, of: queue.length) }
    let last = min(rows.upperBound, queue.length)
    while rows.lowerBound + queue.items.count <= last {
      let first = rows.lowerBound + queue.items.count
      let next = try await page(from: first, count: min(last - first + 1, AgentQueue.largestPage))
      if next.items.isEmpty { break }
      queue.items += next.items
      queue.current = next.current
    }
    return queue
  }

  /// Reads what comes next, at most `count` entries, and the row of each.
  func upcoming(_ count: Int) async throws(CommandError) -> (page: QueuePage, rows: [Int]) {
    let reply = try await call(.upcoming(count))
    guard let coming = try? QueuePage.upcoming(reply: reply) else { throw unreadable }
    return coming
  }

  private func queueAtOnce() async throws(CommandError) -> QueuePage? {
    var queue = try await page(from: 1)
    while queue.items.count < queue.length {
      let next = try await page(from: queue.items.count + 1)
      guard next.length == queue.length, !next.items.isEmpty else { return nil }
      queue.items += next.items
      queue.current = next.current
    }
    return queue
  }

  /// The entry IDs of rows, which must be in ascending order. Throws if a row doesn't exist.
  func entries(ofRows rows: [Int]) async throws(CommandError) -> [EntryID] {
    var entries: [EntryID] = []
    var (first, rowsOfPage) = (1, [ItemFace]())
    for row in rows {
      if !(first..<first + rowsOfPage.count).contains(row) {
        let page = try await page(from: row, count: rows.count == 1 ? 1 : AgentQueue.largestPage)
        guard row <= page.length else { throw Self.noRow(row, of: page.length) }
        (first, rowsOfPage) = (row, page.items)
      }
      guard let entry = rowsOfPage.dropFirst(row - first).first?.entry else { throw unreadable }
      entries.append(entry)
    }
    return entries
  }

  /// Reads rows of the queue, from `row` on: at most `count`, and at most as many as fit into one answer.
  private func page(
    from row: Int, count: Int = AgentQueue.largestPage
  ) async throws(CommandError) -> QueuePage {
    let reply = try await call(.list(from: row, count: count))
    guard let page = try? QueuePage(reply: reply),
      page.items.count <= count, page.items.allSatisfy({ $0.entry != nil })
    else { throw unreadable }
    return page
  }

  private static func noRow(_ row: Int, of length: Int) -> CommandError {
    guard length > 0 else {
      return CommandError(.refused, "row \(row)", "the queue is empty", "fill it with 'fermata add SOURCE…'")
    }
    let rows = length == 1 ? "one row" : "\(length) rows"
    return CommandError(.refused, "row \(row)", "the queue has \(rows)", "'fermata queue' lists them")
  }

  // MARK: The library

  /// Takes a folder into the library, and returns the job that reads it.
  func add(libraryFolder folder: FilePath) async throws(CommandError) -> JobID {
    try await job(.add(libraryFolder: folder))
  }

  /// Takes a folder out of the library.
  func remove(libraryFolder folder: FilePath) async throws(CommandError) {
    try await call(.remove(libraryFolder: folder))
  }

  /// Looks for changes in these folders, or in all if there are none, and returns the job that does so.
  func scan(_ folders: [FilePath]) async throws(CommandError) -> JobID { try await job(.scan(folders)) }

  private func job(_ call: AgentCall) async throws(CommandError) -> JobID {
    let reply = try await self.call(call, timeout: Self.patience)
    guard let number = try? reply.decoded(as: UInt32.self) else { throw unreadable }
    return JobID(rawValue: number)
  }

  func libraryStatus() async throws(CommandError) -> LibraryStatus {
    let reply = try await call(.libraryStatus)
    guard let status = reply.first.flatMap(LibraryStatus.init(wire:)) else { throw unreadable }
    return status
  }

  /// The items for which a request holds, all pages of them, and how many there are without a limit.
  func items(_ request: LibraryRequest) async throws(CommandError) -> (items: [ItemFace], total: Int) {
    try await pages(request) { try? AgentLibrary.items(reply: $0) }
  }

  /// The collections that a request asks for, all pages of them, and how many there are without a limit.
  func collections(
    _ request: LibraryRequest
  ) async throws(CommandError) -> (collections: [CollectionFace], total: Int) {
    try await pages(request) { try? AgentLibrary.collections(reply: $0) }
  }

  private func pages<Row>(
    _ request: LibraryRequest, _ read: ([WireValue]) -> ([Row], Int)?
  ) async throws(CommandError) -> ([Row], Int) {
    var (rows, total, request) = ([Row](), 0, request)
    repeat {
      request.first = rows.count + 1
      guard let page = read(try await call(.query(request), timeout: Self.patience)) else { throw unreadable }
      total = page.1
      if page.0.isEmpty { break }
      rows += page.0
    } while rows.count < min(total, request.limit ?? .max)
    return (rows, total)
  }

  /// The numbers of the items for which a request holds.
  func numbers(_ request: LibraryRequest) async throws(CommandError) -> [MediaItem.ID] {
    var (numbers, request) = ([MediaItem.ID](), request)
    request.count = AgentLibrary.largestNumbers
    while true {
      request.first = numbers.count + 1
      let reply = try await call(.numbers(request), timeout: Self.patience)
      guard let page = try? AgentLibrary.numbers(reply: reply) else { throw unreadable }
      numbers += page.items
      if page.items.isEmpty || numbers.count >= min(page.total, request.limit ?? .max) { return numbers }
    }
  }

  /// The sources that a command was given: those that were named, or else the items for which an expression holds.
  func sources(
    _ named: NamedSources.ForAgent?, or expression: String?
  ) async throws(CommandError) -> [MediaSource] {
    switch named {
    case .sources(let sources): sources
    case .items(let items): try await sources(of: items)
    case nil: try await sources(LibraryRequest(expression ?? ""))
    }
  }

  /// The items for which a request holds, in its order, as sources. Throws if there is none.
  func sources(_ request: LibraryRequest) async throws(CommandError) -> [MediaSource] {
    let items = try await numbers(request)
    guard !items.isEmpty else {
      throw CommandError(
        .nothingPlayable, command, "nothing in the library is like that",
        "'fermata library' shows what there is")
    }
    return items.map(MediaSource.item)
  }

  /// These items as sources, in this order. Items that the library does not have are told on standard error and left out; throws if none
  /// is left.
  func sources(of items: [MediaItem.ID]) async throws(CommandError) -> [MediaSource] {
    var known: Set<MediaItem.ID> = []
    var rest = items[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.mostNumbers)
      rest = rest.dropFirst(part.count)
      let numbers = part.map { "\($0.rawValue)" }.joined(separator: ", ")
      known.formUnion(try await self.numbers(LibraryRequest("id in [\(numbers)]")))
    }
    for item in items where !known.contains(item) {
      Printer.complain("item \(item.rawValue): the library has none of that number")
    }
    guard !known.isEmpty else {
      throw CommandError(
        .noSuchFile, command, "the library has none of these items",
        "'fermata library list' shows their numbers")
    }
    return items.filter(known.contains).map(MediaSource.item)
  }

  /// The most items that one expression names, so that it stays shorter than the agent takes.
  private static let mostNumbers = 500

  /// All that is known of an item.
  func item(_ item: MediaItem.ID) async throws(CommandError) -> ItemFace {
    let reply = try await call(.item(item))
    guard let face = reply.first.flatMap(ItemFace.init(wire:)) else { throw unreadable }
    return face
  }

  func rate(_ item: MediaItem.ID, _ rating: Int) async throws(CommandError) {
    try await call(.rate(item, rating))
  }

  /// What is noted of an item; empty if nothing is.
  func note(_ item: MediaItem.ID, key: String) async throws(CommandError) -> String {
    let reply = try await call(.note(item, key: key))
    guard let note = try? reply.decoded(as: String.self) else { throw unreadable }
    return note
  }

  func setNote(_ item: MediaItem.ID, key: String, _ text: String) async throws(CommandError) {
    try await call(.setNote(item, key: key, text))
  }

  // MARK: Jobs

  /// The jobs that are not over, and those that ended last.
  func jobs() async throws(CommandError) -> [Job] {
    let reply = try await call(.jobs)
    guard let jobs = try? AgentJobs.jobs(reply: reply) else { throw unreadable }
    return jobs
  }

  func order(_ order: JobBoard.Order, _ job: JobID) async throws(CommandError) {
    try await call(.order(order, job))
  }

  // MARK: News

  /// Calls `handler` for all news from the agent, which is started if it isn't running, until the returned subscription is cancelled or
  /// released.
  func news(_ handler: @escaping @AgentLoop ([AgentNews]) -> Void) async throws(CommandError)
    -> BusSubscription
  {
    try await Self.startAgent(connection)
    let rule = MatchRule(sender: AgentDescriptions.busName, path: AgentDescriptions.path)
    do throws(BusError) {
      return try await connection.subscribe(rule) { signal in
        let news = AgentNews.news(signal.interface, signal.member, signal.arguments)
        if !news.isEmpty { handler(news) }
      }
    } catch {
      throw CommandError(error, of: command)
    }
  }

  /// Calls `handler` when the agent or the bus ends. The returned subscription has to be kept, or the end of the agent
  /// is not noticed; the end of the bus is noticed without it.
  func loss(_ handler: @escaping @AgentLoop (CommandError) -> Void) async throws(CommandError)
    -> BusSubscription
  {
    let gone = CommandError(.unavailable, "agent", "it has ended", "any other command starts it again")
    connection.onLoss = { _ in handler(CommandError(.unavailable, "session bus", "it has ended")) }
    do throws(BusError) {
      return try await connection.nameOwnerChanges(of: AgentDescriptions.busName) { change in
        if change.newOwner == nil { handler(gone) }
      }
    } catch {
      throw CommandError(error, of: command)
    }
  }
}

extension CommandError {
  /// An error for what the agent or the bus answered to a command.
  fileprivate init(_ error: BusError, of command: String) {
    if let refusal = AgentError(error.name) {
      let isEmpty = refusal == .refused && error.message == Refusal.emptyQueue.rawValue
      self.init(
        ExitCode(refusal), command, error.message, isEmpty ? "fill it with 'fermata play SOURCE…'" : "")
      return
    }
    switch error.name {
    case .serviceUnknown, .nameHasNoOwner, .noReply, .noServer, .disconnected:
      self.init(.unavailable, "agent", error.message, "see whether 'fermata agent' says why")
    case .unknownObject, .unknownInterface, .unknownMethod, .unknownProperty:
      self.init(
        .unavailable, "agent", "it is of another version (\(error.message))",
        "end it and start the new one with 'fermata agent &'")
    default: self.init(.refused, command, error.message)
    }
  }
}

extension ExitCode {
  init(_ error: AgentError) {
    self =
      switch error {
      case .refused: .refused
      case .nothingPlayable: .nothingPlayable
      case .noSuchFile: .noSuchFile
      case .noServer: .unavailable
      case .cannotWrite: .cannotWrite
      case .tryAgain: .tryAgain
      case .badSettings: .badSettings
      }
  }
}
