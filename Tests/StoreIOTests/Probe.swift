// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
import Testing

/// The probe program, and what it says. Killed with this object if it still runs; it ends by itself after 20 s.
final class Probe {
  private let output: Int32
  private let process: pid_t
  private var text: [UInt8] = []
  private var hasEnded = false
  /// What it has begun to do, in order.
  private(set) var begun: [QueueCommand] = []
  /// How many of these were acknowledged.
  private(set) var acknowledged = 0
  /// What it said about failures, and how many edits had begun at the last one.
  private(set) var complaints: [String] = []

  init(_ arguments: String...) throws {
    let path = try Program.beside("StoreIOProbe").path
    var ends: [Int32] = [0, 0]
    // A pipe that other tests' children do not inherit.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { free(environment[0]) }
    var process: pid_t = 0
    let failure = posix_spawn(&process, path, &actions, nil, &argv, &environment)
    close(ends[1])
    self.process = process
    try #require(failure == 0, "cannot start \(path)")
  }

  deinit {
    if !hasEnded { kill() }
    close(output)
  }

  /// Listens until so many edits are acknowledged, or it ends.
  func listen(until count: Int) {
    while acknowledged < count, hear() {}
  }

  /// Listens to its end, which was its own or by `kill`.
  func listenToEnd() { while hear() {} }

  func kill() {
    Glibc.kill(process, SIGKILL)
    wait()
  }

  func wait() {
    var status: Int32 = 0
    let deadline = Deadline.patient
    while waitpid(process, &status, WNOHANG) == 0 {
      guard !deadline.hasPassed else {
        Issue.record("the probe was to end")
        break
      }
      poll(nil, 0, 1)
    }
    hasEnded = true
  }

  private func hear() -> Bool {
    var item = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&item, 1, Deadline.patient.milliseconds) == 1 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(output, &buffer, buffer.count)
    guard count > 0 else { return false }
    text += buffer[..<count]
    while let end = text.firstIndex(of: 10) {
      understand(text[..<end])
      text.removeFirst(end + 1)
    }
    return true
  }

  private func understand(_ line: ArraySlice<UInt8>) {
    switch line.first {
    case UInt8(ascii: "+"):
      let digits = line.dropFirst(2).map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
      if let command = QueueCommand(encoded: bytes) { begun.append(command) }
    case UInt8(ascii: "="): acknowledged += 1
    default: complaints.append(String(decoding: line, as: UTF8.self))
    }
  }
}
