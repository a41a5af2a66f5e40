// SPDX-License-Identifier: MIT

/// What Package.swift says each target may import.
struct Manifest {
  let dependencies: [String: Set<String>]
  private static let suffixes = ["tests": "Tests", "probe": "Probe"]

  /// A target is a call whose first argument is its name; every other string in that call counts as a
  /// dependency. `tests("X", …)` makes the target XTests, which has X, and `probe` likewise XProbe.
  init(_ file: SourceFile) {
    let tokens = file.tokens
    var found: [String: Set<String>] = [:]
    for at in tokens.indices where tokens[at].kind == .word {
      guard let strings = Self.strings(ofCallAt: at, in: tokens), let name = strings.first else { continue }
      if let suffix = Self.suffixes[tokens[at].text] {
        found[name + suffix] = Set(strings)
      } else {
        found[name] = Set(strings.dropFirst())
      }
    }
    dependencies = found
  }

  private static func strings(ofCallAt at: Int, in tokens: [Token]) -> [String]? {
    guard at + 2 < tokens.count, tokens[at + 1].isCode("(") else { return nil }
    let isNamed = tokens[at + 2].isCode("name")
    guard at + 4 < tokens.count, tokens[at + (isNamed ? 4 : 2)].kind == .string else { return nil }
    var depth = 0
    let call = tokens[(at + 1)...].prefix { token in
      if token.isCode("(") { depth += 1 }
      if token.isCode(")") { depth -= 1 }
      return depth > 0
    }
    return call.filter { $0.kind == .string }.map(\.text)
  }
}
