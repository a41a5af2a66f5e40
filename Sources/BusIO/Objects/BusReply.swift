// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// What a handler returns: the values themselves, or a function that gives them later.
package enum BusReply: Sendable {
  /// Gives the values later. If it throws, its error is the answer.
  package typealias Body = @AgentLoop () async throws -> [WireValue]

  /// These values, at once.
  case now([WireValue])
  /// Whatever the body returns, when it does: the answer to an edit, say, is sent after the edit is committed. The body
  /// is not started when too many calls wait already, so every effect of the call belongs in the body.
  case later(Body)

  /// An answer without values.
  package static let done = BusReply.now([])
  /// The answer of one value.
  package static func value(_ value: some WireConvertible) -> BusReply { .now([value.wireValue]) }
}
