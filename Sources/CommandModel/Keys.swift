// SPDX-License-Identifier: MIT

/// A key that was pressed in a terminal.
package enum Key: Sendable, Hashable {
  /// A letter, digit, other printable character or space.
  case character(Character)
  /// A letter together with the control key, in lower case.
  case control(Character)
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  case enter, tab, backTab, backspace, escape
  /// F1 to F12.
  case function(Int)
}

extension TerminalInput {
  /// The key that was pressed, for a program that knows no modifiers; nil for all else that a terminal sends, and for a letter with Alt.
  package var plainKey: Key? {
    let press: KeyPress
    switch self {
    case .key(let plain): press = plain
    case .heldKey(let held) where held.phase != .released: press = held.press
    default: return nil
    }
    if case .character = press.key, press.modifiers.contains(.alt) { return nil }
    return press.key
  }
}

// The name of a key, as people read it in the screen's help and write it in the file of keys.
extension KeyPress {
  /// The key's name: `Ctrl-D`, `Shift-Up`, `F5`, `Space`, `q`.
  package var name: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    return text + key.name
  }

  /// The key with this name; nil if there is none.
  package init?(name: String) {
    var rest = name[...]
    var modifiers: Modifiers = []
    for (prefix, modifier) in [("Ctrl-", Modifiers.control), ("Alt-", .alt), ("Shift-", .shift)]
    where rest.hasPrefix(prefix) && rest.count > prefix.count {
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    guard let key = Key(name: String(rest)) else { return nil }
    if modifiers == .control, case .character(let letter) = key, letter.isASCII, letter.isLetter {
      self.init(.control(Character(letter.lowercased())))
    } else if modifiers == .shift, key == .tab {
      self.init(.backTab)
    } else {
      self.init(key, modifiers)
    }
  }

  private static let longestSequence = 3

  /// The keys in a text that names several to be pressed one after the other: `gg`, `Ctrl-D`, `sa`. Nil if a part is not a key.
  package static func sequence(_ text: String) -> [KeyPress]? {
    if let press = KeyPress(name: text) { return [press] }
    let presses = text.map { KeyPress(.character($0)) }
    return (2...longestSequence).contains(presses.count) && !text.contains(" ") ? presses : nil
  }
}

extension Key {
  private static let names: [(Key, String)] = [
    (.character(" "), "Space"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"),
    (.home, "Home"), (.end, "End"), (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.insert, "Ins"),
    (.delete, "Del"), (.enter, "Enter"), (.tab, "Tab"), (.backTab, "Shift-Tab"), (.backspace, "Backspace"),
    (.escape, "Esc"),
  ]

  fileprivate var name: String {
    if let named = Self.names.first(where: { $0.0 == self }) { return named.1 }
    switch self {
    case .character(let letter): return String(letter)
    case .control(let letter): return "Ctrl-\(letter.uppercased())"
    case .function(let number): return "F\(number)"
    default: return ""
    }
  }

  fileprivate init?(name: String) {
    if let named = Self.names.first(where: { $0.1 == name }) {
      self = named.0
    } else if name.count == 1, let letter = name.first, letter != " " {
      self = .character(letter)
    } else if name.first == "F", let number = Int(name.dropFirst()), (1...12).contains(number) {
      self = .function(number)
    } else {
      return nil
    }
  }
}
