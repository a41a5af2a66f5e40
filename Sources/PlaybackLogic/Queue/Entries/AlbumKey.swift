// SPDX-License-Identifier: MIT

/// What the entries of one album have in common; all that the queue knows of albums.
///
/// Who makes the number (a library's album number, a hash of the tags) is no matter here, as long as equal
/// means "same album".
package struct AlbumKey: Sendable, Hashable, RawRepresentable {
  /// The number itself.
  package let rawValue: UInt64
  /// The album with this number; 0 is `unknown`.
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Not known, or not yet. Two entries of unknown album are not of the same album.
  package static let unknown = AlbumKey(rawValue: 0)
}
