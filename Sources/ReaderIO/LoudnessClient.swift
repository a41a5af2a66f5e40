// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel
package import ReaderModel
internal import Synchronization

/// Measures the loudness of files in other processes, because a decoder may crash or hang on a file that somebody made. Then the process is started
/// again, and a file on which two processes died is given up.
///
/// Any thread may use it; calls block for as long as a file takes to be decoded. Threads that measure at the same time have a process each. The
/// processes end with `rest`, with this object, or with the program.
package final class LoudnessClient: Sendable {
  /// The result for a file, with the size and the time of change that the file had when it was opened.
  package struct Answer: Sendable {
    package let size: Int64
    package let modified: Int64
    package let found: Result<MeasuredLoudness, LoudnessFailure>

    package init(size: Int64, modified: Int64, found: Result<MeasuredLoudness, LoudnessFailure>) {
      (self.size, self.modified, self.found) = (size, modified, found)
    }
  }

  /// A regular file that is kept open while it is measured. Used by one thread.
  private final class Held {
    let file: HeldFile

    init(_ path: FilePath) throws(LoudnessFailure) {
      do throws(SystemError) { file = try HeldFile(path) } catch { throw .unreadable(error) }
      guard file.kind == .file else { throw LoudnessFailure(.unreadable, "is \(file.kind.name)") }
    }
  }

  private let program: FilePath?
  /// How long the process may work on one order before it counts as hung.
  private let patience: Duration
  private let seats: [Seat]

  /// A client of the program that was installed with this one, or of another one. `atOnce` is the largest number of processes at a time. `patience`
  /// is long, because these processes run only when nobody else wants the processor.
  package init(
    program: FilePath? = ReaderProgram.installedLoudness, atOnce: Int = 2, patience: Duration = .seconds(60)
  ) {
    (self.program, self.patience) = (program, patience)
    seats = (0..<max(1, atOnce)).map { _ in Seat() }
  }

  /// Measures a file. `goesOn` is called every few seconds of sound; once it returns false, this throws `calledOff`.
  ///
  /// - Throws: if the file can't be opened, or if it should be measured another time.
  package func measure(
    _ file: FilePath, goesOn: () -> Bool = { true }
  ) throws(LoudnessFailure) -> Answer {
    // The file is opened before a process is taken, so that if a disk does not answer, only this caller waits.
    let held = try Held(file)
    let stamp = held.file.stamp
    let found: Result<MeasuredLoudness, LoudnessFailure> = withSeat { process in
      Result { () throws(LoudnessFailure) in try measure(held, on: &process, goesOn) }
    }
    if case .failure(let failure) = found, !failure.isOfTheFile { throw failure }
    return Answer(size: stamp.size, modified: stamp.modified, found: found)
  }

  /// Ends the idle processes. Blocks for a moment.
  package func rest() {
    for seat in seats { _ = seat.process.withLockIfAvailable { $0 = nil } }
  }

  /// The numbers of the idle processes, for tests.
  package var idleProcesses: [Int32] { seats.idleProcesses }

  private func withSeat<Result: Sendable>(_ body: (inout ReaderProcess?) -> Result) -> Result {
    for seat in seats {
      if let result = seat.process.withLockIfAvailable({ body(&$0) }) { return result }
    }
    return seats[0].process.withLock { body(&$0) }
  }

  // MARK: One file

  /// How many processes in a row may be killed from outside on one file before the file is left for another time.
  private static let mostKillings = 20

  private func measure(
    _ held: Held, on process: inout ReaderProcess?, _ goesOn: () -> Bool
  ) throws(LoudnessFailure) -> MeasuredLoudness {
    var (deaths, killings) = (0, 0)
    while true {
      let running = try running(&process)
      do throws(Stop) {
        return try converse(held, running, goesOn)
      } catch {
        switch error {
        case .told(let failure): throw failure
        case .calledOff:
          // The process is in the middle of a file that nobody wants any more, so it is ended.
          process = nil
          throw LoudnessFailure(.calledOff, "was not measured to its end")
        case .lost(let death):
          process = nil
          switch death {
          case .disk: throw LoudnessFailure(.silent, "is on a disk that does not answer")
          case .outside: killings += 1
          case .fault(let reason):
            deaths += 1
            if deaths > 1 { throw LoudnessFailure(.died, "can't be measured: \(reason)") }
          }
          guard killings < Self.mostKillings else {
            // The process may have been killed for lack of memory, and that may happen with this file only.
            throw LoudnessFailure(
              .unreadable, "can't be measured: the process that does so is killed again and again")
          }
        }
      }
    }
  }

  /// Why measuring a file ended without a result.
  private enum Stop: Error {
    case told(LoudnessFailure)
    case calledOff
    /// The process can't be used any more.
    case lost(Death)
  }

  private func running(_ process: inout ReaderProcess?) throws(LoudnessFailure) -> ReaderProcess {
    if let process, !process.hasEnded() { return process }
    process = nil
    guard let program else {
      throw LoudnessFailure(
        .noProcess,
        "can't be measured: the program \(ReaderProgram.loudnessName) is not installed with this one; install fermata again"
      )
    }
    var starts = 1
    while true {
      do throws(ReaderProcess.Refusal) {
        let new = try ReaderProcess(program, words: [])
        process = new
        return new
      } catch {
        guard error.wasKilled, starts < Self.mostKillings else {
          throw LoudnessFailure(.noProcess, "can't be measured: \(error.reason)")
        }
        starts += 1
      }
    }
  }

  private func converse(
    _ held: Held, _ process: ReaderProcess, _ goesOn: () -> Bool
  ) throws(Stop) -> MeasuredLoudness {
    let open: OpenFile
    do throws(SystemError) { open = try held.file.openFile() } catch { throw .told(.unreadable(error)) }
    var reply = try ask(.begin(size: open.size), [open.descriptor], process)
    while true {
      switch reply {
      case .measured(let found): return found
      case .failed(let failure): throw .told(failure)
      case .going:
        guard goesOn() else { throw .calledOff }
        reply = try ask(.goOn, [], process)
      }
    }
  }

  private func ask(
    _ order: LoudnessOrder, _ files: [Int32], _ process: ReaderProcess
  ) throws(Stop) -> LoudnessReply {
    process.use()
    let usedBefore = process.used
    let packet: [UInt8]
    do throws(PacketSocket.Failure) {
      try process.socket.send(order.bytes, files: files, until: Deadline(in: patience))
      packet = try process.socket.receive(
        atMost: LoudnessProtocol.largestPacket, until: Deadline(in: patience)
      ).bytes
    } catch {
      throw .lost(judge(error, process, usedBefore))
    }
    guard let reply = LoudnessReply(packet) else {
      _ = process.end(isClosed: false)
      throw .lost(.fault("its decoder says what makes no sense"))
    }
    return reply
  }

  /// The cause of a process's end.
  private enum Death {
    case fault(String)
    case outside, disk
  }

  /// Ends the process and finds out why it failed. `before` is the processor time that it had used before the order.
  private func judge(_ failure: PacketSocket.Failure, _ process: ReaderProcess, _ before: Duration?) -> Death
  {
    // Asked before the process is killed. If it has used a good part of the time for computing, no disk held it up.
    let used = process.used.flatMap { used in before.map { used - $0 } } ?? patience
    let end = process.end(isClosed: failure == .ended)
    switch failure {
    case .late: return used < patience / 8 ? .disk : .fault("its decoder comes to no end")
    case .ended where end.isFromOutside: return .outside
    case .ended: return .fault(end.sentence(of: "decoder"))
    // This program lacks something, so the file is not the cause.
    case .system: return .outside
    }
  }
}

extension LoudnessFailure {
  fileprivate static func unreadable(_ error: SystemError) -> LoudnessFailure {
    LoudnessFailure(.unreadable, "can't be opened: \(String(errno: error.code))")
  }
}
