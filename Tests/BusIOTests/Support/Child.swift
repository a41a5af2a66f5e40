// SPDX-License-Identifier: MIT
import Glibc

struct SupportError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// A process of the test's own, with an environment of the test's own. Its standard output comes through a pipe.
struct Child {
  let pid: pid_t
  let output: Int32

  init(_ arguments: [String], environment: [String: String]) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SupportError("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Threads of a test runner block signals, and a child inherits that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let names = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"].merging(environment) { $1 }
    var pid: pid_t = 0
    let failure = withCStrings(arguments) { arguments in
      withCStrings(names.map { "\($0)=\($1)" }) {
        posix_spawnp(&pid, arguments[0]!, &actions, &attributes, arguments, $0)
      }
    }
    guard failure == 0 else {
      close(ends[0])
      throw SupportError("\(arguments[0]) does not start: errno \(failure)")
    }
    self.pid = pid
    output = ends[0]
  }

  /// What it writes until it ends a line, or for good; a child that is silent for ten seconds is a failure.
  func read(upTo end: UInt8?) throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    var chunk = [UInt8](repeating: 0, count: end == nil ? 65_536 : 1)
    while true {
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 10_000) > 0 else { throw SupportError("process \(pid) is silent") }
      let count = Glibc.read(output, &chunk, chunk.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      byte = chunk[0]
      if byte == end { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk[0..<count]
    }
  }

  /// Asks it to end with a signal, waits until it has, and answers its exit status.
  @discardableResult
  func end(_ signal: Int32? = SIGTERM) -> Int32 {
    if let signal { kill(pid, signal) }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    close(output)
    return status
  }
}

private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}
