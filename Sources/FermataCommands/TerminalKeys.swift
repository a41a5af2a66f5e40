// SPDX-License-Identifier: MIT
package import AgentLoop
package import CommandModel
import Glibc
import TerminalIO

/// Reads keys from standard input while this object exists; the terminal is in raw mode during that time. If standard input or output is no terminal,
/// there are no keys. While the process is in the background it doesn't read, because the keys belong to another process and reading them would stop
/// this one. Only on the loop.
@AgentLoop
package final class TerminalKeys {
  private var mode: RawMode?
  private var reader = KeyReader()
  private var watch: LoopWatch?
  private var escape: LoopTimer?
  private var retry: LoopTimer?
  private let pressed: @AgentLoop (Key) -> Void

  /// How often to check whether the process is in the foreground again: a shell sends no signal when it brings a running process there.
  private static let retryWait = Duration.seconds(1)

  /// Begins to read; `pressed` is called for each key.
  package init(_ pressed: @escaping @AgentLoop (Key) -> Void) {
    self.pressed = pressed
    if Self.canCome { begin() }
  }

  /// Whether there is a terminal that keys can come from.
  package nonisolated static var canCome: Bool {
    Terminal.isTerminal(STDIN_FILENO) && Terminal.isTerminal(STDOUT_FILENO)
  }

  /// Cancels the timer. Releasing `mode` restores the terminal.
  isolated deinit { retry?.cancel() }

  private func begin() {
    mode = nil
    guard Terminal.isForeground(STDIN_FILENO) else {
      watch = nil
      retry = AgentLoop.after(Self.retryWait) { [weak self] in self?.begin() }
      return
    }
    mode = try? RawMode()
    guard mode != nil else { return }
    watch = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
  }

  private func read() {
    guard Terminal.isForeground(STDIN_FILENO) else { return begin() }
    guard let keys = try? reader.read() else {
      // The terminal is gone, but the music can go on.
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
