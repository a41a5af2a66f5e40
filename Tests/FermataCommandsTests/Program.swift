// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// Runs another program to its end.
struct Program {
  let status: Int32
  let output: String

  /// Runs `words` with `input` on standard input and waits. Standard output and standard error arrive together.
  init(_ words: [String], input: String = "") throws {
    let folder = try TemporaryDirectory()
    let source = try folder.write("input", input)
    let child = try Child(
      FermataTestKit.Program(path: "/bin/sh"), ["-c", "exec \"$@\" <\"$0\" 2>&1", source] + words,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    guard let end = child.exit(until: .patient) else { throw KitError("\(words) has not ended") }
    status = if case .exited(let code) = end { code } else { -1 }
    output = child.standardOutput
  }

  /// Whether a program of this name can be found.
  static func isInstalled(_ name: String) -> Bool {
    ["/usr/bin", "/bin"].contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}
