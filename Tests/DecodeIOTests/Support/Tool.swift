// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Runs an encoder or a reference decoder to its end; a tool that fails fails the test.
func run(_ command: [String]) throws {
  var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) }
  defer { arguments.forEach { free($0) } }
  arguments.append(nil)
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  var pid: pid_t = 0
  let failure = posix_spawnp(&pid, command[0], &actions, nil, arguments, environ)
  try #require(failure == 0, "\(command[0]) does not start: it is needed for these tests")
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  try #require(status == 0, "\(command.joined(separator: " ")) failed with status \(status)")
}
