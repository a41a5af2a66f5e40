// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel
package import ReaderModel
internal import Synchronization

/// Reads the tags and pictures of files in another process, because a parser may crash or hang on a file that somebody made. Then that process is
/// started again, the file is reported and not read until it changes, and all other files still get their answers.
///
/// Any thread may use it; calls block. Processes are started when there is something to read, and end by themselves half a minute after the last
/// file; `tidy` releases those. Threads that read at the same time have a process each, up to a limit. The processes end with this object, or with
/// the program.
///
/// A caller that must not wait for others has a client `beside` theirs. That one has processes of its own and shares everything else. It prefers an
/// idle process of the other client to starting one, and if the other client is reading the very same file, it waits for that result.
package final class ReaderClient: Sendable {
  /// Events that the owner of the client may want to tell a person.
  package enum News: Sendable, Equatable {
    /// No file can be read; the value says why. Reported again only after reading has worked.
    case missing(String)
    /// This file is not read until it changes; the text says why.
    case killer(FilePath, String)
    /// A process was started, with these protections around it.
    case began(ReaderFence)
  }

  private let program: FilePath?
  private let patience: Duration
  private let seats: [Seat]
  /// The process places of the client that this one is beside. It uses their processes while they are idle.
  private let lenders: [Seat]
  private let common: Common
  private let tell: @Sendable (News) -> Void

  /// The state that clients beside each other share.
  private final class Common: Sendable {
    let state = Mutex(Shared())
  }

  private struct Shared {
    var charset: String?
    var killers = KillerList()
    var isMissing = false
    /// The places for processes of all clients that share this.
    var seats: [Seat] = []
    /// The files whose tags are being read alone now, so that others who want the same tags can wait for them.
    var readings: [SharedReading.Key: SharedReading] = [:]
    var whenStarted: @Sendable () -> Void = {}
  }

  /// A client of the reader that was installed with this program, or of another one. No process is started yet. `atOnce` is the largest number of
  /// processes at a time. `patience` is how long a file may take. `news` is called on any thread.
  package init(
    program: FilePath? = ReaderProgram.installed, atOnce: Int = 3, patience: Duration = .seconds(8),
    news: @escaping @Sendable (News) -> Void = { _ in }
  ) {
    (self.program, self.patience, tell) = (program, patience, news)
    common = Common()
    let seats = (0..<max(1, atOnce)).map { _ in Seat() }
    common.state.withLock { $0.seats = seats }
    (self.seats, lenders) = (seats, [])
  }

  /// A client for a caller that must not wait until others have read. It shares the other client's knowledge, such as the files that must not be
  /// read, and `tidy` of either releases the processes of both.
  /// If it `borrows`, it uses the other's processes while they have nothing to read.
  package init(beside other: ReaderClient, atOnce: Int = 1, borrows: Bool = true) {
    (program, patience, tell, common) = (other.program, other.patience, other.tell, other.common)
    let seats = (0..<max(1, atOnce)).map { _ in Seat() }
    common.state.withLock { $0.seats += seats }
    (self.seats, lenders) = (seats, borrows ? other.seats : [])
  }

  /// The character set, by its name in the C library, of texts that a tag calls Latin-1; nil for Latin-1 itself. It applies to files that are read
  /// from now on.
  package var charset: String? {
    get { common.state.withLock { $0.charset } }
    set { common.state.withLock { $0.charset = newValue } }
  }

  /// The tags of files: one result for each, in order. `looking` is called with each file before it is opened, and again when a file has kept the
  /// reader busy, so that a watch over the caller sees progress.
  package func read(
    _ files: [FilePath], looking: (FilePath) -> Void = { _ in }
  ) -> [Result<FileTags, ReadFailure>] {
    zip(files, answers(about: files, .tags, looking)).map { file, answer in
      switch answer {
      case .tags(let tags): .success(tags.named(file))
      case .failure(let failure): .failure(failure)
      case .picture: .failure(.broken)
      }
    }
  }

  package func tags(of file: FilePath) throws(ReadFailure) -> FileTags {
    switch answerUnderWay(about: file) ?? answers(about: [file], .tags)[0] {
    case .tags(let tags): return tags.named(file)
    case .failure(let failure): throw failure
    case .picture: throw .broken
    }
  }

  /// The picture embedded in a file: its front cover, or else the most suitable one. Nil if there is none in one of the formats of `CoverPicture`.
  package func picture(of file: FilePath) throws(ReadFailure) -> CoverPicture? {
    try picture(of: file, .picture)
  }

  /// The picture embedded in a sound file, or the file itself if it is a picture, as a PNG that fits into a square of `edge` pixels. Nil if there is
  /// none, or none that can be decoded.
  package func picture(of file: FilePath, edge: Int) throws(ReadFailure) -> CoverPicture? {
    try picture(of: file, .scaled(edge: edge))
  }

  private func picture(of file: FilePath, _ wanted: ReaderRequest.Wanted) throws(ReadFailure) -> CoverPicture?
  {
    switch answers(about: [file], wanted)[0] {
    case .picture(let picture): return picture
    case .failure(let failure): throw failure
    case .tags: throw .broken
    }
  }

  /// Starts a process if none runs, and returns the protections around it.
  package func check() throws(ReadFailure) -> ReaderFence {
    let fence: Result<ReaderFence, ReadFailure> = withProcess { process in
      do throws(ReaderProcess.Refusal) { return .success(try running(&process).fence) } catch {
        return .failure(.readerMissing(error.reason))
      }
    }
    return try fence.get()
  }

  /// Releases processes that have ended by themselves; until then the system keeps their exit status. A process that has been idle for longer than
  /// `time` should have ended; if it has not, it is killed. Returns whether any process is left. Does not block.
  package func tidy(endingAfter time: Duration = ReaderClient.readersStay) -> Bool {
    var isLeft = false
    for seat in common.state.withLock({ $0.seats }) {
      // If somebody holds the lock, a process is reading.
      let runs = seat.process.withLockIfAvailable { process in
        if let idle = process, idle.hasEnded() { process = nil }
        if let idle = process, Deadline.now - idle.lastUse >= time {
          idle.abandon()
          process = nil
        }
        return process != nil
      }
      isLeft = isLeft || runs ?? true
    }
    let hangs = Leftovers.reap()
    return isLeft || hangs
  }

  /// How long a process may be idle before `tidy` ends it: a little longer than a reader stays without work by itself.
  package static let readersStay = Duration.seconds(34)

  /// Sets the function that is called, on any thread, whenever a process was started, because `tidy` will be needed then. It replaces the one before.
  package func whenStarted(_ body: @escaping @Sendable () -> Void) {
    common.state.withLock { $0.whenStarted = body }
  }

  /// The numbers of the idle processes, for tests.
  package var idleProcesses: [Int32] { seats.idleProcesses }

  // MARK: Processes

  /// Calls `body` with a process place that nobody else uses at the same time; waits for one if all are in use.
  private func withProcess<Result: Sendable>(_ body: (inout ReaderProcess?) -> Result) -> Result {
    // Starting a process takes longer than reading most files, so a place with a running process is preferred.
    for seat in seats + lenders {
      if let result = seat.process.withLockIfAvailable({ $0 == nil ? nil : body(&$0) }) ?? nil {
        return result
      }
    }
    for seat in seats {
      if let result = seat.process.withLockIfAvailable({ body(&$0) }) { return result }
    }
    return seats[Int.random(in: seats.indices)].process.withLock { body(&$0) }
  }

  /// The process in this place. It is started if there is none, or if the present one has another character set.
  private func running(_ process: inout ReaderProcess?) throws(ReaderProcess.Refusal) -> ReaderProcess {
    let charset = charset
    if let process, process.charset == charset {
      process.use()
      return process
    }
    process = nil
    guard let program else {
      throw ReaderProcess.Refusal(
        reason: "the program \(ReaderProgram.name) is not installed with this one; install fermata again")
    }
    let new = try Self.start(program, charset)
    process = new
    let started = common.state.withLock { shared in
      shared.isMissing = false
      return shared.whenStarted
    }
    started()
    tell(.began(new.fence))
    return new
  }

  /// How often a process that somebody kills before it is ready is started again.
  private static let mostStarts = 10

  private static func start(
    _ program: FilePath, _ charset: String?
  ) throws(ReaderProcess.Refusal) -> ReaderProcess {
    var starts = 1
    while true {
      do throws(ReaderProcess.Refusal) { return try ReaderProcess(program, charset: charset) } catch {
        guard error.wasKilled, starts < mostStarts else { throw error }
        starts += 1
      }
    }
  }

  // MARK: Reading

  private func answers(
    about files: [FilePath], _ wanted: ReaderRequest.Wanted, _ looking: (FilePath) -> Void = { _ in }
  ) -> [ReaderAnswer] {
    var answers: [ReaderAnswer] = []
    for start in stride(from: 0, to: files.count, by: Self.filesAtOnce) {
      let piece = Array(files[start..<min(start + Self.filesAtOnce, files.count)])
      answers += self.answers(aboutFew: piece, wanted, looking)
    }
    return answers
  }

  /// The most files that are held open at once.
  private static let filesAtOnce = 64

  private func answers(
    aboutFew files: [FilePath], _ wanted: ReaderRequest.Wanted, _ looking: (FilePath) -> Void
  ) -> [ReaderAnswer] {
    var reading = Reading(files, wanted, patience)
    // The files are opened before a process is taken, so that if a disk does not answer, only this caller waits, and no process with it.
    reading.open(looking, skipping: reason(against:))
    guard !reading.plan.isDone else { return reading.answers(elseFailing: .broken) }
    return withProcess { process in
      guard files.count == 1, wanted == .tags else { return answers(to: &reading, &process, looking) }
      return sharing(files[0]) { answers(to: &reading, &process, looking) }
    }
  }

  private func answers(
    to reading: inout Reading, _ process: inout ReaderProcess?, _ looking: (FilePath) -> Void
  ) -> [ReaderAnswer] {
    while !reading.plan.isDone {
      do throws(ReaderProcess.Refusal) {
        let running = try running(&process)
        do throws(Reading.Stop) {
          try reading.go(on: running, looking, skipping: reason(against:))
          running.use()
        } catch {
          process = nil
          for (file, reason) in reading.take(error) { note(file, reason) }
        }
      } catch {
        miss(error.reason)
        return reading.answers(elseFailing: .readerMissing(error.reason))
      }
    }
    return reading.answers(elseFailing: .broken)
  }

  /// Reads one file, so that others who ask for its tags meanwhile get the same answer.
  private func sharing(_ file: FilePath, _ read: () -> [ReaderAnswer]) -> [ReaderAnswer] {
    let key = SharedReading.Key(file: file, charset: charset)
    let shared = SharedReading()
    return shared.answer.withLock { answer in
      common.state.withLock { $0.readings[key] = shared }
      let answers = read()
      answer = answers.first
      common.state.withLock { if $0.readings[key] === shared { $0.readings[key] = nil } }
      return answers
    }
  }

  /// The answer of another caller that is reading the same file alone, once it is there; nil if there is none. A file that is read among many is not
  /// waited for.
  private func answerUnderWay(about file: FilePath) -> ReaderAnswer? {
    let key = SharedReading.Key(file: file, charset: charset)
    return common.state.withLock { $0.readings[key] }?.answer.withLock { $0 }
  }

  private func miss(_ reason: String) {
    let isNews = common.state.withLock { shared in
      defer { shared.isMissing = true }
      return !shared.isMissing
    }
    if isNews { tell(.missing(reason)) }
  }

  /// Why a file must not be read; nil if it may.
  private func reason(against file: FileInHand) -> String? {
    common.state.withLock { $0.killers.reason(against: file) }
  }

  private func note(_ file: FileInHand, _ reason: String) {
    common.state.withLock { $0.killers.add(file, reason) }
    tell(.killer(file.path, reason))
  }
}

