// SPDX-License-Identifier: MIT
import CommandModel

/// What happens at the end of a track or of the queue.
package enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  case none, one, all
  case standard = "default"

  static let value = ValueDefinition(
    "MODE",
    choices: [
      .init("none", "Stop at the end of the queue"),
      .init("one", "Play the same track again"),
      .init("all", "Begin the queue again"),
      .init("default", "What the settings say"),
    ])
}
