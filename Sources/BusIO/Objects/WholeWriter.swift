// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel

/// Answers `GetAll` for one interface. It keeps the last answer it wrote and sends that again until the edition
/// changes. Only the loop's thread may use it, after `init`.
@AgentLoop
final class WholeWriter {
  private let whole: WholeProperties
  private var edition: UInt64?
  private var template: ReplyTemplate?
  /// Whether reading back a template has shown that the moving number is where it was written.
  private var isProven = false

  nonisolated init(_ whole: WholeProperties) { self.whole = whole }

  /// Sends the answer and returns true. Returns false if no template can be made; the handler then has to answer.
  func answer(_ address: ReplyAddress, on connection: BusConnection) throws(BusError) -> Bool {
    let current = whole.edition()
    if edition != current {
      edition = current
      template = ReplyTemplate.write(moving: whole.movingName, rest: whole.entries(), isProven: isProven)
      isProven = template != nil
    }
    guard template != nil else { return false }
    try template?.send(whole.movingValue(), to: address, on: connection)
    return true
  }
}
