// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// What somebody wants to hear, as it travels: a `file:` URI, so that names in no encoding arrive whole, or
/// `item:` and the library's number.
package enum MediaSource: Sendable, Hashable {
  /// A file, a folder or a playlist.
  case file(FilePath)
  /// An item of the library.
  case item(MediaItem.ID)

  private static let itemScheme = "item:"

  /// The source behind a text.
  /// - Throws: `InvalidArgs` for a URI that names no file here, and a number that is none.
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

  /// The source as it travels. Traps for a relative path.
  package var text: String {
    switch self {
    case .file(let path): path.uri
    case .item(let id): Self.itemScheme + String(id.rawValue)
    }
  }
}
