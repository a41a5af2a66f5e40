// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import DecodeIO
import FaceModel
import MediaModel
import PlaybackLogic
import ReaderIO
import SourceIO

/// Looks up the sources that callers on the bus name, on threads that may block, and finds out whether they can be opened.
@AgentLoop
struct SourceFinder {
  private let thread: BlockingThread
  /// The thread that opens an entry on trial when it is to be played at once. Because of it, such an order does not wait for a search through
  /// folders.
  private let opening = BlockingThread("opening")
  private let service: PlayerService
  private let items: ItemService
  /// The library of this agent; nil for a player that has none.
  let library: LibraryService?
  /// Finds the files of items in the library of another process; nil where nobody is to be asked.
  private let elsewhere: FileFinder?
  private let turns = Turns()

  typealias FileFinder = @AgentLoop ([MediaItem.ID]) async throws(BusError) -> [ItemSource]

  init(
    _ thread: BlockingThread, _ service: PlayerService, _ items: ItemService,
    _ library: LibraryService? = nil,
    elsewhere: FileFinder? = nil
  ) {
    self.thread = thread
    self.service = service
    self.items = items
    self.library = library
    self.elsewhere = elsewhere
  }

  /// Finds the sounds that the sources stand for, such as those in a folder; the queue stays as it is. Throws if none of the files found can be
  /// opened, if `job` is cancelled, and for an item that is not in the library.
  func expand(_ sources: [MediaSource], _ job: BlockingJob = BlockingJob()) async throws(BusError)
    -> SourceExpansion
  {
    let (wanted, unknown) = try await inTurn { () throws(BusError) in try await requests(sources) }
    // The search and the trial are one job; otherwise a later order could overtake this one.
    var found = try await run(job) { [reader = items.reader, places = library?.places] job in
      Self.look(at: wanted, reader, places, job).flatMap { Self.tried($0, job) }
    }
    found.unknown = unknown
    for text in found.leftOut { service.note("sources: \(text)") }
    return found
  }

  /// How long an order waits at most until those before it have been looked up.
  private static let patience = Duration.seconds(3)

  /// Returns what `look` does, but not before all that was looked up earlier: the library takes longer for some sources than for others, and edits
  /// take effect in the order in which they came. The caller must give its job to a thread before it waits for anything else.
  private func inTurn<Found>(
    _ look: @AgentLoop () async throws(BusError) -> Found
  ) async throws(BusError) -> Found {
    let turn = turns.join()
    let limit = AgentLoop.after(Self.patience) { [turns] in turns.end(turn) }
    defer { limit.cancel() }
    let found: Result<Found, BusError>
    do throws(BusError) { found = .success(try await look()) } catch { found = .failure(error) }
    await turns.wait(for: turn)
    // Whoever is next goes on when this one waits, and so behind its job.
    turns.end(turn)
    return try found.get()
  }

  /// The files that the sources stand for, and why some playlists could not be found. Throws that reason if no source stands for a file.
  private func requests(
    _ sources: [MediaSource]
  ) async throws(BusError) -> (found: [SourceRequest], unknown: [String]) {
    let ids = sources.compactMap { if case .item(let id) = $0 { id } else { MediaItem.ID?.none } }
    var files = try await files(of: ids)[...]
    var (found, unknown): ([SourceRequest], [BusError]) = ([], [])
    for source in sources {
      switch source {
      case .file(let path): found.append(.path(path))
      case .item: found += files.popFirst().map { [SourceRequest($0)] } ?? []
      case .playlist(let name):
        do throws(BusError) { found += try await self.files(named: name).map { SourceRequest($0) } } catch {
          unknown.append(error)
        }
      }
    }
    if found.isEmpty, let error = unknown.last { throw error }
    return (found, unknown.map(\.message))
  }

  /// The files of items, or their parts. The library is asked only if there are any.
  private func files(of ids: [MediaItem.ID]) async throws(BusError) -> [ItemSource] {
    guard let first = ids.first else { return [] }
    if let elsewhere { return try await elsewhere(ids) }
    guard let library else {
      throw AgentError.refused(
        "item:\(first.rawValue): there is no library to look it up in; name it as file:")
    }
    return try await library.files(of: ids)
  }

  private func files(named playlist: String) async throws(BusError) -> [ItemSource] {
    guard let library else {
      throw AgentError.refused("playlist '\(playlist)': there is no library to look it up in; name its file")
    }
    return try await library.smart.files(named: playlist)
  }

