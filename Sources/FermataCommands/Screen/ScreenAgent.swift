// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import FileIO
import LibraryQuery
import MediaModel
import PlaybackLogic
import ScreenModel
import UserFiles

/// Carries out the screen's requests to the agent, and passes the agent's answers and news to the screen.
///
/// Orders are carried out in two lanes: one for the player, which answers at once, and one for edits, which may have to wait for a disk. In each lane
/// they are carried out one after the other, in the order in which they were given. Commands that edit the queue or a playlist wait in the lane for
/// edits. A jump to an entry that the screen knows waits for no other order, and no order for it. Questions do not wait for orders or for each other. Only on the loop.
@AgentLoop
final class ScreenAgent {
  /// The state of the question for the player's status, of which only one is under way at a time.
  private enum Question {
    case none
    case underWay
    /// The question is under way, but something has changed since it was sent: it is asked again after the answer.
    case outdated
  }

  private let name: String
  private let tell: @AgentLoop (ScreenEvent) -> Void
  private var client: AgentClient?
  private var news: (any AgentSubscription)?
  private var presence: (any AgentSubscription)?
  private let playerLane = OrderLane()
  private let editLane = OrderLane()
  /// How many commands of the `:` line have not ended. Each runs in a process of its own.
  private var commandsUnderWay = 0
  /// How many jumps the agent has not answered yet.
  private var jumpsUnderWay = 0
  /// Resumed when all orders are carried out, or when `end` has waited long enough.
  private let ending = WaitingCallers()
  private var status = Question.none
  /// The cover to ask for next, and whether a question for one is under way. Only the newest of several waits, because decoding a picture takes the
  /// agent longer than a user needs to skip a track.
  private var nextCover: CoverRequest?
  private var isAskingCover = false
  /// Reads covers and makes of them what the terminal takes, which may last longer than a key may wait.
  private let covers = BlockingThread("cover")
  let lists = ScreenLists()
  /// The questions that wait to be asked again.
  private var failed: [Failed: ScreenEffect] = [:]
  /// Whether an agent is running. Without one no question is sent, because the bus would start an agent for it.
  private var isThere = false
  private var revival = AgentRevival()
  private var revivalTimer: LoopTimer?

  /// Whether nobody knows yet whether there is an agent.
  private var isBeginning = true

  /// `tell` is called with the events for the screen.
  init(_ name: String, tell: @escaping @AgentLoop (ScreenEvent) -> Void) {
    (self.name, self.tell) = (name, tell)
  }

  /// Connects, and starts the agent if none runs. A failure is reported as an event.
  func begin() async {
    defer { isBeginning = false }
    do throws(CommandError) {
      let client = try await AgentClient.open(for: name) { [weak self] in self?.tell(.failed($0)) }
      self.client = client
      presence = try await client.presence { [weak self] in self?.take($0) }
      news = try await client.news { [weak self] in self?.take($0) }
      isThere = true
      tell(.agentFound)
    } catch {
      if client == nil { tell(.agentLost(.noBus(text(of: error)))) } else { await beginWithoutAgent(error) }
    }
  }

  /// Begins on a bus where no agent could be started. The screen waits for one.
  private func beginWithoutAgent(_ error: CommandError) async {
    news = try? await client?.newsWithoutStart { [weak self] in self?.take($0) }
    tell(.agentLost(.unstartable(text(of: error))))
  }

  /// How long `end` waits. An edit that was sent by then is made all the same. What waits for a file, or behind another order, is lost.
  private static let patience = Duration.seconds(5)

  /// Waits until all orders that were given are carried out, but at most five seconds unless a command runs, and ends the subscriptions to the agent's
  /// news. Returns how many orders were not sent by then.
  func end() async -> Int {
    revivalTimer?.cancel()
    if !isIdle { await ending.wait(atMost: Self.patience) }
    // A command ends by itself, and those behind it wait for that.
    while !isIdle, commandsUnderWay > 0 { await ending.wait(atMost: Self.patience) }
    (news, presence) = (nil, nil)
    return playerLane.unsent + editLane.unsent
  }

  private var isIdle: Bool { playerLane.isIdle && editLane.isIdle && jumpsUnderWay == 0 }

