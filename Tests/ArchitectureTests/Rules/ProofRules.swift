// SPDX-License-Identifier: MIT

/// What the compiler takes on trust stands only beside the sentence that proves it.
enum ProofRules {
  private static let trusted: [[String]] = [
    ["try", "!"], ["as", "!"], ["@", "unchecked", "Sendable"], ["nonisolated", "(", "unsafe", ")"],
    ["unsafeBitCast"],
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    let trusted = trusted.flatMap { form in
      // `try !isReady()` trusts nobody.
      file.occurrences(of: form).filter { form.last != "!" || file.tokens[$0 + 1].touchesPrevious }
        .map { ($0, form.joined()) }
    }
    let forced = file.isSource ? forcedUnwraps(in: file).map { ($0, "!") } : []
    return (trusted + forced).compactMap { at, form in
      let line = file.tokens[at].line
      return isProved(line, in: file)
        ? nil : file.violation(line, "\(form) without the sentence that proves it")
    }
  }

  /// A comment on the line itself, or above it with no blank line and at most this much between.
  private static let reach = 4

  private static func isProved(_ line: Int, in file: SourceFile) -> Bool {
    for above in stride(from: line, through: max(1, line - reach), by: -1) {
      if file.comment(onLine: above) != nil { return true }
      if file.lines[above - 1].allSatisfy({ $0 == " " }) { return false }
    }
    return false
  }

  /// `x!`, and not `!x`, `a != b`, `try!` or `as!`.
  private static func forcedUnwraps(in file: SourceFile) -> [Int] {
    file.occurrences(of: ["!"]).filter { at in
      guard at > 0, file.tokens[at].touchesPrevious else { return false }
      let previous = file.tokens[at - 1]
      let ends =
        previous.kind == .word || previous.isCode(")") || previous.isCode("]") || previous.isCode("}")
      let next = file.tokens[(at + 1)...].first
      let isOperator = next?.touchesPrevious == true && next?.isCode("=") == true
      return ends && !isOperator && !previous.isCode("try") && !previous.isCode("as")
    }
  }
}