  /// Looks up a file that is to be played at once. Its sounds are opened on trial up to the first one that opens. If none does, the present track
  /// goes on. The tags of the first good one are read, so that it is shown with its title.
  func open(_ file: FilePath) async throws(BusError) -> OpenedSources {
    let read = items.readsSources
    try await inTurn {}
    return try await run { [reader = items.reader, places = library?.places] job in
      Self.look(at: [.path(file)], reader, places, job).flatMap { Self.opened($0.entries, read, job) }
    }
  }

  /// Finds the first of these sounds that can be opened, and reads its tags, so that its title is there when it plays.
  func open(_ found: [EntrySource], _ job: BlockingJob) async throws(BusError) -> OpenedSources {
    let read = items.readsSources
    return try await run(job, on: opening) { Self.opened(found, read, $0) }
  }

  /// The result of opening an entry on trial. `isGone`: the file does not exist. `reason` says why it cannot be opened, without its name, and
  /// `refusal` says the same with its name; both are nil if it opens.
  typealias Trial = (isGone: Bool, reason: String?, refusal: String?)

  /// Tries to open an entry's file.
  func tryToOpen(_ entry: Entry, _ job: BlockingJob) async throws(BusError) -> Trial {
    try await run(job, on: opening) { job -> Result<Trial, BusError> in
      job.looks(at: entry.location)
      guard let refusal = OpeningTrial().refusal(of: [entry.source]) else {
        return .success((false, nil, nil))
      }
      return .success((FileChecker.isGone(entry), SoundOpener.refusal(of: entry.location), refusal))
    }
  }

  /// Runs a job on the orders' thread, or on `other` if given, and returns its result. Failures are thrown as errors for the bus.
  func run<Found: Sendable>(
    _ job: BlockingJob = BlockingJob(), on other: BlockingThread? = nil,
    _ body: @escaping @Sendable (BlockingJob) -> Result<Found, BusError>
  ) async throws(BusError) -> Found {
    let found: Result<Found, BusError>
    do throws(BlockingFailure) { found = try await (other ?? thread).run(job, body) } catch {
      switch error {
      case .cancelled: throw BusError(.cancelled, "nobody waits for this order any more")
      case .unresponsive, .noThread: throw AgentError.tryAgain("\(error)")
      }
    }
    return try found.get()
  }

  /// Opens the first source that can be opened, and reads its tags. Blocks. If it is a whole file, its length is the decoder's if that knows it,
  /// because tags are less exact.
  private nonisolated static func opened(
    _ sources: [EntrySource], _ read: (EntrySource) -> ItemService.Known?, _ job: BlockingJob
  ) -> Result<OpenedSources, BusError> {
    var trial = OpeningTrial()
    trial.looks = { job.looks(at: $0) }
    var length: Duration?
    trial.open = { (location) throws(DecodeError) in
      length = location == Tune.location ? nil : try SoundOpener.tryToOpen(location)
    }
    let (start, refusal) = trial.outcome(of: sources)
    if let refusal { return .failure(AgentError.nothingPlayable(refusal)) }
    guard sources.indices.contains(start) else { return .success(OpenedSources(sources: sources)) }
    var known = read(sources[start])
    if let length, sources[start].span == nil { known?.item.tags.duration = length }
    return .success(OpenedSources(sources: sources, start: start, first: known))
  }

  /// Fails if nothing of what was found can be opened. Blocks.
  private nonisolated static func tried(
    _ found: SourceExpansion, _ job: BlockingJob
  ) -> Result<SourceExpansion, BusError> {
    var trial = OpeningTrial()
    trial.looks = { job.looks(at: $0) }
    guard let refusal = trial.refusal(of: found.entries) else { return .success(found) }
    return .failure(AgentError.nothingPlayable(refusal))
  }

  /// Finds the sounds that the requests stand for, such as those in a folder. Blocks.
  private nonisolated static func look(
    at requests: [SourceRequest], _ reader: ReaderClient, _ places: Sources.LibraryPlaces?, _ job: BlockingJob
  ) -> Result<SourceExpansion, BusError> {
    do throws(SourceError) {
      return .success(try Sources.expand(requests, from: "/", reader: reader, library: places, job))
    } catch {
      return .failure(Self.error(error))
    }
  }

  private nonisolated static func error(_ error: SourceError) -> BusError {
    let problems = error.decisiveLast
    let text = problems.last?.description ?? error.description
    let others = SourceExpansion.leftOut(problems.dropLast())
    switch error.reason {
    case .cancelled: return AgentError.tryAgain(error.description)
    case .noSuchFile: return AgentError.noSuchFile(text).noting(others)
    case .nothingPlayable: return AgentError.nothingPlayable(text).noting(others)
    }
  }
}