  /// Ends all subscriptions to the agent's news, because this process is to be stopped; `goOn` subscribes again.
  func pause() async {
    news?.cancel()
    presence?.cancel()
    (news, presence) = (nil, nil)
    // The answer to this question comes after the bus has removed both subscriptions.
    _ = try? await client?.isAgentThere()
  }

  /// Subscribes again to what the agent tells, after the screen was suspended (Ctrl-Z). If the agent has gone meanwhile, none is started, because
  /// somebody may have ended it.
  func goOn() async {
    guard let client, news == nil else { return }
    presence = try? await client.presence { [weak self] in self?.take($0) }
    news = try? await client.newsWithoutStart { [weak self] in self?.take($0) }
    isThere = (try? await client.isAgentThere()) ?? false
    tell(isThere ? .agentFound : .agentLost(.absent))
  }

  private func take(_ news: [AgentNews]) {
    for news in news {
      switch news {
      case .ending:
        isThere = false
        revival.announceEnd()
      case .state(let new, why: _):
        if new == .paused, state != .paused { silencings += 1 }
        state = new
      default: break
      }
      tell(.news(news))
    }
  }

  private func take(_ presence: AgentPresence) {
    switch presence {
    case .came:
      revivalTimer?.cancel()
      revival.came()
      isThere = true
      tell(.agentFound)
    case .went:
      isThere = false
      let absence = revival.went(at: AgentLoop.now)
      tell(.agentLost(absence))
      guard absence == .crashed(comesBack: true) else { return }
      revivalTimer = AgentLoop.after(AgentRevival.delay) { [weak self] in self?.revive() }
    case .never: tell(.agentLost(.noBus("the session bus has ended")))
    }
  }

  /// Starts an agent; the bus then reports its coming.
  private func revive() {
    AgentLoop.task { [self] in
      do throws(CommandError) { try await client?.start() } catch {
        tell(.agentLost(.unstartable(text(of: error))))
      }
    }
  }

  // MARK: What the screen wants

  func carryOut(_ effect: ScreenEffect) {
    switch effect {
    case .needStatus: askStatus()
    case .needQueue, .needLibrary, .needFolders, .needJobs, .needUpcoming, .needLists, .needPads,
      .needItem, .needDetails:
      AgentLoop.task { [self] in await answer(effect) }
    case .needCover(let request): ask(request)
    case .hit(let pad): strike(pad)
    case .jump(_, _?): jump(effect)
    case .command(let words, let line) where !Screen.keepsOrder(words):
      AgentLoop.task { [self] in await run(words, line: line) }
    default:
      if effect.silences(state) { silencings += 1 }
      lane(of: effect).add { [self, silencings] in
        await order(effect, after: silencings)
      } whenIdle: { [self] in
        if isIdle { ending.resume() }
      }
    }
  }

  /// Sends a jump at once. Behind an earlier one, whose file is on a disk that wakes up, it would be sent when the listener may have paused elsewhere;
  /// the agent knows which of several counts.
  private func jump(_ effect: ScreenEffect) {
    jumpsUnderWay += 1
    AgentLoop.task { [self, silencings] in
      await order(effect, after: silencings)
      jumpsUnderWay -= 1
      if isIdle { ending.resume() }
    }
  }

  private func lane(of effect: ScreenEffect) -> OrderLane {
    switch effect {
    case .order, .changeVolume, .toggleMute, .setRepeat, .setShuffle, .stopPads: playerLane
    default: editLane
    }
  }

  /// What the player did when it was asked or told of it last.
  private var state = PlaybackState.stopped
  /// How often the music was silenced, here or elsewhere. An order to play that waited, for an earlier order or for an answer, must not start it then.
  private var silencings = 0

  /// Carries out an order that was given when `silencings` had this value.
  private func order(_ effect: ScreenEffect, after silencings: Int) async {
    // A command is a process of its own, which connects to the agent by itself.
    if case .command(let words, let line) = effect {
      if words.first == "play", self.silencings != silencings {
        return tell(.failed("'\(line)' was not carried out: the music was paused meanwhile"))
      }
      return await run(words, line: line)
    }
    var isGood = client != nil
    do throws(CommandError) {
      if let client, let event = try await carryOut(effect, client, after: silencings) { tell(event) }
    } catch {
      isGood = false
      tell(.failed(text(of: error)))
    }
    if effect.editsQueue { tell(.ended(effect, isGood: isGood)) }
  }

