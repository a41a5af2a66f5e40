// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel

extension ArtCache {
  private struct Entry {
    let path: FilePath
    let name: FilePath
    let size: Int
    let used: (Int, Int)
  }

  /// Removes what was used longest ago until the rest is within the limit. Only files that the cache itself could
  /// have made count and go, so a folder named by mistake loses nothing.
  func removeOldest(sparing newest: FilePath) {
    var entries = entries()
    var total = entries.reduce(0) { $0 + $1.size }
    guard total > limit else { return }
    entries.sort { $0.used < $1.used }
    for entry in entries where entry.name != newest {
      if total <= limit { return }
      let result = unsafe entry.path.withCString { text in unsafe unlink(text) }
      if result == 0 { total -= entry.size }
    }
  }

  private func entries() -> [Entry] {
    guard var directory = try? HeldFile(folder).openFolder() else { return [] }
    var entries: [Entry] = []
    while let name = try? directory.next()?.name {
      if Self.isOurs(name), let entry = entry(named: name) { entries.append(entry) }
    }
    return entries
  }

  private func entry(named name: FilePath) -> Entry? {
    let path = folder.entry(name)
    var status = stat()
    let result = unsafe path.withCString { text in unsafe lstat(text, &status) }
    guard result == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Entry(
      path: path, name: name, size: Int(status.st_size),
      used: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec))
  }

  /// Whether the cache could have made a file of this name: 32 hexadecimal digits with a picture's extension, or the
  /// temporary name of a file that was never published.
  private static func isOurs(_ name: FilePath) -> Bool {
    if name.bytes.starts(with: NewFile.prefix.utf8) { return true }
    guard name.stem.utf8.count == 32 else { return false }
    let isHash = name.stem.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    return isHash && CoverPicture.Format(rawValue: name.pathExtension) != nil
  }
}
