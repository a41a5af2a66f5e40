// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel

/// Answers for all properties of an interface with what was written for the last who asked, as long as it is true.
@AgentLoop
final class WholeWriter {
  private let whole: WholeProperties
  private var edition: UInt64?
  private var template: ReplyTemplate?
  /// Whether the number is known to be where it is set.
  private var isProven = false

  nonisolated init(_ whole: WholeProperties) { self.whole = whole }

  /// Sends the answer; false where it is to be made as any other.
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
