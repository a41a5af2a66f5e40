// SPDX-License-Identifier: MIT

/// What kind of listening an item is for.
package enum MediaType: String, Sendable, Hashable, CaseIterable {
  case music, podcast, audiobook
}
