// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// What a handler answers: values at hand, or a promise of them.
package enum BusReply: Sendable {
  /// What gives the values later; its error is the answer if it throws one.
  package typealias Body = @AgentLoop () async throws -> [WireValue]

  /// These values, at once.
  case now([WireValue])
  /// Whatever the body gives back, when it does: an edit's answer goes out after its commit. The body is not started when too
  /// many wait already, so all effects belong into it.
  case later(Body)

  /// The answer of what gives nothing back.
  package static let done = BusReply.now([])
  /// The answer of one value.
  package static func value(_ value: some WireConvertible) -> BusReply { .now([value.wireValue]) }
}
