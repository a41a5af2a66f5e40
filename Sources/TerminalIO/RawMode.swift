// SPDX-License-Identifier: MIT

/// A terminal that hands over each key at once and shows none, until this is let go of.
///
/// The terminal comes back as it was however the process goes: at the end of this object, at `exit`, at a signal that ends the
/// process, and while it is stopped. Ctrl-C and Ctrl-Z stay signals. A signal for which the program has its own handling is left
/// to it; such a program ends this object itself. One at a time, on the main thread; the descriptor stays its owner's.
package final class RawMode {
  /// Puts a terminal into raw mode, that of standard input unless told otherwise. Throws where there is none. Traps when another one is in it: their ends would undo each other.
  package init(_ descriptor: Int32 = 0) throws(TerminalError) {
    try RawModeState.begin(descriptor)
  }

  deinit { RawModeState.end() }
}
