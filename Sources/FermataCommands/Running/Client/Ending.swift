// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import TerminalIO

/// How a command that goes on and on comes to its end: nobody reads any more, or there is no agent any more. It notices at once when
/// its reader goes, also where there is nothing to write.
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

  /// Writes a line; that nobody reads it is the end.
  func write(_ line: String) {
    guard result == nil else { return }
    do throws(TerminalError) {
      if try LineWriter.output.write(line: line) == .readerGone { end(.success(.done)) }
    } catch {
      end(.failure(CommandError(unwritable: error)))
    }
  }

  /// The first end counts.
  func end(_ result: Result<ExitCode, CommandError>) {
    guard self.result == nil else { return }
    self.result = result
    reader = nil
    waiting?.resume()
    waiting = nil
  }

  /// Waits for it; for one only.
  func wait() async throws(CommandError) -> ExitCode {
    if result == nil { await withUnsafeContinuation { waiting = $0 } }
    return try result?.get() ?? .done
  }
}
