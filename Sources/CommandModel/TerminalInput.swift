// SPDX-License-Identifier: MIT

/// One thing that a terminal sends: a key, a move of the mouse, a paste, or an answer to a question.
package enum TerminalInput: Sendable, Hashable {
  case key(KeyPress)
  /// A key event from a terminal that also reports repetitions and releases.
  case heldKey(HeldKey)
  case mouse(MouseReport)
  /// Text that was pasted or dropped, without control characters.
  case paste(String)
  /// A paste that is longer than the decoder takes. Nothing of it is told, because a path at its end would be cut.
  case tooLongPaste
  /// The window has the keyboard now, or has lost it.
  case focus(Bool)
  case answer(TerminalAnswer)
}

/// A key together with the modifier keys that were held.
package struct KeyPress: Sendable, Hashable {
  package struct Modifiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var key: Key
  /// The modifiers that `key` does not express already. So control is left out for a control character, and shift if it has made another character of
  /// the key.
  package var modifiers: Modifiers

  package init(_ key: Key, _ modifiers: Modifiers = []) { (self.key, self.modifiers) = (key, modifiers) }

  /// Whether Alt with this key looks like two keys, Escape and this one, because the terminal sends the same bytes for both. That is so for letters, and
  /// for Backspace; for an arrow there is a sequence of its own.
  package var looksLikeTwo: Bool { if case .character = key { true } else { key == .backspace } }
}

/// A key event of kitty's keyboard protocol: the key, and whether it was pressed, repeats or was released.
package struct HeldKey: Sendable, Hashable {
  package enum Phase: Int, Sendable, Hashable {
    case pressed = 1
    case repeated, released
  }

  /// The key's number in the protocol. It stays the same when another key, such as shift, is released first.
  package let code: Int
  package let phase: Phase
  /// The key with its modifiers, as it was pressed. For a release only `code` is reliable, because shift may have been released before.
  package let press: KeyPress

  package init(_ press: KeyPress, code: Int, _ phase: Phase = .pressed) {
    (self.press, self.code, self.phase) = (press, code, phase)
  }
}

/// What the mouse did on a cell of the terminal.
package struct MouseReport: Sendable, Hashable {
  package enum Action: Sendable, Hashable {
    case press, release, drag
    case wheelUp, wheelDown
  }

  package var action: Action
  /// The row of the cell, counted from 0 like its column.
  package var row: Int
  package var column: Int

  package init(action: Action, row: Int, column: Int) {
    (self.action, self.row, self.column) = (action, row, column)
  }
}

/// A terminal's answer to one of the questions of `TerminalProbe`.
package enum TerminalAnswer: Sendable, Hashable {
  /// The terminal's name and version.
  case version(String)
  /// The state of a private mode: 1 on, 2 off, 3 always on, 4 never on, 0 unknown.
  case mode(Int, state: Int)
  /// The terminal has the keyboard protocol that distinguishes all keys.
  case keyboard
  /// The terminal takes pictures by kitty's graphics protocol, or refuses the one that it was asked about.
  case graphics(takes: Bool)
  /// How many pixels wide and high a cell of the terminal is.
  case cell(width: Int, height: Int)
  /// How many colours a picture by sixel may have.
  case registers(Int)
  /// What the terminal can do in general. Every terminal answers this, so it is asked last.
  case attributes([Int])
  /// An answer to a question that this program has not asked.
  case other
}

