// SPDX-License-Identifier: MIT
import Glibc

/// Ends the test's processes when the test process can no longer do it, because it crashed or was killed: a shell
/// in a session of its own that reads which groups live, and kills those left over at the end of its input.
///
/// Not PR_SET_PDEATHSIG: that fires when the *thread* that started a child ends, and test runners end threads.
/// One a test process, started with the first child. Any thread may call it.
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
      let spawn = Spawn(input: pair.far.number, leadsSession: true)
      _ = try spawn.run(Program(path: "/bin/sh"), ["-c", Self.script], [:])
      channel = pair.takeNear()
    } catch {
      preconditionFailure("tests need a shell that watches over their servers: \(error)")
    }
  }

  /// From now on the group is killed should this process end.
  func guardGroup(_ group: pid_t) { tell("+ \(group)\n") }

  /// The group's number is about to be free for others.
  func forgetGroup(_ group: pid_t) { tell("- \(group)\n") }

  private func tell(_ line: String) {
    do { try channel.send(line) } catch {
      preconditionFailure("the shell that watches over tests is gone: \(error)")
    }
  }
}