/// A reading of the tags of one file that others can wait for. The thread that reads holds the lock until there is an answer.
private final class SharedReading: Sendable {
  struct Key: Hashable {
    let file: FilePath
    let charset: String?
  }

  let answer = Mutex<ReaderAnswer?>(nil)
}

/// A path with the state of the file that it led to, and what is read in it.
struct FileInHand: Hashable {
  let path: FilePath
  private let size: Int64
  private let modified: Int64
  /// Whether its picture is read, and not its tags.
  fileprivate var isForPicture: Bool

  init(_ path: FilePath, _ state: FileState, forPicture: Bool) {
    (self.path, isForPicture) = (path, forPicture)
    (size, modified) = (state.size, state.modified)
  }
}

/// The files on which readers died, the latest ones. A file that has changed since then no longer counts. One whose picture ended a reader may still
/// have its tags read; one whose tags did has nothing read.
struct KillerList {
  private static let most = 1_024
  private var reasons: [FileInHand: String] = [:]
  private var order: [FileInHand] = []

  func reason(against file: FileInHand) -> String? {
    var tags = file
    tags.isForPicture = false
    return reasons[tags] ?? reasons[file]
  }

  mutating func add(_ file: FileInHand, _ reason: String) {
    if reasons.updateValue(reason, forKey: file) == nil { order.append(file) }
    if order.count > Self.most { reasons[order.removeFirst()] = nil }
  }
}

extension FileTags {
  /// The tags, with what the file's name says: of many books nothing else says that they are some.
  fileprivate func named(_ file: FilePath) -> FileTags {
    var named = self
    if tags.mediaType == .music, file.pathExtension == "m4b" { named.tags.mediaType = .audiobook }
    return named
  }
}
