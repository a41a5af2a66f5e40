// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel
internal import PlaylistModel
internal import Synchronization
internal import TimelineModel

/// Finds the chapters inside a book or a recording, as entries like those of a CUE sheet.
///
/// The queue stores locations but no titles, so the titles of a book's chapters are asked for one after another. The chapters of the last file are
/// cached while the file does not change. May be used from any thread; calls block on the disk.
final class FileChapters: Sendable {
  private struct Known {
    let path: FilePath
    let stamp: FileState
    let entries: [PlaylistEntry]
  }

  /// The extensions that books usually have. Other files are not searched for chapters.
  private static let extensions: Set = ["m4b", "mka"]
  /// How many bytes of a file are read at most; the description of a long book has a few megabytes.
  private static let allowance = 64 << 20

  private let last = Mutex<Known?>(nil)

  /// The chapters of a file, as parts without a gap; none if it has fewer than two.
  func entries(of path: FilePath) -> [PlaylistEntry] {
    guard Self.extensions.contains(path.pathExtension), let held = try? HeldFile(path), held.kind == .file
    else {
      return []
    }
    if let known = last.withLock({ $0 }), known.path == path, known.stamp == held.stamp {
      return known.entries
    }
    guard let file = try? held.openFile() else { return [] }
    let entries = Self.read(file, path)
    last.withLock { $0 = Known(path: path, stamp: held.stamp, entries: entries) }
    return entries
  }

  private static func read(_ file: borrowing OpenFile, _ path: FilePath) -> [PlaylistEntry] {
    // The closure below can't borrow the file, so it uses a `ByteWindow`, which reads through the descriptor. It does not outlive this call.
    let window = ByteWindow(file.descriptor, size: file.size, allowance: allowance)
    let isMatroska = window.bytes(at: 0, count: 4) == [0x1a, 0x45, 0xdf, 0xa3]
    let chapters =
      isMatroska
      ? Chapters.inMatroska(size: file.size) { window.bytes(at: $0, count: $1) }
      : Chapters.inMP4(size: file.size) { window.bytes(at: $0, count: $1) }
    guard chapters.count > 1 else { return [] }
    // The first chapter begins at the beginning of the file, so that no part is left out.
    let starts = chapters.indices.map { $0 == 0 ? 0 : chapters[$0].milliseconds }
      .map { DiscTime(seconds: Double($0) / 1_000) }
    return chapters.indices.compactMap { index in
      guard let start = starts[index] else { return nil }
      let end = index + 1 < starts.count ? starts[index + 1] : nil
      guard let part = FilePart(start: start, end: end) else { return nil }
      var entry = PlaylistEntry(location: .file(path), part: part)
      entry.title = chapters[index].title ?? "Chapter \(index + 1)"
      entry.track = index + 1
      return entry
    }
  }
}

/// Reads small pieces of an open file through a buffer. It does not own the file; one thread uses it, while the file is open.
private final class ByteWindow {
  private static let bufferSize = 1_024

  private let descriptor: Int32
  private let size: Int
  private var left: Int
  private var buffer: [UInt8] = []
  private var start = 0

  init(_ descriptor: Int32, size: Int, allowance: Int) {
    (self.descriptor, self.size, left) = (descriptor, size, allowance)
  }

  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size else { return [] }
    let count = min(count, size - offset)
    if offset < start || offset + count > start + buffer.count {
      let wanted = min(max(count, Self.bufferSize), left)
      left -= wanted
      start = offset
      buffer = wanted > 0 ? read(wanted) : []
    }
    return Array(buffer.dropFirst(offset - start).prefix(count))
  }

  private func read(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { room, filled in
      filled = unsafe max(0, pread(descriptor, room.baseAddress, count, start))
    }
  }
}
