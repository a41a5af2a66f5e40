// SPDX-License-Identifier: MIT
import Glibc

/// Kills the test's child processes if the test process can't do it any more because it crashed or was killed. It is
/// a shell. It reads which process groups are alive, and when its input ends, it kills those that are left.
///
/// PR_SET_PDEATHSIG would not do: it fires when the *thread* that started a child ends, and test runners end threads.
/// There is one warden per test process, started with the first child. Any thread may call it.
final class Warden: Sendable {
  static let shared = Warden()

  private static let script = """
    groups=" "
    while read -r sign group; do
      case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%% $group *} ${groups#* $group }" ;;
      esac
    done
    for group in $groups; do kill -s KILL -- "-$group"; done
    """

  private let channel: FileDescriptor

  init() {
    do {
      let pair = try LocalSocket.pair()
      let spawn = Spawn(input: pair.far.number)
      _ = try spawn.run(Program(path: "/bin/sh"), ["-c", Self.script], [:])
      channel = pair.takeNear()
    } catch {
      preconditionFailure("tests need a shell that watches over their servers: \(error)")
    }
  }

  /// Registers a group to be killed if this process ends.
  func guardGroup(_ group: pid_t) { tell("+ \(group)\n") }

  /// Removes a group, because its number is about to become free for other processes.
  func forgetGroup(_ group: pid_t) { tell("- \(group)\n") }

  private func tell(_ line: String) {
    do { try channel.send(line) } catch {
      preconditionFailure("the shell that watches over tests is gone: \(error)")
    }
  }
}
