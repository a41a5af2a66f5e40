// SPDX-License-Identifier: MIT
import FermataTestKit

/// Counts instructions, which depend on neither the machine's speed nor its load.
enum Callgrind {
  /// The instructions of a program's whole run. It has to end by itself.
  static func instructions(
    _ program: Program, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Double {
    let child = try start(program, arguments, environment: environment)
    guard child.exit(until: .after(.seconds(180))) == .exited(0) else {
      throw KitError("\(program.name) under callgrind: \(child.standardError)")
    }
    return try count(of: child)
  }

  /// Starts a program that is counted until it ends.
  static func start(
    _ program: Program, _ arguments: [String], environment: [String: String]
  ) throws -> Child {
    try Child(
      .named("valgrind", package: "valgrind"),
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", program.path] + arguments,
      environment: environment)
  }

  /// The instructions of a program that was started so and has ended.
  static func count(of child: Child) throws -> Double {
    let line = child.standardError.split(separator: "\n").last { $0.contains("Collected") }
    guard let count = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
      throw KitError("callgrind counted nothing: \(child.standardError)")
    }
    return count
  }
}
