// SPDX-License-Identifier: MIT

/// Where a held seek button leads.
package enum SeekDirection: String, Sendable, CaseIterable {
  case forward, backward
}
