// SPDX-License-Identifier: MIT

extension Child {
  /// Runs a program to its end and returns what it wrote. Blocks. Throws when it fails, with its own words, and
  /// when it takes longer than `patience`.
  @discardableResult
  package static func run(
    _ program: Program, _ arguments: [String] = [], environment: [String: String] = [:],
    patience: Duration = .patience
  ) throws -> String {
    let child = try Child(program, arguments, environment: environment)
    guard let status = child.exit(until: .after(patience)) else {
      throw KitError("\(program.name) \(arguments) took longer than \(patience)")
    }
    guard status == .exited(0) else {
      throw KitError("\(program.name) \(arguments) failed (\(status)):\n\(child.standardError)")
    }
    return child.standardOutput
  }
}