  /// The text of an error, as it is shown on the screen. An error of this command itself is told without the command's name.
  private func text(of error: CommandError) -> String {
    guard error.subject == name else { return "\(error)" }
    return error.reason + (error.remedy.isEmpty ? "" : "; \(error.remedy)")
  }

  private func run(_ words: [String], line: String) async {
    commandsUnderWay += 1
    defer { commandsUnderWay -= 1 }
    let (output, isGood) = await ChildCommand.run(words)
    tell(.commandEnded(line: line, output: output, isGood: isGood))
  }

  /// Strikes a pad without waiting for earlier orders, because a late hit is useless.
  private func strike(_ pad: PadNumber) {
    AgentLoop.task { [self] in
      do throws(CommandError) { try await client?.hit(pad: pad) } catch { tell(.failed(error.reason)) }
    }
  }

  private func carryOut(
    _ effect: ScreenEffect, _ client: AgentClient, after silencings: Int
  ) async throws(CommandError) -> ScreenEvent? {
    switch effect {
    case .order(let order): return Self.said(waiting: try await client.order(order))
    case .edit(.undo): return .retraced(try await client.retrace(.undo), isUndo: true)
    case .edit(.redo): return .retraced(try await client.retrace(.redo), isUndo: false)
    case .edit(let order): try await client.edit(order)
    case .changeVolume(let difference): _ = try await client.change(volumeBy: difference)
    case .toggleMute: _ = try await client.toggleMute()
    case .setRepeat(let mode): try await client.set(repeat: .chosen(mode))
    case .setShuffle(let mode): try await client.set(shuffle: .chosen(mode))
    case .rate(let tracks, let rating): return try await rate(tracks, rating, client)
    case .rateRows(let rows, let rating):
      return try await rate(try await tracks(inRows: rows, client), rating, client)
    case .job(let order, let job): try await client.order(order, job)
    case .stopPads: try await client.stopPads()
    // The bus would start an agent to carry out the order that it end.
    case .quitAgent where !isThere: return .said("no agent runs")
    case .quitAgent: try await client.quit()
    case .use(let choice, let use): return try await self.use(choice, use, client, after: silencings)
    case .addToList(let choice, let name):
      try await client.checkNoSmartPlaylist(has: name)
      let file = try await lists.place(ofList: name)
      let added = try await client.add(try await sources(choice, client), toFile: file)
      let again = ShellWord.quoted(name)
      return .said(
        "\(CountText.text(added.count, "track")) added; ':playlist restore \(again)' takes it back")
    case .jump(let row, let entry): return try await jump(to: row, entry, client, after: silencings)
    default: return try await carryOutRows(effect, client)
    }
    return nil
  }

  /// Plays a row, unless the music was silenced since. The agent is asked for its entry if the screen doesn't know it.
  private func jump(
    to row: Int, _ known: EntryID?, _ client: AgentClient, after silencings: Int
  ) async throws(CommandError) -> ScreenEvent? {
    var entry = known
    if entry == nil { entry = try await client.entries(ofRows: [row]).first }
    guard self.silencings == silencings else {
      throw CommandError(.refused, "row \(row)", "the music was paused meanwhile", "choose it again")
    }
    guard let entry else { return nil }
    return Self.said(waiting: try await client.order(.jump(to: entry)))
  }

  private func carryOutRows(_ effect: ScreenEffect, _ client: AgentClient) async throws(CommandError)
    -> ScreenEvent?
  {
    switch effect {
    case .remove(let ranges, let known):
      let rows = ranges.flatMap { Array($0) }
      try await client.edit(.remove(known.isEmpty ? try await client.entries(ofRows: rows) : known))
      return .said("\(Self.rows(rows.count)) removed; u undoes")
    case .move(let row, let count, let target, let known):
      let entries = if let known { [known] } else { try await client.entries(ofRows: [row]) }
      for entry in entries {
        try await client.edit(.move(entry, count: count, to: target))
      }
    case .sort(let key, let ranges):
      guard let sort = try? TrackSort([key]) else { break }
      let entries = try await client.entries(ofRows: ranges.flatMap { Array($0) })
      return .said(Self.said(try await client.sort(entries, by: sort), sort))
    default: break
    }
    return nil
  }

