// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

/// The probe program at a terminal. Killed with this object if it still runs; it ends by itself after 20 s, so no wait for it is
/// endless.
final class Probe {
  private let output: Int32
  private let process: pid_t
  private var hasEnded = false
  private var text = ""

  /// Starts it in a group that can be stopped, or alone in a session of its own.
  init(at terminal: PseudoTerminal, alone: Bool = false) throws {
    let path = try Program.beside("TerminalIOProbe").path
    let ends = try Channel()
    output = ends.read
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, terminal.slave, 0)
    posix_spawn_file_actions_adddup2(&actions, ends.write, 1)
    let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Glibc shows to GNU programs only
    // A group of its own in this session: one that is alone in its session can't be stopped by Ctrl-Z.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes,
      Int16(alone ? newSession : POSIX_SPAWN_SETPGROUP)
        | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
    defer { free(arguments[0]) }
    // Swift's own crash handler would take SIGQUIT.
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { free(environment[0]) }
    var process: pid_t = 0
    let failure = posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
    close(ends.write)
    self.process = process
    try #require(failure == 0, "cannot start \(path)")
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      _ = wait(0)
    }
    close(output)
  }

  /// The next line that it writes; nil at its end or when patience is over.
  func line() -> String? {
    while true {
      if let end = text.firstIndex(of: "\n") {
        defer { text = String(text[text.index(after: end)...]) }
        return String(text[..<end])
      }
      var item = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&item, 1, Deadline.patient.milliseconds) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { return nil }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  func send(_ signal: Int32) { #expect(kill(process, signal) == 0) }

  /// The signal that stopped it.
  func stopSignal() -> Int32? {
    let status = wait(WUNTRACED)
    return status & 0xFF == 0x7F ? status >> 8 & 0xFF : nil
  }

  /// The signal that ended it, 0 for none.
  func endSignal() -> Int32 {
    hasEnded = true
    return wait(0) & 0x7F
  }

  private func wait(_ options: Int32) -> Int32 {
    var status: Int32 = 0
    let deadline = Deadline.patient
    // No descriptor tells that a process was stopped, so that the wait is a look each millisecond.
    while waitpid(process, &status, options | WNOHANG) <= 0 {
      guard !deadline.hasPassed else {
        Issue.record("the probe was to stop or to end")
        return -1
      }
      poll(nil, 0, 1)
    }
    return status
  }
}
