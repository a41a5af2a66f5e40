// SPDX-License-Identifier: MIT
package import CommandModel

/// What a terminal can do, as far as it matters for painting.
package struct TerminalTraits: Sendable, Hashable {
  package enum Colours: Sendable, Hashable, Comparable {
    /// Bold and reverse only.
    case none
    case sixteen, palette, full
  }

  package var colours: Colours
  /// Whether it shows all bytes between two marks at once, so that nobody sees half a frame.
  package var isSynchronized: Bool
  /// Whether it takes UTF-8; otherwise only ASCII is written.
  package var isUnicode: Bool
  /// How it takes pictures of pixels; nil if it does not, or nobody knows.
  package var graphics: Graphics?
  /// How many pixels a cell has; nil if nobody knows.
  package var cell: CellSize?

  /// Whether it has the colours and the characters for pictures made of half blocks.
  package var showsHalfBlocks: Bool { colours >= .palette && isUnicode }

  package init(
    colours: Colours = .sixteen, isSynchronized: Bool = false, isUnicode: Bool = true,
    graphics: Graphics? = nil,
    cell: CellSize? = nil
  ) {
    (self.colours, self.isSynchronized, self.isUnicode) = (colours, isSynchronized, isUnicode)
    (self.graphics, self.cell) = (graphics, cell)
  }

  /// What the environment says. `NO_COLOR` takes the colours away unless it is empty (no-color.org). `charset` is the character set that the C library
  /// has for the locale. It is nil for a locale that is not installed, and then the locale's name has to do.
  package init(charset: String? = nil, environment: (String) -> String?) {
    let terminal = environment("TERM") ?? ""
    let truth = environment("COLORTERM") ?? ""
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment($0) }.first { !$0.isEmpty }?.uppercased() ?? ""
    colours =
      !(environment("NO_COLOR") ?? "").isEmpty || terminal.hasPrefix("vt")
      ? .none
      : truth == "truecolor" || truth == "24bit"
        ? .full : terminal.hasSuffix("256color") ? .palette : .sixteen
    isSynchronized = false
    let charset = charset?.uppercased() ?? String(locale.prefix { $0 != "@" })
    isUnicode = charset.hasSuffix("UTF-8") || charset.hasSuffix("UTF8")
  }

  /// Takes what the terminal has answered so far. `number` is the image number that our pictures get, where the terminal gives each picture one.
  package mutating func take(_ probe: TerminalProbe, number: UInt32) {
    isSynchronized = probe.isSynchronized
    guard probe.isOver, colours != .none else { return }
    guard let known = KnownTerminal(probe.version ?? "") else { return takeUnknown(probe) }
    // These have all colours, even if the environment does not say so, as over ssh.
    colours = .full
    cell = cell ?? probe.cell
    graphics = known.graphics(takesGraphics: probe.takesGraphics, isUnicode: isUnicode, number: number)
  }

  /// With fewer colours than this, half blocks show more.
  private static let leastRegisters = 16

  // What a terminal says of a cell counts for more than what the system says: these pixels are those of its pictures.
  private mutating func takeUnknown(_ probe: TerminalProbe) {
    // tmux says yes whatever terminal it is in, and puts a box of plus signs there where that one has no sixel.
    guard probe.takesSixel, let known = probe.cell ?? cell, probe.version?.hasPrefix("tmux") != true
    else { return }
    // Terminals that do not tell have at least 256. The one that may have fewer, xterm, tells.
    let registers = min(probe.registers ?? SixelPicture.mostColours, SixelPicture.mostColours)
    guard registers >= Self.leastRegisters else { return }
    (cell, graphics) = (known, .sixel(colours: registers))
  }
}

/// How a terminal takes pictures of pixels.
package enum Graphics: Sendable, Hashable {
  /// By kitty's protocol, and shows them where the text has cells that stand for their parts.
  case placeholders(number: UInt32)
  /// By kitty's protocol, and lays them over cells.
  case placement(number: UInt32)
  /// By iTerm2's protocol, as the content of cells.
  case inline
  /// By sixel, in at most so many colours, as the content of the pixels from a cell on.
  case sixel(colours: Int)

  /// The command that deletes our pictures, a half-sent one included. Empty for protocols whose pictures vanish when their cells are overwritten.
  package var removal: [UInt8] {
    switch self {
    case .placeholders(let number), .placement(let number): PictureCommands.removal(number)
    case .inline, .sixel: []
    }
  }
}

/// How many pixels a cell of a terminal has.
package struct CellSize: Sendable, Hashable {
  package let width: Int
  package let height: Int

  /// The size; nil if it is none that a cell can have: a terminal may say anything.
  package init?(width: Int, height: Int) {
    guard (2...200).contains(width), (2...200).contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }
}

/// The terminals whose pictures we know, by the name that they tell. Some others say that they take pictures and lack what we need for it.
private enum KnownTerminal {
  case kitty(hasPlaceholders: Bool)
  case ghostty, konsole, iTerm, wezTerm

  init?(_ version: String) {
    let words = version.split { !$0.isLetter && !$0.isNumber && $0 != "." }
    switch words.first?.lowercased() {
    case "kitty": self = .kitty(hasPlaceholders: Self.isAtLeast(0, 28, words.dropFirst().first ?? ""))
    case "ghostty": self = .ghostty
    case "konsole": self = .konsole
    case "iterm2": self = .iTerm
    case "wezterm": self = .wezTerm
    default: return nil
    }
  }

  private static func isAtLeast(_ major: Int, _ minor: Int, _ version: Substring) -> Bool {
    let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
    guard numbers.count > 1 else { return false }
    return numbers[0] > major || numbers[0] == major && numbers[1] >= minor
  }

  /// WezTerm has kitty's protocol too, but it is off there until somebody turns it on. Placeholders are characters outside ASCII.
  func graphics(takesGraphics: Bool, isUnicode: Bool, number: UInt32) -> Graphics? {
    switch self {
    case .iTerm, .wezTerm: .inline
    case .kitty(hasPlaceholders: true) where takesGraphics && isUnicode: .placeholders(number: number)
    case .ghostty where takesGraphics && isUnicode: .placeholders(number: number)
    case .kitty where takesGraphics, .konsole where takesGraphics: .placement(number: number)
    case .kitty, .ghostty, .konsole: nil
    }
  }
}

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
