// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Runs another program to its end.
struct Program {
  let status: Int32
  let output: String

  /// Runs `words` with `input` on standard input and waits. Standard output and standard error arrive together.
  init(_ words: [String], input: String = "") throws {
    // A file, not a pipe: then neither side can wait for the other.
    let file = try #require(tmpfile())
    let source = try #require(tmpfile())
    defer {
      fclose(file)
      fclose(source)
    }
    fputs(input, source)
    rewind(source)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, fileno(source), 0)
    posix_spawn_file_actions_adddup2(&actions, fileno(file), 1)
    posix_spawn_file_actions_adddup2(&actions, fileno(file), 2)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    let variables: [String] = ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for variable in environment { free(variable) } }
    var process: pid_t = 0
    let failure = posix_spawnp(&process, words[0], &actions, nil, &arguments, &environment)
    try #require(failure == 0)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    self.status = status
    rewind(file)
    output = TextFile.rest(of: file)
  }

  /// Whether a program of this name can be found.
  static func isInstalled(_ name: String) -> Bool {
    ["/usr/bin", "/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}
