// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Glibc
import TerminalIO

/// The keys that are pressed on standard input, as long as it is kept. Where that is no terminal, there are none.
@AgentLoop
final class HereKeys {
  private var mode: RawMode?
  private var reader = KeyReader()
  private var watch: LoopWatch?
  private var escape: LoopTimer?
  private let pressed: @AgentLoop (Key) -> Void

  init(_ pressed: @escaping @AgentLoop (Key) -> Void) {
    self.pressed = pressed
    guard Terminal.isTerminal(STDIN_FILENO), Terminal.isTerminal(STDOUT_FILENO), let mode = try? RawMode()
    else { return }
    self.mode = mode
    watch = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
  }

  private func read() {
    guard let keys = try? reader.read() else {
      // The terminal is gone; the music need not be.
      watch = nil
      return
    }
    for key in keys { pressed(key) }
    escape?.cancel()
    guard reader.isPending else { return }
    escape = AgentLoop.after(KeyReader.escapeWait) { [weak self] in self?.expire() }
  }

  private func expire() { for key in reader.expire() { pressed(key) } }
}
