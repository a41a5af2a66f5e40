// SPDX-License-Identifier: MIT
import CommandModel

/// Which way a held seek moves.
package enum SeekDirection: String, Sendable, Hashable, CaseIterable {
  case forward, backward

  static let value = ValueDefinition("DIRECTION", choices: allCases.map { .init($0.rawValue) })
}
