// SPDX-License-Identifier: MIT

/// Keeps a terminal in raw mode as long as this object lives: each key is delivered at once and not echoed.
///
/// The terminal's former mode is restored however the process ends: when this object is released, at `exit`, and at a
/// fatal signal; and also while the process is stopped. Ctrl-C and Ctrl-Z still send signals. If the program handles
/// a signal itself, that handler is left in place, and the program has to release this object. There may be one
/// object at a time, on the main thread. It does not own the descriptor.
package final class RawMode {
  /// Puts a terminal, by default that of standard input, into raw mode. Throws if there is no terminal. Traps if
  /// another object exists, because the two would restore each other's mode.
  package init(_ descriptor: Int32 = 0) throws(TerminalError) {
    try RawModeState.begin(descriptor)
  }

  deinit { RawModeState.end() }
}
