// SPDX-License-Identifier: MIT
import FileIO
import MediaModel
import Synchronization

/// Finds the library's own path of a file that is named by another one. Somebody may have added `~/Music`, which is a link to another disk, and play
/// a file by its path there, or the other way round. Without this, such a file would be no item: it would have no rating, and nothing that is played of it
/// would count.
///
/// A scan says where the folders really are. Safe on any thread.
final class FolderPlaces: Sendable {
  /// The folders of the library that are reached by links, and where they really are.
  private let places = Mutex<[FilePath: FilePath]>([:])
  /// The answers of `libraryPath` that were found lately, and how many are kept.
  private let found = Mutex<[FilePath: FilePath]>([:])
  private static let mostFound = 4_096

  /// Notes where a folder really is, as a scan has found. Returns whether that is new.
  func note(_ folder: FilePath, isAt real: FilePath) -> Bool {
    places.withLock { places in
      let known = places[folder] ?? folder
      places[folder] = real == folder ? nil : real
      if known != real { found.withLock { $0 = [:] } }
      return known != real
    }
  }

  /// The path by which the library may know a file, if that is another than this one. With `asksDisk` the file system is asked, which blocks on the disk;
  /// else only what it said before counts.
  func libraryPath(of file: FilePath, asksDisk: Bool) -> FilePath? {
    guard asksDisk else { return found.withLock { $0[file] } }
    guard let real = file.real else { return nil }
    let place = places.withLock { places in
      places.lazy.compactMap { Self.path(real, from: $0.value, to: $0.key) }.first
    }
    let path = place ?? (real == file ? nil : real)
    found.withLock { found in
      if found.count >= Self.mostFound { found = [:] }
      found[file] = path
    }
    return path
  }

  /// The real path of a file of the library, if its folder is reached by a link.
  func realPath(of file: FilePath) -> FilePath? {
    places.withLock { places in places.lazy.compactMap { Self.path(file, from: $0.key, to: $0.value) }.first }
  }

  private static func path(_ file: FilePath, from: FilePath, to: FilePath) -> FilePath? {
    file.isBelow(from) ? FilePath(to.bytes + file.bytes.dropFirst(from.bytes.count)) : nil
  }
}
