// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel
internal import ReaderModel

/// Reads the files of one call with the help of readers: opens them, sends them, collects the answers, and finds out why a reader is gone.
/// `ReadingPlan` decides the order. Used by one thread.
struct Reading {
  /// Why a reader can't be used any more.
  struct Stop: Error {
    let death: ReadingPlan.Death
    /// Why the reading of the file was stopped, worded as the end of a sentence about it.
    let reason: String
  }

  private(set) var plan: ReadingPlan
  private let files: [FilePath]
  private let wanted: ReaderRequest.Wanted
  private let patience: Duration
  private var answers: [ReaderAnswer?]
  /// The requests that have been sent and are not fully answered, in order.
  private var asked: [ReaderAnswers] = []
  /// The state of the files that were opened.
  private var inHand: [Int: FileInHand] = [:]
  /// The files that are open and were not sent to the reader process yet.
  private let opened = OpenedFiles()
  /// The processor time that the reader had used when it began to answer the present batch.
  private var usedBefore: Duration?
  private var lastNumber: UInt32 = 0

  init(_ files: [FilePath], _ wanted: ReaderRequest.Wanted, _ patience: Duration) {
    (self.files, self.wanted, self.patience) = (files, wanted, patience)
    plan = ReadingPlan(count: files.count)
    answers = Array(repeating: nil, count: files.count)
  }

  /// Owns the descriptors of files; `deinit` closes them. Used by one thread.
  private final class OpenedFiles {
    private var files: [Int: (descriptor: Int32, size: Int)] = [:]

    deinit { for file in files.values { close(file.descriptor) } }

    func keep(_ file: consuming OpenFile, _ index: Int) {
      let size = file.size
      files[index] = (file.giveUp(), size)
    }

    /// Takes a file out; the caller has to close it.
    func take(_ index: Int) -> OpenFile? {
      guard let file = files.removeValue(forKey: index) else { return nil }
      return OpenFile(owning: file.descriptor, size: file.size)
    }
  }

  /// Opens all files before a process is needed. A file that can't be opened gets its answer at once. `looking` is called with each file before it is
  /// opened; `skipping` returns why a file must not be read.
  mutating func open(_ looking: (FilePath) -> Void, skipping: (FileInHand) -> String?) {
    for index in files.indices {
      looking(files[index])
      do throws(ReadFailure) { opened.keep(try open(index, skipping), index) } catch {
        answers[index] = .failure(error)
      }
    }
    // Everything is answered, so no process is needed.
    if answers.allSatisfy({ $0 != nil }) { plan = ReadingPlan(count: 0) }
  }

  /// The answers in the order of the files. A file that has none gets `failure`.
  func answers(elseFailing failure: ReadFailure) -> [ReaderAnswer] { answers.map { $0 ?? .failure(failure) } }

  /// Reads with this process as long as it runs and files are left. `looking` is called with files that are being read, and `skipping` returns why a
  /// file must not be read.
  ///
  /// - Throws: if the process can't be used any more; it is ended then.
  mutating func go(
    on process: ReaderProcess, _ looking: (FilePath) -> Void, skipping: (FileInHand) -> String?
  ) throws(Stop) {
    let makesSense: Bool
    do throws(PacketSocket.Failure) { makesSense = try converse(with: process, looking, skipping) } catch {
      throw judge(error, process)
    }
    if makesSense { return }
    _ = process.end(isClosed: false)
    throw Stop(death: .fault, reason: "the reader answered what makes no sense")
  }

  /// Sends and receives until everything is answered. Returns false if the reader sent an invalid message.
  private mutating func converse(
    with process: ReaderProcess, _ looking: (FilePath) -> Void, _ skipping: (FileInHand) -> String?
  ) throws(PacketSocket.Failure) -> Bool {
    while !plan.isDone {
      while let batch = plan.next() { try send(batch, to: process, skipping) }
      guard let current = plan.current else { continue }
      if let first = current.first { looking(files[first]) }
      usedBefore = process.used
      let packet = try process.socket.receive(
        atMost: ReaderProtocol.largestPacket, until: Deadline(in: patience))
      do throws(ReaderAnswers.Nonsense) { try take(packet.bytes) } catch { return false }
    }
    return true
  }

