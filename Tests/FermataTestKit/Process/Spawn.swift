// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// One call of posix_spawn(3).
struct Spawn {
  /// The standard input; /dev/null if nil.
  var input: Int32?
  /// The standard output; /dev/null if nil.
  var output: Int32?
  /// The standard error; /dev/null if nil.
  var errors: Int32?

  /// Whether the process gets a session of its own. Otherwise it gets a process group.
  ///
  /// With a session it doesn't receive the terminal's signals, and on a busy machine it has its share of the processor: Linux shares
  /// that between sessions first, and only then among the threads of each. A sound server in the session of the tests would have to wait
  /// for all of their threads, which no server on a desktop has to.
  var leadsSession = true

  /// Starts the program and returns its process ID. Throws if it can't be started.
  func run(_ program: Program, _ arguments: [String], _ environment: [String: String]) throws -> pid_t {
    var process: pid_t = 0
    let words = [program.path] + arguments
    let variables = environment.merging(["PATH": Program.searchPath]) { given, _ in given }
    let code = unsafe withFileActions { actions in
      unsafe withAttributes { attributes in
        unsafe withCStrings(words) { words in
          unsafe withCStrings(variables.map { "\($0)=\($1)" }) { variables in
            unsafe posix_spawn(&process, program.path, actions, attributes, words, variables)
          }
        }
      }
    }
    guard code == 0 else { throw KitError.system("cannot start \(program.path)", code: code) }
    return process
  }

  private func withFileActions<R>(_ body: (UnsafePointer<posix_spawn_file_actions_t>) -> R) -> R {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (number, source) in [(0, input), (1, output), (2, errors)] as [(Int32, Int32?)] {
      if let source {
        unsafe posix_spawn_file_actions_adddup2(&actions, source, number)
      } else {
        unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    return unsafe body(&actions)
  }

  // The test runner may have blocked or ignored signals, which servers must not inherit.
  private func withAttributes<R>(_ body: (UnsafePointer<posix_spawnattr_t>) -> R) -> R {
    var attributes = posix_spawnattr_t()
    var none = sigset_t()
    var all = sigset_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    let group = leadsSession ? clinux_spawn_setsid : Int16(POSIX_SPAWN_SETPGROUP)
    unsafe posix_spawnattr_setflags(
      &attributes, group | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    return unsafe body(&attributes)
  }

  private func withCStrings<R>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
  ) -> R {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    return unsafe body(&pointers)
  }
}
