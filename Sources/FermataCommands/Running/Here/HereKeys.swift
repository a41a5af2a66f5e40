// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Glibc
import TerminalIO

/// The keys that are pressed on standard input, as long as it is kept. Where that is no terminal, there are none; while the process is
/// in the background the keys are somebody else's, and reading them would stop it.
@AgentLoop
final class HereKeys {
  private var mode: RawMode?
  private var reader = KeyReader()
  private var watch: LoopWatch?
  private var escape: LoopTimer?
  private var retry: LoopTimer?
  private let pressed: @AgentLoop (Key) -> Void

  /// A shell that brings a running process to the foreground does not tell it.
  private static let retryWait = Duration.seconds(1)

  init(_ pressed: @escaping @AgentLoop (Key) -> Void) {
    self.pressed = pressed
    if Terminal.isTerminal(STDIN_FILENO), Terminal.isTerminal(STDOUT_FILENO) { begin() }
  }

  /// Ends with the object: the terminal is as it was, and no timer is left.
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
