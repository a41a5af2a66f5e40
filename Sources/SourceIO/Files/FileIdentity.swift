// SPDX-License-Identifier: MIT

/// Which file it is, whatever path leads to it.
struct FileIdentity: Hashable {
  let device: UInt64
  let number: UInt64
}
