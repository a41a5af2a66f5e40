// SPDX-License-Identifier: MIT
import CommandModel

/// The order in which the queue plays.
package enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  case off, songs, albums
  case standard = "default"

  static let value = ValueDefinition(
    "MODE",
    choices: [
      .init("off", "As they stand in the queue"),
      .init("songs", "Songs in random order"),
      .init("albums", "Albums in random order, the songs of each in their own"),
      .init("default", "What the settings say"),
    ])
}