/// Decodes the bytes from a terminal into input. A sequence may be split between reads at any place.
///
/// Incomplete input waits for more bytes: an escape byte, which may be the key or begin a sequence; the first bytes of a character; a paste or an answer
/// without its end. If `wait` passes without a byte, the caller calls `flush`. That makes a lone escape byte the key, returns a paste as far as it has
/// come, and drops anything else.
package struct TerminalInputDecoder: Sendable {
  /// The kind of sequence to which the bytes belong that have come and are not complete yet.
  private enum State: Sendable, Hashable {
    case ground
    /// A key, or the beginning of any sequence.
    case sequence
    /// An answer that contains a text, and whose end mark has not come yet.
    case string
    /// A paste whose end mark has not come yet.
    case paste
    /// The rest of a sequence that is too long, which is dropped up to its last byte.
    case overlong
  }

  // No key or report is longer. Longer sequences are dropped, so that a terminal cannot make the buffer grow without limit.
  private static let longestSequence = 256
  private static let longestText = 1 << 16
  // Enough for the paths of some thousand files that are dropped together.
  private static let longestPaste = 1 << 20

  private var state = State.ground
  private var pending: [UInt8] = []
  /// Whether bytes of the present paste were dropped.
  private var isCut = false

  package init() {}

  /// How long to wait for the rest of incomplete input; nil if nothing is incomplete.
  package var wait: Duration? {
    switch state {
    case .ground: nil
    case .sequence where pending == [0x1B]: .milliseconds(50)
    case .sequence, .overlong, .string: .milliseconds(500)
    // Over a slow network a paste may come in pieces. Whatever of it came after the end of the wait would be taken for keys.
    case .paste: .seconds(10)
    }
  }

  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    var inputs: [TerminalInput] = []
    for byte in bytes {
      switch state {
      case .ground, .sequence: take(byte, &inputs)
      case .overlong: drop(byte, &inputs)
      case .string: takeString(byte, &inputs)
      case .paste: takePaste(byte, &inputs)
      }
    }
    return inputs
  }

  /// Ends incomplete input, because no more bytes came. A lone escape byte is the escape key; of a paste, the text so far is returned; anything else
  /// is dropped.
  package mutating func flush() -> [TerminalInput] {
    defer { (state, pending, isCut) = (.ground, [], false) }
    switch state {
    case .sequence where pending == [0x1B]: return [.key(KeyPress(.escape))]
    case .paste: return [isCut ? .tooLongPaste : .paste(Self.text(pending))]
    default: return []
    }
  }

  private mutating func take(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    // An escape byte begins a new sequence, even if the last one is incomplete. Enter or Tab soon after the escape key is a key of its own.
    if byte == 0x1B || byte < 0x20 && pending == [0x1B] { inputs += flush() }
    pending.append(byte)
    state = .sequence
    switch KeySequence.step(pending) {
    case .incomplete where pending.count < Self.longestSequence: return
    case .incomplete: return (state, pending) = (.overlong, [])
    case .string: return state = .string
    case .paste: return (state, pending) = (.paste, [])
    case .input(let input): inputs.append(input)
    default: break
    }
    (state, pending) = (.ground, [])
  }

  private mutating func drop(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    guard (0x20...0x3F).contains(byte) else {
      state = .ground
      if byte < 0x20 { take(byte, &inputs) }
      return
    }
  }

  private mutating func takeString(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    let ends = byte == 0x07 || byte == UInt8(ascii: "\\") && pending.last == 0x1B
    if !ends {
      // A text that is too long is dropped up to its end.
      if pending.count < Self.longestText { pending.append(byte) } else { pending[pending.count - 1] = byte }
      return
    }
    inputs.append(.answer(KeySequence.answer(pending)))
    (state, pending) = (.ground, [])
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func takePaste(_ byte: UInt8, _ inputs: inout [TerminalInput]) {
    pending.append(byte)
    if byte == UInt8(ascii: "~"), pending.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
      pending.removeLast(Self.pasteEnd.count)
      inputs += flush()
    } else if pending.count > Self.longestPaste {
      isCut = true
      // The end mark may begin in the last bytes.
      pending.removeFirst(pending.count - Self.pasteEnd.count)
    }
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          $0 == "\n" || $0 == "\r" || $0 == "\t" || !TerminalText.isHazardous($0)
        }))
  }
}

