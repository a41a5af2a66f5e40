// SPDX-License-Identifier: MIT

extension Child {
  /// Runs a program to its end and returns its standard output. Blocks. Throws if it fails, with its error output,
  /// and if it takes longer than `patience`.
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
