// SPDX-License-Identifier: MIT
import CommandModel

/// The direction of a seek that runs until it is ended.
package enum SeekDirection: String, Sendable, Hashable, CaseIterable {
  case forward, backward

  static let value = ValueDefinition("DIRECTION", choices: allCases.map { .init($0.rawValue) })
}
