// SPDX-License-Identifier: MIT

/// Where a held seek button leads.
public enum SeekDirection: String, Sendable, CaseIterable {
  case forward, backward
}