  private static func said(_ outcome: SortOutcome, _ sort: TrackSort) -> String {
    let unread = QueueText.unread(outcome).map { "; \($0)" } ?? ""
    return outcome.moved == 0
      ? "already in order by \(sort)\(unread)"
      : "\(rows(outcome.rows)) sorted by \(sort); u undoes\(unread)"
  }

  private static func said(waiting reason: String?) -> ScreenEvent? {
    reason.map { .said("it will play when \(PlainWords.awaited($0))") }
  }

  private static func rows(_ count: Int) -> String { CountText.text(count, "row") }

  private func use(
    _ choice: LibraryChoice, _ use: LibraryUse, _ client: AgentClient, after silencings: Int
  ) async throws(CommandError) -> ScreenEvent? {
    let sources = try await sources(choice, client)
    switch use {
    case .play:
      let isSilenced = self.silencings != silencings
      let added = try await client.play(sources, PlayOptions(isStopped: isSilenced))
      if isSilenced {
        return .said("the queue was replaced, and stays silent: the music was paused meanwhile")
      }
      return Self.said(waiting: added.waiting) ?? .said("the queue was replaced; u brings the old one back")
    case .append: return .said("\(Self.rows(try await client.add(.append(sources)).count)) added; u undoes")
    case .addNext:
      return .said("\(Self.rows(try await client.add(.addNext(sources)).count)) added after this; u undoes")
    }
  }

  // MARK: Questions

  private func askStatus() {
    guard isThere else { return }
    guard status == .none else { return status = .outdated }
    status = .underWay
    AgentLoop.task { [self] in
      repeat {
        status = .underWay
        // The agent may have announced its end meanwhile, and then its status is no longer true.
        let answer = try? await client?.status()
        guard isThere else { break }
        if let answer {
          state = answer.state
          tell(.status(answer))
        } else {
          later { $0.askStatus() }
        }
      } while status == .outdated && isThere
      status = .none
    }
  }

  private func ask(_ request: CoverRequest) {
    nextCover = request
    guard !isAskingCover else { return }
    isAskingCover = true
    AgentLoop.task { [self] in
      while let request = nextCover {
        nextCover = nil
        tell(.cover(await image(request), for: request))
      }
      isAskingCover = false
    }
  }

  /// The largest picture file that is read as a cover, in bytes. Even a picture of noise, in the largest size that is asked for, is somewhat smaller.
  private nonisolated static let largestCover = 2 << 20

  private func image(_ request: CoverRequest) async -> CoverImage? {
    guard let client, isThere, let art = try? await client.art(of: request.entry, size: request.edge)
    else { return nil }
    return try? await covers.run { _ in Self.image(request, in: art.file) }
  }

  private nonisolated static func image(_ request: CoverRequest, in file: FilePath) -> CoverImage? {
    guard let held = try? HeldFile(file), held.kind == .file, held.stamp.size <= largestCover,
      let bytes = try? held.openFile().head(Int(held.stamp.size))
    else { return nil }
    return request.image(in: bytes)
  }

  private func answer(_ question: ScreenEffect) async {
    guard let client, isThere else {
      // A list that waits for an answer asks nothing else until it has one.
      // While it is still being looked for, nothing is said: when it is found, the list asks again.
      let why = isBeginning ? "" : "no agent"
      if case .needLibrary(_, let ticket) = question { tell(.library(.failed(why), ticket: ticket)) }
      return
    }
    if case .needLibrary(let request, let ticket) = question {
      do throws(CommandError) {
        tell(.library(try await answer(request, ticket, client), ticket: ticket))
      } catch {
        // An agent that only guards refuses for good.
        if error.code != .refused, case .column(let index) = ticket.asker {
          askLater(question, as: .column(index))
        }
        tell(.library(.failed(error.reason), ticket: ticket))
      }
      return
    }
    do throws(CommandError) {
      if let event = try await answer(question, client) { tell(event) }
    } catch {
      // If the agent is gone, the bus reports that separately. One that hangs may answer the next time; one that only guards refuses for good.
      switch question {
      case _ where error.code == .refused: break
      case .needJobs: askLater(question, as: .jobs)
      case .needFolders: askLater(question, as: .folders)
      default: later { $0.tell(.unanswered(question)) }
      }
    }
  }

