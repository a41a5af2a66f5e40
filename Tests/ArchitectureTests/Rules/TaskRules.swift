// SPDX-License-Identifier: MIT

/// Forms that start threads of their own, or wait for a clock in the wall or for other people's children.
///
/// The examples are written as other people's programs are, who have no loop of ours.
enum TaskRules {
  private static let instead = "start it on the loop, with AgentLoop.task"

  private static let banned: [(form: [String], why: String)] = [
    (["Task", ".", "detached"], instead),
    (["Task", ".", "immediate"], instead),
    (["Task", ".", "init"], instead),
    (["Task", ".", "sleep"], "use a timer of the loop"),
    (["@", "MainActor"], "nobody runs the main actor here; use @AgentLoop"),
    (["MainActor", "."], "nobody runs the main actor here; use AgentLoop"),
    // It looks at the first child that has ended, whoever started that, and waits for its own until somebody reaps that one.
    (["processExitsWith"], "its wait is held up by children of other tests; write a probe"),
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    if file.path.hasPrefix("docs/examples/") { return [] }
    let forms = banned.flatMap { form, why in
      file.occurrences(of: form).map { at in
        file.violation(file.tokens[at].line, "\(form.joined()) is banned: \(why)")
      }
    }
    return forms + bareTasks(in: file) + bareThreads(in: file)
  }

  /// Tests make threads of their own, for what another program would do.
  private static func bareThreads(in file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/"), !file.path.hasSuffix("/WorkerThread.swift") else { return [] }
    return file.occurrences(of: ["pthread_create"]).map { at in
      file.violation(file.tokens[at].line, "a bare thread is banned: start it with WorkerThread")
    }
  }

  /// `Task { … }` and `Task(…) { … }`, with or without the types of its result in angle brackets.
  private static func bareTasks(in file: SourceFile) -> [Violation] {
    file.occurrences(of: ["Task"]).compactMap { at in
      guard !isResultOrProperty(at, in: file.tokens) else { return nil }
      let rest = afterTypes(file.tokens[(at + 1)...])
      guard let first = rest.first, first.isCode("{") || first.isCode("(") else { return nil }
      let argument = rest.dropFirst().first
      if first.isCode("("), argument?.isCode("executorPreference") == true { return nil }
      return file.violation(file.tokens[at].line, "a bare Task is banned: \(instead)")
    }
  }

  /// `-> Task<…> {` or `var x: Task<…> {`, where the brace begins a body and not a task.
  private static func isResultOrProperty(_ at: Int, in tokens: [Token]) -> Bool {
    guard at >= 3, at + 1 < tokens.count, tokens[at + 1].isCode("<") else { return false }
    let isResult = tokens[at - 2].isCode("-") && tokens[at - 1].isCode(">")
    return isResult || tokens[at - 3].isCode("var")
  }

  private static func afterTypes(_ tokens: ArraySlice<Token>) -> ArraySlice<Token> {
    guard tokens.first?.isCode("<") == true else { return tokens }
    var depth = 0
    return tokens.drop { token in
      if token.isCode("<") { depth += 1 }
      if token.isCode(">") { depth -= 1 }
      return depth > 0
    }.dropFirst()
  }

  private static let sleeps: Set<String> = ["sleep", "usleep", "nanosleep", "clock_nanosleep"]

  /// A test waits for the thing itself, never for a time.
  static func sleeps(in file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Tests/") || file.module == "FermataTestKit" else { return [] }
    return file.tokens.indices.dropLast().compactMap { at in
      let token = file.tokens[at]
      guard token.kind == .word, sleeps.contains(token.text), file.tokens[at + 1].isCode("(") else {
        return nil
      }
      let isDeclared = at > 0 && (file.tokens[at - 1].isCode("func") || file.tokens[at - 1].isCode("case"))
      return isDeclared ? nil : file.violation(token.line, "a test does not sleep: wait for the thing itself")
    }
  }
}
