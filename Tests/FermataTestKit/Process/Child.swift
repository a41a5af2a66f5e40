// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// A process that a test started. It leads a process group of its own, has only the environment it is given,
/// inherits no open file, and never outlives the test: not this object, and not the test process, however that
/// ends (see `Warden`).
///
/// Owns the process and reaps it. Any thread may call it.
package final class Child: Sendable {
  /// The program's name, for messages.
  package let name: String
  /// Its process, and its group.
  package let processID: Int32

  private let handle: FileDescriptor
  private let output: Log
  private let errors: Log
  private let channel: FileDescriptor?
  private let status = Mutex<ExitStatus?>(nil)

  /// Starts a program. With `isInteractive` its standard input and output are connected to `ask`; otherwise it
  /// reads nothing, and what it writes is kept. Throws when it cannot be started.
  package init(
    _ program: Program, _ arguments: [String] = [], environment: [String: String] = [:],
    isInteractive: Bool = false
  ) throws {
    name = program.name
    output = try Log("\(program.name) output")
    errors = try Log("\(program.name) errors")
    var spawn = Spawn(errors: errors.descriptor.number)
    if isInteractive {
      let pair = try LocalSocket.pair()
      spawn.input = pair.far.number
      spawn.output = pair.far.number
      processID = try spawn.run(program, arguments, environment)
      channel = pair.takeNear()
    } else {
      spawn.output = output.descriptor.number
      processID = try spawn.run(program, arguments, environment)
      channel = nil
    }
    Warden.shared.guardGroup(processID)
    handle = try FileDescriptor(clinux_pidfd_open(processID), "pidfd_open")
  }

  deinit { kill() }

  /// What it has written to its standard output, at most the last megabytes of it.
  package var standardOutput: String { output.text(last: 16 << 20) }
  /// The end of what it has written to its standard error.
  package var standardError: String { errors.text(last: 8 << 10) }

  /// How it ended, once it has; waits for that until the deadline. Blocks.
  package func exit(until deadline: Deadline = .after(.zero)) -> ExitStatus? {
    if let known = status.withLock({ $0 }) { return known }
    guard handle.waitReadable(until: deadline) else { return nil }
    return reap()
  }

  // While it is dead but not reaped its number is nobody else's, so that is the time to end what it started
  // and to tell the warden.
  private func reap() -> ExitStatus {
    status.withLock { status in
      if let status { return status }
      var waitStatus: Int32 = 0
      Glibc.kill(-processID, SIGKILL)
      Warden.shared.forgetGroup(processID)
      while unsafe waitpid(processID, &waitStatus, 0) < 0 && errno == EINTR {}
      let result = ExitStatus(waitStatus: waitStatus)
      status = result
      return result
    }
  }

  /// Asks it to end, and ends it when it has not by then. Blocks. Returns how it ended; does nothing when it
  /// already has.
  @discardableResult
  package func stop(within patience: Duration = .seconds(2)) -> ExitStatus {
    if let status = exit() { return status }
    send(signal: SIGTERM)
    return exit(until: .after(patience)) ?? kill()
  }

  /// Ends it at once, with everything in its group.
  @discardableResult
  package func kill() -> ExitStatus {
    if let status = exit() { return status }
    send(signal: SIGKILL)
    // One that the kernel itself does not let go is left to it.
    return exit(until: .patient) ?? .killed(SIGKILL)
  }

  /// Sends a signal to it and its group, unless it has ended.
  package func send(signal: Int32) {
    status.withLock { if $0 == nil { Glibc.kill(-processID, signal) } }
  }

  /// Throws when it has ended, with its last words.
  package func check() throws {
    if exit() != nil { throw obituary() }
  }

  /// The error that says how it ended.
  func obituary() -> KitError {
    let words = standardError
    let status = exit().map { "\($0)" } ?? "still running"
    return KitError("\(name) ended by itself (\(status))" + (words.isEmpty ? "" : ":\n\(words)"))
  }

  /// Sends a line to an interactive program and returns its answer of one line. Blocks. Throws when there is none.
  package func ask(_ line: String, within patience: Duration = .patience) throws -> String {
    try channel?.send(line + "\n")
    return try nextLine(until: .after(patience))
  }

  /// The next line that an interactive program says. Blocks. Throws when none comes in time.
  package func nextLine(until deadline: Deadline) throws -> String {
    guard let line = try channel?.receiveLine(until: deadline) else {
      preconditionFailure("\(name) was not started as interactive")
    }
    return line
  }
}