  /// Sends the files of a batch. Files that were sent to an earlier reader are opened again. Our own descriptors are closed at the end.
  private mutating func send(
    _ batch: [Int], to process: ReaderProcess, _ skipping: (FileInHand) -> String?
  ) throws(PacketSocket.Failure) {
    var descriptors: [Int32] = []
    defer { for file in descriptors { close(file) } }
    var request = ReaderRequest(number: lastNumber &+ 1, wanted: wanted, files: [])
    var left: Set<Int> = []
    for index in batch {
      guard answers[index] == nil else {
        left.insert(index)
        continue
      }
      do throws(ReadFailure) {
        let file = try take(index, skipping)
        request.files.append(
          .init(
            size: file.size, isNamedMPEG: SoundFormat.mpeg.extensions.contains(files[index].pathExtension)))
        descriptors.append(file.giveUp())
      } catch {
        answers[index] = .failure(error)
        left.insert(index)
      }
    }
    if !left.isEmpty { plan.leaveOut(left) }
    guard !descriptors.isEmpty else { return }
    lastNumber = request.number
    asked.append(ReaderAnswers(to: request))
    try process.socket.send(request.bytes, files: descriptors, until: Deadline(in: patience))
  }

  /// Returns the open file with this index. It was opened ahead; if that one went to a process that has ended, it is opened again for the next.
  private mutating func take(
    _ index: Int, _ skipping: (FileInHand) -> String?
  ) throws(ReadFailure) -> OpenFile {
    if let file = opened.take(index) { return file }
    return try open(index, skipping)
  }

  private mutating func open(
    _ index: Int, _ skipping: (FileInHand) -> String?
  ) throws(ReadFailure) -> OpenFile {
    let held: HeldFile
    do throws(SystemError) { held = try HeldFile(files[index]) } catch { throw .unreadable(error.code) }
    guard held.kind == .file else { throw .notAFile }
    let file = FileInHand(files[index], held.stamp, forPicture: wanted != .tags)
    if let reason = skipping(file) { throw .killedReader(reason) }
    inHand[index] = file
    do throws(SystemError) { return try held.openFile() } catch { throw .unreadable(error.code) }
  }

  private mutating func take(_ packet: [UInt8]) throws(ReaderAnswers.Nonsense) {
    guard let piece = ReaderPiece(packet), !asked.isEmpty, let batch = plan.current else {
      throw ReaderAnswers.Nonsense()
    }
    guard let found = try asked[0].take(piece) else { return }
    for (index, answer) in zip(batch, found) { answers[index] = answer }
    asked.removeFirst()
    plan.answered()
  }

  /// Ends the process and finds out why it can't be used any more.
  private func judge(_ failure: PacketSocket.Failure, _ process: ReaderProcess) -> Stop {
    // Asked before the process is killed, and reduced by the time for earlier files, because a reader of a thousand files has used much in all.
    let used = process.used.flatMap { used in usedBefore.map { used - $0 } } ?? patience
    let end = process.end(isClosed: failure == .ended)
    switch failure {
    // Reading takes milliseconds of computing. A process that has used little more was waiting for a disk.
    case .late where used < patience / 8: return Stop(death: .disk, reason: "its disk does not answer")
    case .late: return Stop(death: .fault, reason: "the reader came to no end")
    case .ended where end.isFromOutside:
      return Stop(death: .outside, reason: "the reader was killed again and again")
    case .ended: return Stop(death: .fault, reason: end.sentence(of: "reader"))
    // This program lacks something, so no file is the cause.
    case .system: return Stop(death: .outside, reason: end.sentence(of: "reader"))
    }
  }

  /// Notes that the process is gone. Returns the files that caused it, with the reason.
  mutating func take(_ stop: Stop) -> [(FileInHand, String)] {
    asked = []
    let lost = plan.died(stop.death)
    for index in lost {
      // An unreadable file is tried again at the next call; a killer is not read any more.
      let failure: ReadFailure =
        switch stop.death {
        case .disk: .unreadable(ETIMEDOUT)
        case .outside: .unreadable(EINTR)
        case .fault: .killedReader(stop.reason)
        }
      answers[index] = .failure(failure)
    }
    guard stop.death == .fault else { return [] }
    return lost.compactMap { index in inHand[index].map { ($0, stop.reason) } }
  }
}
