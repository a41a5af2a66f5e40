// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// Names entries of the queue as MPRIS does: by object paths. A path is made of the entry's identity and not of its
/// position. So it stays the same when rows move, and it stands for nothing when the row is gone.
package enum TrackPath {
  /// The MPRIS specification's name for "no track".
  package static let none: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  private static let prefix = "/org/fermata/Entry/"

  /// The path of an entry; `none` for nil.
  package static func path(of entry: EntryID?) -> ObjectPath {
    entry.map { ObjectPath(unchecked: prefix + String($0.rawValue)) } ?? none
  }

  /// The entry that a path stands for; nil for any other path, even if it looks like one of ours.
  package static func entry(at path: ObjectPath) -> EntryID? {
    guard path.text.utf8.starts(with: prefix.utf8) else { return nil }
    let number = UInt64(path.text.dropFirst(prefix.count))
    // A number can be written in many ways, such as with leading zeros. Only the way we write it makes a path of ours.
    guard let number, number > 0, Self.path(of: EntryID(rawValue: number)) == path else { return nil }
    return EntryID(rawValue: number)
  }
}