/// The meaning of the bytes of a key or another sequence that have come so far.
private enum KeySequence {
  case incomplete
  case input(TerminalInput)
  /// The beginning of an answer that contains a text.
  case string
  /// The mark that begins a paste.
  case paste
  /// A complete sequence that this program does not need.
  case nothing

  static func key(_ key: Key, _ modifiers: KeyPress.Modifiers = []) -> KeySequence {
    .input(.key(KeyPress(key, modifiers)))
  }

  static func step(_ bytes: [UInt8]) -> KeySequence {
    switch bytes[0] {
    case 0x1B: bytes.count == 1 ? .incomplete : escape(bytes)
    case 0x0D, 0x0A: key(.enter)
    case 0x09: key(.tab)
    case 0x7F, 0x08: key(.backspace)
    // 1 is control-a, and so on. 0 and 28 to 31 have no letter.
    case 0x01...0x1A: key(.control(Character(Unicode.Scalar(bytes[0] + 0x60))))
    case 0x20..<0x7F: key(.character(Character(Unicode.Scalar(bytes[0]))))
    case 0xC2...0xF4: letter(bytes, [])
    default: .nothing
    }
  }

  // A character of several bytes in UTF-8.
  private static func letter(_ bytes: [UInt8], _ modifiers: KeyPress.Modifiers) -> KeySequence {
    let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
    guard bytes.count == length else { return .incomplete }
    guard let text = String(validating: bytes, as: UTF8.self), text.count == 1 else { return .nothing }
    return key(.character(text[text.startIndex]), modifiers)
  }

  private static func escape(_ bytes: [UInt8]) -> KeySequence {
    switch bytes[1] {
    case UInt8(ascii: "["): control(bytes.dropFirst(2))
    case UInt8(ascii: "O"): bytes.count == 2 ? .incomplete : keypad(bytes[2])
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      .string
    case 0x20..<0x7F: key(.character(Character(Unicode.Scalar(bytes[1]))), .alt)
    case 0x7F: key(.backspace, .alt)
    default: .nothing
    }
  }

  // Reads what follows `ESC [`: digits and signs, up to a final byte.
  private static func control(_ bytes: ArraySlice<UInt8>) -> KeySequence {
    guard let last = bytes.last else { return .incomplete }
    switch bytes.first {
    // The function keys of Linux's own console.
    case UInt8(ascii: "["): return bytes.count < 2 ? .incomplete : consoleKey(last)
    // The mouse of a terminal that reports it in the old way, with three bytes that could be any key.
    case UInt8(ascii: "M"): return bytes.count < 4 ? .incomplete : .nothing
    default: break
    }
    switch last {
    case 0x20...0x3F: return .incomplete
    case 0x40...0x7E: return control(Parameters(bytes.dropLast()), last)
    default: return .nothing
    }
  }

  private static func consoleKey(_ byte: UInt8) -> KeySequence {
    let (first, last) = (UInt8(ascii: "A"), UInt8(ascii: "E"))
    return (first...last).contains(byte) ? key(.function(Int(byte - first) + 1)) : .nothing
  }

  private static func control(_ parameters: Parameters, _ last: UInt8) -> KeySequence {
    switch (parameters.mark, last) {
    case ("<", UInt8(ascii: "M")), ("<", UInt8(ascii: "m")):
      return mouse(parameters, isRelease: last == UInt8(ascii: "m"))
    case ("?", UInt8(ascii: "c")): return .input(.answer(.attributes(parameters.numbers)))
    case ("?", UInt8(ascii: "u")): return .input(.answer(.keyboard))
    case ("?", UInt8(ascii: "S")):
      // 1 for the colours, and 0 for success.
      guard parameters.numbers.count == 3, parameters.numbers[..<2] == [1, 0] else { return .nothing }
      return .input(.answer(.registers(parameters.numbers[2])))
    case ("?", UInt8(ascii: "y")):
      guard parameters.numbers.count == 2 else { return .nothing }
      return .input(.answer(.mode(parameters.numbers[0], state: parameters.numbers[1])))
    case (nil, UInt8(ascii: "I")): return .input(.focus(true))
    case (nil, UInt8(ascii: "O")): return .input(.focus(false))
    case (nil, UInt8(ascii: "u")): return unicode(parameters)
    case (nil, UInt8(ascii: "t")):
      guard parameters.numbers.count == 3, parameters.numbers[0] == 6 else { return .nothing }
      return .input(.answer(.cell(width: parameters.numbers[2], height: parameters.numbers[1])))
    case (nil, UInt8(ascii: "~")):
      if parameters.numbers.first == 200 { return .paste }
      if parameters.phase == .released || parameters.hasDesktopModifier { return .nothing }
      return numbered(parameters.numbers.first).map { key($0, parameters.modifiers) } ?? .nothing
    case (nil, _) where parameters.phase == .released || parameters.hasDesktopModifier: return .nothing
    case (nil, _): return named(last).map { key($0, parameters.modifiers) } ?? .nothing
    default: return .nothing
    }
  }

