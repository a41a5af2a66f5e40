// SPDX-License-Identifier: MIT

/// A key that was pressed in a terminal.
package enum Key: Sendable, Hashable {
  /// A letter, a digit, a sign or a space.
  case character(Character)
  /// A letter together with the control key, in lower case.
  case control(Character)
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  case enter, tab, backTab, backspace, escape
}
