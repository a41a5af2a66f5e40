// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import TerminalIO

/// Decides when a command that runs until it is stopped ends: when its reader has gone or the agent has ended. It
/// notices a closed output at once, even while there is nothing to write. Only on the loop.
@AgentLoop
final class Ending {
  private var result: Result<ExitCode, CommandError>?
  private var waiting: UnsafeContinuation<Void, Never>?
  private var reader: LoopWatch?

  init() {
    reader = LoopWatch(descriptor: STDOUT_FILENO, events: .hangup) { [weak self] _ in
      self?.end(.success(.done))
    }
  }

  /// Writes a line. If the reader has gone, the command ends.
  func write(_ line: String) {
    guard result == nil else { return }
    do throws(TerminalError) {
      if try LineWriter.output.write(line: line) == .readerGone { end(.success(.done)) }
    } catch {
      end(.failure(CommandError(unwritable: error)))
    }
  }

  /// Ends the command with a result. Only the first call counts.
  func end(_ result: Result<ExitCode, CommandError>) {
    guard self.result == nil else { return }
    self.result = result
    reader = nil
    waiting?.resume()
    waiting = nil
  }

  /// Waits for the end. Only one task may wait.
  func wait() async throws(CommandError) -> ExitCode {
    if result == nil { await withUnsafeContinuation { waiting = $0 } }
    return try result?.get() ?? .done
  }
}
