// SPDX-License-Identifier: MIT
package import MediaModel

/// An index of the files that the library knows below some folders. It stores no paths, only numbers: just enough to see that a file is unchanged.
///
/// In each scan nearly all files are unchanged. So a walk looks up here each file that it finds, and only the few others are kept with their paths,
/// and looked up in the library. A file takes 48 bytes here, however long its path is.
package struct KnownIndex: Sendable {
  private struct Entry: Sendable {
    let path: Int
    let stamp: Int
    /// As in `FileStamp`, of which `stamp` is the hash value.
    let changed: Int64
    let id: Int64
    /// Whether the present walk through the folders found the file unchanged.
    var isSettled = false
    let isHidden: Bool
  }

  private var entries: [Entry] = []
  /// A hash table of the entries: each place has an entry's index plus one, at the place that its path's digest selects or the next free one. The
  /// number of places is a power of two.
  private var places: [Int32] = []

  package init() {}

  /// How many files the index has.
  package var count: Int { entries.count }

  package mutating func add(_ id: MediaItem.ID, _ path: PathDigest, _ stamp: FileStamp, isHidden: Bool) {
    if (entries.count + 1) * 2 > places.count { grow() }
    entries.append(
      Entry(
        path: path.value, stamp: stamp.hashValue, changed: stamp.changed, id: id.rawValue,
        isHidden: isHidden))
    place(entries.count - 1)
  }

  /// Call for each file that a walk through the folders finds. Returns true if the file is unchanged, so that nothing has to be done about it.
  package mutating func settle(_ path: PathDigest, _ stamp: FileStamp) -> Bool {
    guard let index = index(of: path.value), !entries[index].isHidden,
      entries[index].stamp == stamp.hashValue,
      stamp.changed == 0 || stamp.changed == entries[index].changed
    else { return false }
    entries[index].isSettled = true
    return true
  }

  /// The known files that the walk did not find unchanged, in the order in which they were added.
  package var unsettled: [MediaItem.ID] {
    entries.lazy.filter { !$0.isSettled }.map { MediaItem.ID(rawValue: $0.id) }
  }

  /// The stamps of all known files, as their hash values.
  package var stamps: Set<Int> { Set(entries.lazy.map(\.stamp)) }

  private func index(of path: Int) -> Int? {
    guard !places.isEmpty else { return nil }
    var place = path & (places.count - 1)
    while places[place] != 0 {
      let index = Int(places[place]) - 1
      if entries[index].path == path { return index }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private mutating func place(_ index: Int) {
    var place = entries[index].path & (places.count - 1)
    while places[place] != 0 { place = (place + 1) & (places.count - 1) }
    places[place] = Int32(index + 1)
  }

  private mutating func grow() {
    places = Array(repeating: 0, count: max(64, places.count * 2))
    for index in entries.indices { place(index) }
  }
}

/// A hash of a path. Two paths have the same hash with a probability of 1 in 2^64. The hash of a path differs from process to process.
package struct PathDigest: Sendable, Hashable {
  let value: Int

  /// The digest of a path with these bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: bytes)
    value = hasher.finalize()
  }

  package init(_ path: FilePath) { self = unsafe path.bytes.withUnsafeBytes { unsafe PathDigest($0) } }

  /// The digest of the path made of `start`, which ends with a slash, and a name.
  package init(_ start: [UInt8], _ name: FilePath) {
    var hasher = Hasher()
    unsafe start.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    unsafe name.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    value = hasher.finalize()
  }
}