  private static func keypad(_ byte: UInt8) -> KeySequence {
    byte == UInt8(ascii: "M") ? key(.enter) : named(byte).map { key($0) } ?? .nothing
  }

  private static func named(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(byte - UInt8(ascii: "P")) + 1)
    default: nil
    }
  }

  // The key of a sequence such as `ESC [ 5 ~`, which has this number.
  private static func numbered(_ number: Int?) -> Key? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case let number? where (11...15).contains(number): .function(number - 10)
    case let number? where (17...21).contains(number): .function(number - 11)
    case 23: .function(11)
    case 24: .function(12)
    default: nil
    }
  }

  /// A key in kitty's keyboard protocol, which gives its code point. The text that the key makes comes with it, except for a release and for keys
  /// that make none.
  private static func unicode(_ parameters: Parameters) -> KeySequence {
    guard let code = parameters.numbers.first else { return .nothing }
    // A key may be let go after Super was pressed.
    if parameters.hasDesktopModifier, parameters.phase != .released { return .nothing }
    let text = parameters.text
    // A text without a key comes from an input method that composes letters.
    if code == 0 { return text.isEmpty ? .nothing : .input(.paste(text)) }
    // On a Cyrillic layout, say, Ctrl-C would be no key otherwise. On a Latin one the letter is what its user means.
    let takesBase = code >= 0x80 && !parameters.modifiers.isDisjoint(with: [.control, .alt])
    guard let press = press(takesBase ? parameters.base ?? code : code, text, parameters.modifiers) else {
      return .nothing
    }
    return .input(.heldKey(HeldKey(press, code: code, parameters.phase)))
  }

  private static func press(_ code: Int, _ text: String, _ modifiers: KeyPress.Modifiers) -> KeyPress? {
    if let key = plain(code) { return KeyPress(key, modifiers) }
    if code == 9 { return modifiers.contains(.shift) ? KeyPress(.backTab) : KeyPress(.tab, modifiers) }
    if text.count == 1, let letter = text.first {
      return KeyPress(.character(letter), modifiers.subtracting(.shift))
    }
    guard code >= 0x20, !(0xE000...0xF8FF).contains(code), let scalar = Unicode.Scalar(UInt32(clamping: code))
    else {
      return nil
    }
    if modifiers == .control, scalar.properties.isAlphabetic { return KeyPress(.control(Character(scalar))) }
    let letter = Character(scalar)
    let isCapital = modifiers.contains(.shift) && letter.isLetter && letter.uppercased().count == 1
    return KeyPress(
      .character(isCapital ? Character(letter.uppercased()) : letter), modifiers.subtracting(.shift))
  }

  // Keys that make no text; those above 57,000 are on the number pad.
  private static func plain(_ code: Int) -> Key? {
    switch code {
    case 27: .escape
    case 13, 57414: .enter
    case 127: .backspace
    case 57417: .left
    case 57418: .right
    case 57419: .up
    case 57420: .down
    case 57421: .pageUp
    case 57422: .pageDown
    case 57423: .home
    case 57424: .end
    case 57425: .insert
    case 57426: .delete
    default: nil
    }
  }

  // Cells count from 1 on the wire. Bits 2 to 4 are modifiers, which nothing here uses.
  private static func mouse(_ parameters: Parameters, isRelease: Bool) -> KeySequence {
    guard parameters.numbers.count == 3 else { return .nothing }
    let button = parameters.numbers[0] & ~0b1_1100
    let action: MouseReport.Action? =
      switch button {
      case 0: isRelease ? .release : .press
      case 32: .drag
      case 64: .wheelUp
      case 65: .wheelDown
      default: nil
      }
    guard let action else { return .nothing }
    return .input(
      .mouse(
        MouseReport(
          action: action, row: max(0, parameters.numbers[2] - 1), column: max(0, parameters.numbers[1] - 1))))
  }

  private static let longestAnswer = 64

  /// An answer with a text, from its introducing bytes to before its end mark.
  static func answer(_ bytes: [UInt8]) -> TerminalAnswer {
    if bytes.starts(with: Array("\u{1B}_G".utf8)) {
      let text = bytes.prefix(longestAnswer).split(separator: UInt8(ascii: ";"), maxSplits: 1).dropFirst()
        .first
      return .graphics(takes: text?.starts(with: Array("OK".utf8)) ?? false)
    }
    let isVersion = bytes.starts(with: Array("\u{1B}P>|".utf8))
    guard isVersion else { return .other }
    return .version(String(decoding: bytes.dropFirst(4).filter { (0x20..<0x7F).contains($0) }, as: UTF8.self))
  }
}

