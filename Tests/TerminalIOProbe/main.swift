// SPDX-License-Identifier: MIT
import CommandModel
import Glibc
import TerminalIO

// A program for the tests of TerminalIO: puts standard input into raw mode and writes a line for each key until `q`, or leaves
// with `exit` at `x`. Only a process of its own can be stopped and killed.
func run() throws(TerminalError) {
  let raw = try RawMode()
  var decoder = TerminalInputDecoder()
  try LineWriter.output.write(line: "ready")
  while let bytes = Terminal.readAvailable(STDIN_FILENO) {
    for key in decoder.decode(bytes).compactMap(\.plainKey) {
      try LineWriter.output.write(line: "\(key)")
      if key == .character("x") { exit(0) }
      if key == .character("q") { return }
    }
  }
  withExtendedLifetime(raw) {}
}

alarm(20)  // a test that fails must not leave it behind
do {
  try run()
} catch {
  _ = try? LineWriter.errors.write(line: "\(error)")
  exit(1)
}
