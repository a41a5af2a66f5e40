// SPDX-License-Identifier: MIT

/// Identifies an album: equal for all its entries. The queue knows nothing else about albums.
///
/// The number may come from anywhere (a library's album number, a hash of the tags), as long as equal numbers mean the same
/// album.
package struct AlbumKey: Sendable, Hashable, RawRepresentable {
  /// The number itself.
  package let rawValue: UInt64
  /// The album with this number; 0 is `unknown`.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The album is not known, or not yet. Two entries of unknown album do not count as the same album.
  package static let unknown = AlbumKey(rawValue: 0)
}