/// The numbers between `ESC [` and the final byte.
private struct Parameters {
  /// The sign before the numbers; it distinguishes sequences with different meanings.
  private(set) var mark: Character?
  private(set) var numbers: [Int] = []
  /// Whether the key was pressed, repeats or was released. Kitty's protocol writes this after a colon behind the second number.
  private(set) var phase = HeldKey.Phase.pressed
  /// The characters whose code points are in the third parameter.
  private(set) var text = ""
  /// The key that is at this place on an American keyboard, by its code point. Kitty's protocol writes it as a third piece of the first number, if it is
  /// another one.
  private(set) var base: Int?

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      mark = Character(Unicode.Scalar(first))
      rest = rest.dropFirst()
    }
    for (index, part) in rest.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .enumerated()
    {
      let pieces = part.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      numbers.append(Self.number(pieces.first))
      if index == 0, pieces.count > 2 { base = Self.number(pieces[2]) }
      if index == 1, pieces.count > 1 { phase = HeldKey.Phase(rawValue: Self.number(pieces[1])) ?? .pressed }
      if index == 2 { text = Self.text(pieces) }
    }
  }

  private static func text(_ pieces: [ArraySlice<UInt8>]) -> String {
    let scalars = pieces.compactMap { Unicode.Scalar(UInt32(clamping: number($0))) }
    return String(String.UnicodeScalarView(scalars.filter { !TerminalText.isHazardous($0) }))
  }

  private static func number(_ digits: ArraySlice<UInt8>?) -> Int {
    (digits ?? []).reduce(0) { value, byte in
      (0x30...0x39).contains(byte) ? min(value * 10 + Int(byte - 0x30), 1 << 24) : value
    }
  }

  /// Whether Super, Hyper or Meta was held. The desktop's own shortcuts use these, so such a key does nothing here.
  var hasDesktopModifier: Bool { numbers.count > 1 && (numbers[1] - 1) & 0b11_1000 != 0 && numbers[1] > 0 }

  /// The modifiers that were held. Terminals send them as one more than the bits, in the second number.
  var modifiers: KeyPress.Modifiers {
    guard numbers.count > 1 else { return [] }
    return KeyPress.Modifiers(rawValue: UInt8(max(0, numbers[1] - 1) & 7))
  }
}
