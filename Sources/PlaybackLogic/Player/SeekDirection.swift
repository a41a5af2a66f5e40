// SPDX-License-Identifier: MIT

/// The direction of a held seek button.
package enum SeekDirection: String, Sendable, CaseIterable {
  case forward, backward
}
