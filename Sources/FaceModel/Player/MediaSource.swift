// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// What a client wants to hear, as a message carries it: a `file:` URI, so that file names in any encoding arrive
/// whole, or `item:` and the item's number in the library.
package enum MediaSource: Sendable, Hashable {
  /// A file, a folder or a playlist.
  case file(FilePath)
  /// An item of the library.
  case item(MediaItem.ID)

  private static let itemScheme = "item:"

  /// Reads a source from a text.
  /// - Throws: `InvalidArgs` for a URI that names no file of this machine, and for an `item:` without a number.
  package init(_ text: String) throws(BusError) {
    guard text.utf8.starts(with: Self.itemScheme.utf8) else {
      self = .file(try Asked.file(text))
      return
    }
    guard let number = Int64(text.dropFirst(Self.itemScheme.count)) else {
      throw .invalidArguments("\(text.prefix(64)): item: is followed by a number of the library")
    }
    self = .item(MediaItem.ID(rawValue: number))
  }

  /// The source as a message carries it. Traps for a relative path.
  package var text: String {
    switch self {
    case .file(let path): path.uri
    case .item(let id): Self.itemScheme + String(id.rawValue)
    }
  }
}
