// SPDX-License-Identifier: MIT

/// A file of the tree: its path from the root, with slashes, and its text.
struct SourceFile {
  let path: String
  let text: String
  let lines: [Substring]
  /// Of a Swift file its code; empty for others.
  let tokens: [Token]
  private let comments: [Int: [UInt8]]

  init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let swift = path.hasSuffix(".swift") ? SwiftScanner(text) : SwiftScanner("")
    tokens = swift.tokens
    comments = swift.comments
  }

  var isSwift: Bool { path.hasSuffix(".swift") }
  var isSource: Bool { isSwift && (path.hasPrefix("Sources/") || path.hasPrefix("Tests/FermataTestKit/")) }
  /// How many lines it has; what ends a line is part of it.
  var length: Int { text.isEmpty ? 0 : lines.count - (text.hasSuffix("\n") ? 1 : 0) }

  /// The folder below `Sources` or `Tests` that it belongs to.
  var module: String? {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Sources" || parts[0] == "Tests" else { return nil }
    return String(parts[1])
  }

  func comment(onLine line: Int) -> String? {
    comments[line].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The lines that have a comment, in order.
  var commentedLines: [Int] { comments.keys.sorted() }

  func violation(_ line: Int, _ message: String) -> Violation {
    Violation(path: path, line: line, message: message)
  }

  /// Where in the code these tokens stand in a row.
  func occurrences(of pattern: [String]) -> [Int] {
    tokens.indices.filter { start in
      start + pattern.count <= tokens.count
        && pattern.indices.allSatisfy { tokens[start + $0].isCode(pattern[$0]) }
    }
  }
}

extension Token {
  /// This word or mark, and not a string that reads the same.
  func isCode(_ text: String) -> Bool { kind != .string && self.text == text }
}
