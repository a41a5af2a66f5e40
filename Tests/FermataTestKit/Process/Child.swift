// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// A process that a test started. It leads a session and a process group of its own, has only the given environment and
/// PATH, and inherits no open files. It ends at the latest with this object, and also with the test process, however that
/// ends (see `Warden`).
///
/// This object owns the process and reaps it. Any thread may call it.
package final class Child: Sendable {
  /// The program's name, for messages.
  package let name: String
  /// Its process ID, which is also the ID of its process group.
  package let processID: Int32

  private let handle: FileDescriptor
  private let output: Log
  private let errors: Log
  private let channel: FileDescriptor?
  private let status = Mutex<ExitStatus?>(nil)

  /// Starts a program. With `isInteractive`, its standard input and output are connected to `ask`. Otherwise its
  /// input is empty and its output is kept. With `isStoppable`, SIGTSTP stops it: that does nothing to who leads a session,
  /// so it only gets a process group. Throws if it can't be started.
  package init(
    _ program: Program, _ arguments: [String] = [], environment: [String: String] = [:],
    isInteractive: Bool = false, isStoppable: Bool = false
  ) throws {
    name = program.name
    output = try Log("\(program.name) output")
    errors = try Log("\(program.name) errors")
    var spawn = Spawn(errors: errors.descriptor.number, leadsSession: !isStoppable)
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

  /// Its standard output so far, at most the last 16 MiB.
  package var standardOutput: String { output.text(last: 16 << 20) }
  /// The end of its standard error output, at most 8 KiB.
  package var standardError: String { errors.text(last: 8 << 10) }

  /// How it ended; nil if it still runs. Waits for its end until the deadline. Blocks.
  package func exit(until deadline: Deadline = .after(.zero)) -> ExitStatus? {
    if let known = status.withLock({ $0 }) { return known }
    guard handle.waitReadable(until: deadline) else { return nil }
    return reap()
  }

  // While it has ended but isn't reaped, no other process can get its number. So this is the time to kill the rest of
  // its group and to tell the warden.
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

  /// Asks it to end, and kills it if it hasn't ended after `patience`. Blocks. Returns how it ended; if it already
  /// has, does nothing else.
  @discardableResult
  package func stop(within patience: Duration = .seconds(2)) -> ExitStatus {
    if let status = exit() { return status }
    send(signal: SIGTERM)
    return exit(until: .after(patience)) ?? kill()
  }

  /// Kills it and everything in its group. Blocks until it has ended.
  @discardableResult
  package func kill() -> ExitStatus {
    if let status = exit() { return status }
    send(signal: SIGKILL)
    // A process that even the kernel can't end now is abandoned.
    return exit(until: .patient) ?? .killed(SIGKILL)
  }

  /// Sends a signal to its group, unless it has ended.
  package func send(signal: Int32) {
    status.withLock { if $0 == nil { Glibc.kill(-processID, signal) } }
  }

  /// Throws if it has ended, with the end of its error output.
  package func check() throws {
    if exit() != nil { throw obituary() }
  }

  /// An error that says how it ended.
  func obituary() -> KitError {
    let words = standardError
    let status = exit().map { "\($0)" } ?? "still running"
    return KitError("\(name) ended by itself (\(status))" + (words.isEmpty ? "" : ":\n\(words)"))
  }

  /// Sends a line to an interactive program and returns its one-line answer. Blocks. Throws if there is none in time.
  package func ask(_ line: String, within patience: Duration = .patience) throws -> String {
    try channel?.send(line + "\n")
    return try nextLine(until: .after(patience))
  }

  /// The next line that an interactive program writes. Blocks. Throws if none comes in time. Traps if the program
  /// isn't interactive.
  package func nextLine(until deadline: Deadline) throws -> String {
    guard let line = try channel?.receiveLine(until: deadline) else {
      preconditionFailure("\(name) was not started as interactive")
    }
    return line
  }

  /// Sends text to an interactive program.
  package func send(_ text: String) throws { try channel?.send(text) }

  /// What an interactive program writes through the end of these words; with nil, until it has ended. Blocks. Throws if that takes too
  /// long. Traps if the program isn't interactive.
  package func text(through words: String?, within patience: Duration = .patience) throws -> String {
    guard let text = try channel?.receive(through: words, until: .after(patience)) else {
      preconditionFailure("\(name) was not started as interactive")
    }
    return text
  }
}

extension Child {
  /// Starts a program for which the permissions of files hold, also where tests are run by the superuser.
  package static func withoutRights(
    _ program: Program, _ arguments: [String], environment: [String: String]
  ) throws -> Child {
    guard geteuid() == 0 else { return try Child(program, arguments, environment: environment) }
    let lost = "-dac_override,-dac_read_search"
    return try Child(
      .named("setpriv", package: "util-linux"),
      ["--bounding-set=\(lost)", "--inh-caps=\(lost)", program.path] + arguments, environment: environment)
  }
}
