// SPDX-License-Identifier: MIT

/// How long files and functions may be.
enum SizeRules {
  struct Measure: Equatable {
    var path: String
    var line: Int
    var length: Int
  }

  static let longestFile = 600

  static func longFiles(in file: SourceFile) -> [Violation] {
    guard file.isSource, file.length > longestFile else { return [] }
    return [file.violation(file.length, "\(file.length) lines; no file has more than \(longestFile)")]
  }

  /// The whole of a crowd against its limits; the offenders named, longest first.
  static func crowd(_ all: [Measure], of what: String, median: Int, p95: Int) -> [Violation] {
    let sorted = all.sorted { $0.length < $1.length }
    guard let last = sorted.last else { return [] }
    var found: [Violation] = []
    let middle = sorted[(sorted.count - 1) / 2].length
    if middle > median {
      found.append(
        Violation(
          path: last.path, line: last.line, message: "half of all \(what) are over \(median) lines: \(middle)"
        ))
    }
    let edge = sorted[(sorted.count * 95 + 99) / 100 - 1].length
    if edge > p95 {
      found += sorted.reversed().prefix { $0.length > p95 }.map {
        Violation(
          path: $0.path, line: $0.line,
          message: "more than one in twenty \(what) is over \(p95) lines: this one has \($0.length)")
      }
    }
    return found
  }

  static func files(_ files: [SourceFile]) -> [Measure] {
    files.filter(\.isSource).map { Measure(path: $0.path, line: 1, length: $0.length) }
  }

  /// Functions and initializers with a body, from the line of their name to that of their closing brace.
  static func functions(_ files: [SourceFile]) -> [Measure] {
    files.filter(\.isSource).flatMap { file in
      file.tokens.indices.compactMap { at in
        closingBrace(ofFunctionAt: at, in: file.tokens).map {
          Measure(path: file.path, line: file.tokens[at].line, length: $0.line - file.tokens[at].line + 1)
        }
      }
    }
  }

  private static let otherDeclarations: Set<String> = [
    "func", "var", "let", "init", "deinit", "case", "subscript",
  ]

  private static func closingBrace(ofFunctionAt at: Int, in tokens: [Token]) -> Token? {
    let name = tokens[at]
    guard name.isCode("func") || name.isCode("init") || name.isCode("deinit") else { return nil }
    if at > 0, tokens[at - 1].isCode(".") || tokens[at - 1].isCode("`") { return nil }
    var parentheses = 0
    var braces = 0
    for token in tokens[(at + 1)...] where token.kind != .string {
      switch token.text {
      case "(": parentheses += 1
      case ")": parentheses -= 1
      case "{" where parentheses == 0: braces += 1
      case "}" where parentheses == 0:
        braces -= 1
        if braces <= 0 { return braces == 0 ? token : nil }
      default:
        // A requirement of a protocol ends where the next one begins.
        if braces == 0, parentheses == 0, otherDeclarations.contains(token.text) { return nil }
      }
    }
    return nil
  }
}
