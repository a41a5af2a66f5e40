// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// Entries of the queue as MPRIS names them: object paths. Each is made of the entry's identity, never of its
/// position, so it stays the same when rows move and leads nowhere when the row is gone.
package enum TrackPath {
  /// The text's own name for "no track".
  package static let none: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  private static let prefix = "/org/fermata/Entry/"

  /// The path of an entry.
  package static func path(of entry: EntryID?) -> ObjectPath {
    entry.map { ObjectPath(unchecked: prefix + String($0.rawValue)) } ?? none
  }

  /// The entry that a path stands for; nothing for any other path, however much it looks like one of ours.
  package static func entry(at path: ObjectPath) -> EntryID? {
    guard path.text.utf8.starts(with: prefix.utf8) else { return nil }
    let number = UInt64(path.text.dropFirst(prefix.count))
    // Of the many ways to write a number only ours is a path of ours.
    guard let number, number > 0, Self.path(of: EntryID(rawValue: number)) == path else { return nil }
    return EntryID(rawValue: number)
  }
}
