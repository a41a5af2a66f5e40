// SPDX-License-Identifier: MIT
package import CommandModel

/// Asks a terminal what it can do, and takes its answers as they come.
///
/// The last question is one that every terminal answers, so its answer says that no other will come. Nobody waits for any: the screen is
/// painted before, in a way that all understand.
package struct TerminalProbe: Sendable {
  /// Its name, whether it shows frames at once, its keyboard protocol, and what every terminal answers.
  package static let questions = Array("\u{1B}[>q\u{1B}[?2026$p\u{1B}[?u\u{1B}[c".utf8)

  /// Whether it shows all bytes between two marks at once.
  package private(set) var isSynchronized = false
  /// Whether it can tell keys apart that are the same byte elsewhere, and when they are let go.
  package private(set) var hasKeyboard = false
  package private(set) var version: String?
  package private(set) var isOver = false

  package init() {}

  /// Takes an answer. One that comes after the last is swallowed: it may be meant for another program.
  package mutating func take(_ answer: TerminalAnswer) {
    guard !isOver else { return }
    switch answer {
    case .version(let text): version = text
    // 0 is unknown, and 4 is known but never on.
    case .mode(2026, let state): isSynchronized = state == 1 || state == 2
    case .mode, .other: break
    case .keyboard: hasKeyboard = true
    case .attributes: isOver = true
    }
  }
}
