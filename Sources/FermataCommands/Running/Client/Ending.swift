// SPDX-License-Identifier: MIT
import AgentLoop
import TerminalIO

/// How a command that goes on and on comes to its end: nobody reads any more, or there is no agent any more.
@AgentLoop
final class Ending {
  private var result: Result<ExitCode, CommandError>?
  private var waiting: UnsafeContinuation<Void, Never>?

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
    waiting?.resume()
    waiting = nil
  }

  /// Waits for it; for one only.
  func wait() async throws(CommandError) -> ExitCode {
    if result == nil { await withUnsafeContinuation { waiting = $0 } }
    return try result?.get() ?? .done
  }
}