extension SourceExpansion {
  /// One text for each source that was left out, with the reason. If there are many, the last ones are only counted: nobody reads more, and an answer
  /// must not grow with a folder. The last text counts the files in folders that are of no kind that is played.
  var leftOut: [String] {
    let further = max(0, unknown.count - Self.mostTold) + furtherProblems
    return unknown.prefix(Self.mostTold).map(WireText.clean) + Self.leftOut(problems[...], further: further)
      + (unplayed.message.map { [$0] } ?? [])
  }

  private static let mostTold = 20

  /// The texts of the first of these problems, and how many there are beside them.
  static func leftOut(_ problems: ArraySlice<SourceProblem>, further: Int = 0) -> [String] {
    let further = max(0, problems.count - mostTold) + further
    // Words of a file that is no list may hold a NUL, which no message can carry.
    return problems.prefix(mostTold).map { WireText.clean($0.description) }
      + (further > 0 ? ["and \(further) more"] : [])
  }
}

/// Lets orders go on in the order in which they came, however long each takes until then.
@AgentLoop
private final class Turns {
  private var count = 0
  private var current = 0
  /// The turns behind the current one that have ended already.
  private var ended: Set<Int> = []
  private var waiting: [Int: Promise<Void>] = [:]

  /// Returns the number of the caller's turn, which must be ended.
  func join() -> Int {
    defer { count += 1 }
    return count
  }

  func wait(for turn: Int) async {
    guard turn > current else { return }
    let begin = Promise<Void>()
    waiting[turn] = begin
    await begin.get()
  }

  /// Ends a turn. One that has not come yet is passed over when it comes. The next turn that has not ended begins, and who waits for it goes on.
  func end(_ turn: Int) {
    guard turn >= current else { return }
    ended.insert(turn)
    while ended.remove(current) != nil {
      current += 1
      waiting.removeValue(forKey: current)?.keep()
    }
  }
}

/// Sources that are to be played at once.
struct OpenedSources: Sendable {
  let sources: [EntrySource]
  /// The index of the first of them that can be opened.
  var start = 0
  /// The item of the source at `start`, if its tags were read.
  var first: ItemService.Known?
}

/// Finds out whether any of the sources that are to be queued can be opened. Without this, playing files that all fail would end the music without a
/// reason.
///
/// It stops at the first file that can be opened, so good files cost one opening, however many there are. If the first ones are bad, others are tried
/// until `patience` is over; files that have not been tried by then are taken to be good.
struct OpeningTrial {
  /// How long to go on trying. An opening takes less than a millisecond, or 20 ms from a slow disk.
  var patience = Duration.seconds(2)
  /// The clock for `patience`; tests set their own.
  var now: () -> Duration = { AgentLoop.now }
  /// Opens the sound at a location on trial; throws if that fails. Blocks. The built-in tune can always be opened.
  var open: (String) throws(DecodeError) -> Void = { (location) throws(DecodeError) in
    if location != Tune.location { _ = try SoundOpener.tryToOpen(location) }
  }

  /// Called with each location before the sound there is opened.
  var looks: (String) -> Void = { _ in }

  // Nobody reads more reasons, and an answer must not grow with a folder.
  private static let mostReasons = 3

  /// Why none of the sources can be played; nil if one can be opened, or if not all could be tried in time. Blocks.
  func refusal(of sources: [EntrySource]) -> String? { outcome(of: sources).refusal }

  /// Tries the sources in their order. `start` is the index of the first that can be opened, or whose turn did not come before the time was over; 0
  /// if all failed. Then `refusal` says why; otherwise it is nil. Blocks.
  func outcome(of sources: [EntrySource]) -> (start: Int, refusal: String?) {
    let end = now() + patience
    var (reasons, tried) = ([String](), 0)
    for index in Self.files(sources) {
      let location = sources[index].location
      if tried > 0, now() >= end { return (index, nil) }
      looks(location)
      do throws(DecodeError) {
        try open(location)
        return (index, nil)
      } catch {
        tried += 1
        if reasons.count < Self.mostReasons { reasons.append("\(error)") }
      }
    }
    return (0, Self.text(reasons, of: tried))
  }

  /// The indices of the sources to try. If several tracks in a row are parts of one file, only the first of them is tried.
  private static func files(_ sources: [EntrySource]) -> some Sequence<Int> {
    sources.indices.lazy.filter { $0 == 0 || sources[$0].location != sources[$0 - 1].location }
  }

  private static func text(_ reasons: [String], of count: Int) -> String? {
    guard reasons.count > 1 else { return reasons.first }
    let further = count - reasons.count
    return "none of \(count) files can be played: " + reasons.joined(separator: "; ")
      + (further > 0 ? "; and \(further) more" : "")
  }
}
