// SPDX-License-Identifier: MIT
internal import Glibc
internal import MediaModel

/// A folder being listed. Owns the stream; `deinit` closes it.
@safe struct Directory: ~Copyable {
  private let stream: OpaquePointer

  /// Opens a folder; nil where that fails, with the reason in `errno`.
  init?(_ path: FilePath) {
    guard let stream = unsafe path.withCString({ text in unsafe opendir(text) }) else { return nil }
    unsafe self.stream = stream
  }

  deinit { unsafe closedir(stream) }

  /// The name of the next entry; nil after the last one. Blocks while the file system answers.
  mutating func next() -> [UInt8]? {
    guard let entry = unsafe readdir(stream) else { return nil }
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    let name = unsafe UnsafeRawPointer(entry).advanced(by: offset)
    let count = unsafe strlen(name.assumingMemoryBound(to: CChar.self))
    return unsafe Array(UnsafeRawBufferPointer(start: name, count: count))
  }
}
