// SPDX-License-Identifier: MIT

/// The exit status of the program. Scripts may rely on these numbers. Those from 64 are the ones of `sysexits.h`.
package enum ExitCode: Int32, Sendable, Hashable, CaseIterable {
  case done = 0
  case refused = 1
  case usage = 64
  case nothingPlayable = 65
  case noSuchFile = 66
  case unavailable = 69
  case cannotWrite = 73
  case tryAgain = 75
  case badSettings = 78

  /// What the status says, as a phrase for help texts.
  package var meaning: String {
    switch self {
    case .done: "Done"
    case .refused: "Refused, with a reason"
    case .usage: "Wrong usage"
    case .nothingPlayable: "Nothing playable"
    case .noSuchFile: "No such file or folder"
    case .unavailable: "No session bus, agent or sound server"
    case .cannotWrite: "Cannot write"
    case .tryAgain: "Busy: try again later"
    case .badSettings: "Bad settings"
    }
  }
}

/// Why a command failed or could not be read: the subject, the reason and the remedy.
package struct CommandError: Error, Hashable, CustomStringConvertible {
  /// The exit status that the program ends with.
  package let code: ExitCode
  package let subject: String
  package let reason: String
  /// The remedy: what the user can do; empty if nothing can be done.
  package private(set) var remedy: String
  /// Whether the order was refused because what it names does not exist, or no longer: a row of the queue, say. A program that gets this error has an old
  /// list, and should read it again.
  package var isOfMissingItem = false

  /// An error. The texts may come from anywhere; they are made safe for a terminal here. Traps on the code `done`,
  /// which is not an error.
  package init(_ code: ExitCode, _ subject: String, _ reason: String, _ remedy: String = "") {
    precondition(code != .done, "an error that is none")
    self.code = code
    self.subject = TerminalText.escaped(subject)
    self.reason = TerminalText.escaped(reason)
    self.remedy = TerminalText.escaped(remedy)
  }

  /// The same error with another remedy; empty if nothing can be done.
  package func advising(_ remedy: String) -> CommandError {
    var error = self
    error.remedy = TerminalText.escaped(remedy)
    return error
  }

  /// The error as one line: `subject: reason; remedy`.
  package var description: String { "\(subject): \(reason)" + (remedy.isEmpty ? "" : "; \(remedy)") }
}

/// Finds the word that a user most likely meant by a mistyped one.
package enum Suggestion {
  // Longer words are not typing errors, and the cost of comparing grows with the square of the length.
  private static let longest = 64

  /// The candidate nearest to `word`; nil if none is near enough.
  ///
  /// One error per three letters is allowed, and at least one, but at most three. A word of two letters or more that
  /// is the beginning of exactly one candidate means that candidate.
  package static func nearest(to word: String, among candidates: [String]) -> String? {
    let typed = word.lowercased()
    guard (1...longest).contains(typed.count) else { return nil }
    let continued = candidates.filter { typed.count > 1 && $0.lowercased().hasPrefix(typed) }
    if continued.count == 1 { return continued[0] }
    let limit = min(3, max(1, typed.count / 3))
    let ranked = candidates.map { (word: $0, distance: distance(typed, $0.lowercased())) }
    // If every letter differs it is no typing error: "x" does not mean "y".
    let near = ranked.filter { $0.distance <= limit && $0.distance < min(typed.count, $0.word.count) }
    return near.min { $0.distance < $1.distance }?.word
  }

  /// The number of letters that must be inserted, left out, changed or swapped with their neighbour to turn one word
  /// into the other (the restricted Damerau–Levenshtein distance).
  package static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first), Array(second))
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let same = a[i - 1] == b[j - 1]
        var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, before[j - 2] + 1) }
        row.append(best)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
