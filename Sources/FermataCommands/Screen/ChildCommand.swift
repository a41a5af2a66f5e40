// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import TerminalIO

/// Runs a command line in a process of its own, and captures its output. The screen runs all commands this way, so that none of them can write over
/// it or hold it up.
@AgentLoop
final class ChildCommand {
  /// The largest output in bytes; nobody reads more on a screen.
  private static let longestOutput = 1 << 20
  private static let cut = "\n(the rest is left out: a screen shows 1 MiB at most)\n"

  private let process: pid_t
  private let pipe: Int32
  private var output: [UInt8] = []
  private var isCut = false
  private var watch: LoopWatch?
  private let done: @AgentLoop (String, Bool) -> Void

  /// Runs this program with other words, in which a `~` is replaced by the home folder, as by a shell. Returns its output and whether it
  /// succeeded.
  static func run(_ words: [String]) async -> (output: String, isGood: Bool) {
    let result = Promise<(output: String, isGood: Bool)>()
    run(words) { result.keep(($0, $1)) }
    return await result.get()
  }

  private static func run(_ words: [String], _ done: @escaping @AgentLoop (String, Bool) -> Void) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return done("no pipe: \(errno)", false) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guard let process = spawn(words, output: ends[1]) else {
      close(ends[0])
      return done("it could not be started", false)
    }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    ChildCommand(process, ends[0], done).begin()
  }

  private init(_ process: pid_t, _ pipe: Int32, _ done: @escaping @AgentLoop (String, Bool) -> Void) {
    (self.process, self.pipe, self.done) = (process, pipe, done)
  }

  private static func spawn(_ words: [String], output: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] =
      (["fermata"] + words.map(expanded)).map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    return posix_spawn(&process, "/proc/self/exe", &actions, &attributes, &arguments, environ) == 0
      ? process : nil
  }

  nonisolated static func expanded(_ word: String) -> String {
    guard word == "~" || word.hasPrefix("~/"), let home = Process.environment("HOME") else { return word }
    return home + word.dropFirst()
  }

  // The watch keeps this object alive until the process has ended.
  private func begin() { watch = LoopWatch(descriptor: pipe) { _ in self.read() } }

  private func read() {
    while let bytes = Terminal.readAvailable(pipe) {
      if bytes.isEmpty { return }
      let room = Self.longestOutput - output.count
      output += bytes.prefix(room)
      isCut = isCut || bytes.count > room
    }
    watch = nil
    close(pipe)
    var status: Int32 = 0
    // The process has closed its output, so it is about to end.
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    done(String(decoding: output, as: UTF8.self) + (isCut ? Self.cut : ""), status == 0)
  }
}
