// SPDX-License-Identifier: MIT
package import CommandModel

/// Asks a terminal for its abilities, and collects its answers.
///
/// Every terminal answers the last question, so that answer tells that no other will come. Nothing waits for the answers: the screen is painted
/// before, in a way that all terminals understand.
package struct TerminalProbe: Sendable {
  /// Whether it shows all bytes between two marks at once.
  package private(set) var isSynchronized = false
  /// Whether the terminal can distinguish keys that send the same byte on other terminals, and report when keys are let go.
  package private(set) var hasKeyboard = false
  /// Whether it takes pictures by kitty's graphics protocol, as it says itself.
  package private(set) var takesGraphics = false
  package private(set) var cell: CellSize?
  package private(set) var version: String?
  package private(set) var isOver = false

  package init() {}

  /// The questions for the terminal of this environment: its name and version, whether it shows frames at once, its keyboard protocol,
  /// whether it takes pictures, how many pixels a cell has, and what every terminal answers.
  package static func questions(environment: (String) -> String?) -> [UInt8] {
    let pictures = "\u{1B}_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[16t"
    let rest = showsStrings(environment) ? "" : pictures
    return Array("\u{1B}[>q\u{1B}[?2026$p\u{1B}[?u\(rest)\u{1B}[c".utf8)
  }

  // An older console of Linux writes the question about pictures onto the screen, `screen` into its status line, and tmux into the title.
  private static func showsStrings(_ environment: (String) -> String?) -> Bool {
    let terminal = environment("TERM") ?? ""
    return ["linux", "screen", "tmux", "vt"].contains { terminal.hasPrefix($0) }
      || ["TMUX", "STY"].contains { environment($0) != nil }
  }

  /// Takes an answer. One that comes after the last is swallowed: it may be meant for another program.
  package mutating func take(_ answer: TerminalAnswer) {
    guard !isOver else { return }
    switch answer {
    case .version(let text): version = text
    // 0 is unknown, and 4 is known but never on.
    case .mode(2026, let state): isSynchronized = state == 1 || state == 2
    case .mode, .other: break
    case .keyboard: hasKeyboard = true
    case .graphics(let takes): takesGraphics = takes
    case .cell(let width, let height): cell = CellSize(width: width, height: height)
    case .attributes: isOver = true
    }
  }
}
