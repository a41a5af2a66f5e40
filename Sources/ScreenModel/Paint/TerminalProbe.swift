// SPDX-License-Identifier: MIT
package import CommandModel

/// Asks a terminal for its abilities, and collects its answers.
///
/// Every terminal answers the last question, so that answer tells that no other will come. Nothing waits for the answers: the screen is painted
/// at once, in a way that all terminals understand.
package struct TerminalProbe: Sendable {
  /// Whether it shows all bytes between two marks at once.
  package private(set) var isSynchronized = false
  /// Whether the terminal can distinguish keys that send the same byte on other terminals, and report when keys are let go.
  package private(set) var hasKeyboard = false
  /// Whether it takes pictures by kitty's graphics protocol, as it says itself.
  package private(set) var takesGraphics = false
  /// Whether it takes pictures by sixel, as it says itself, and how many colours they may have; nil if it does not tell.
  package private(set) var takesSixel = false
  package private(set) var registers: Int?
  package private(set) var cell: CellSize?
  package private(set) var version: String?
  package private(set) var isOver = false

  package init() {}

  /// The questions for the terminal of this environment: its name and version, whether it shows frames at once, its keyboard protocol,
  /// whether it takes pictures, how many pixels a cell has, how many colours a picture may have, and what every terminal answers. To be sent
  /// before the first frame: a terminal that takes the question about colours for another command scrolls by a line (st 0.8).
  package static func questions(environment: (String) -> String?) -> [UInt8] {
    let pictures = "\u{1B}_Gi=1,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\(cellQuestion)\u{1B}[?1;1;0S"
    let rest = showsStrings(environment) ? "" : pictures
    return Array("\u{1B}[>q\u{1B}[?2026$p\u{1B}[?u\(rest)\u{1B}[c".utf8)
  }

  private static let cellQuestion = "\u{1B}[16t"

  /// Asks again how many pixels a cell has, since the letters may have another size now.
  package static var questionAfterResize: [UInt8] { Array(cellQuestion.utf8) }

  // An older console of Linux writes the question about pictures onto the screen, `screen` into its status line, and tmux into the title.
  private static func showsStrings(_ environment: (String) -> String?) -> Bool {
    let terminal = environment("TERM") ?? ""
    return ["linux", "screen", "tmux", "vt"].contains { terminal.hasPrefix($0) }
      || ["TMUX", "STY"].contains { environment($0) != nil }
  }

  /// Takes an answer. One that comes after the last is swallowed: it may be meant for another program. Only the size of a cell is asked for again.
  package mutating func take(_ answer: TerminalAnswer) {
    if case .cell(let width, let height) = answer { cell = CellSize(width: width, height: height) ?? cell }
    guard !isOver else { return }
    switch answer {
    case .version(let text): version = text
    // 0 is unknown, and 4 is known but never on.
    case .mode(2026, let state): isSynchronized = state == 1 || state == 2
    case .mode, .other, .cell: break
    case .keyboard: hasKeyboard = true
    case .graphics(let takes): takesGraphics = takes
    case .registers(let count): registers = count
    case .attributes(let attributes):
      // The first number is the kind of terminal.
      takesSixel = attributes.dropFirst().contains(4)
      isOver = true
    }
  }
}