  /// A kind of question that is asked again, some time after it failed.
  private enum Failed: Hashable { case jobs, folders, column(Int) }

  /// Asks a question once more after a rest. If others of its kind fail during the rest, only the last of them is asked.
  private func askLater(_ question: ScreenEffect, as kind: Failed) {
    guard failed.updateValue(question, forKey: kind) == nil else { return }
    AgentLoop.after(Self.longRest) { [weak self] in
      if let self, let question = failed.removeValue(forKey: kind), isThere { tell(.unanswered(question)) }
    }
  }

  /// How long an agent that has not answered is left alone.
  private static let rest = Duration.seconds(1)
  /// How long jobs and a library are left alone that could not answer. It may be locked by another program, or its disk may be full.
  private static let longRest = Duration.seconds(5)

  private func later(_ action: @escaping @AgentLoop (ScreenAgent) -> Void) {
    AgentLoop.after(Self.rest) { [weak self] in
      if let self, isThere { action(self) }
    }
  }

  private func answer(_ question: ScreenEffect, _ client: AgentClient) async throws(CommandError)
    -> ScreenEvent?
  {
    switch question {
    case .needQueue(let ticket, let count):
      let reply = try await client.call(
        .list(from: ticket.first + 1, count: min(count, AgentQueue.largestPage)))
      return (try? QueuePage(reply: reply)).map { .queue($0, ticket: ticket) }
    case .needFolders: return .folders(try await client.libraryStatus(), music: UserFolders.music?.text)
    case .needJobs: return .jobs(try await client.jobs())
    case .needUpcoming: return .upcoming(try await client.upcoming(Self.mostUpcoming).page.items)
    case .needItem(let item): return .item(try await client.item(item))
    case .needDetails(let track, let row):
      return try await details(track, row, client).map { .details($0, of: track) }
    case .needPads:
      do throws(CommandError) { return .pads(try await client.preparePads()) } catch {
        return .failed(error.reason)
      }
    case .needLists: return await lists.all(client) { tell(.failed($0)) }.map { .lists($0) }
    default: return nil
    }
  }

  private static let mostUpcoming = 50

  /// What the library knows of a track, or the queue if it is not in the library.
  private func details(
    _ track: RatedTrack, _ row: Int?, _ client: AgentClient
  ) async throws(CommandError) -> ItemFace? {
    if let item = try await known(track, client) { return try await client.item(item) }
    guard let row else { return nil }
    let page = try? QueuePage(reply: try await client.call(.list(from: row, count: 1)))
    // By now another track may stand in that row.
    return page?.items.first { TrackRow($0).rated == track }
  }

  /// Asks the library. A search for words, and what belongs to it, uses the method in which the agent cancels the earlier search, so that no
  /// letter waits for what the one before has asked. A predicate is an ordinary query.
  private func answer(
    _ request: LibraryRequest, _ ticket: LibraryTicket, _ client: AgentClient
  ) async throws(CommandError) -> LibraryAnswer {
    let isSearch =
      ticket.asker == .search && !request.search.isEmpty
      || [.searchAlbums, .preparation].contains(ticket.asker)
    var words = request
    words.search = ""
    let reply = try await client.call(isSearch ? .search(request.search, words) : .query(request))
    if request.group != nil, let answer = try? AgentLibrary.collections(reply: reply) {
      return .collections(answer.collections, total: answer.total)
    }
    guard let answer = try? AgentLibrary.items(reply: reply) else {
      return .failed("an answer that nobody can read")
    }
    return .items(answer.items, total: answer.total)
  }
}

/// Carries out work in the order in which it was given, each piece when the one before has ended.
@AgentLoop
private final class OrderLane {
  private var waiting: [@AgentLoop () async -> Void] = []
  private(set) var isIdle = true
  /// How much work has not been begun.
  var unsent: Int { waiting.count }

  /// Adds work. `whenIdle` is called when no work is left.
  func add(_ work: @escaping @AgentLoop () async -> Void, whenIdle: @escaping @AgentLoop () -> Void) {
    waiting.append(work)
    guard isIdle else { return }
    isIdle = false
    AgentLoop.task { [self] in
      while !waiting.isEmpty { await waiting.removeFirst()() }
      isIdle = true
      whenIdle()
    }
  }
}
