// SPDX-License-Identifier: MIT
package import CommandModel

/// Asks a terminal for its abilities, and collects its answers.
///
/// Every terminal answers the last question, so that answer tells that no other will come. Nothing waits for the answers: the screen is painted
/// before, in a way that all terminals understand.
package struct TerminalProbe: Sendable {
  /// Four questions: the terminal's name, whether it shows frames at once, its keyboard protocol, and one that every terminal answers.
  package static let questions = Array("\u{1B}[>q\u{1B}[?2026$p\u{1B}[?u\u{1B}[c".utf8)

  /// Whether the terminal can show all bytes between two marks at once.
  package private(set) var isSynchronized = false
  /// Whether the terminal can distinguish keys that send the same byte on other terminals, and report when keys are let go.
  package private(set) var hasKeyboard = false
  package private(set) var version: String?
  package private(set) var isOver = false

  package init() {}

  /// Handles an answer. An answer after the last one is ignored, because it may be meant for another program.
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
