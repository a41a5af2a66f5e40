// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// An open folder that is being listed. Owns the stream; `deinit` closes it.
@safe package struct Directory: ~Copyable {
  /// What the folder itself says about the kind of a name, without a look at the file.
  package enum Hint { case file, folder, other, unknown }

  private let stream: OpaquePointer

  /// Takes ownership of an open folder. If it throws, it has closed the descriptor.
  init(owning descriptor: Int32) throws(SystemError) {
    guard let stream = unsafe fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    unsafe self.stream = stream
  }

  deinit { unsafe closedir(stream) }

  /// The folder's descriptor for `openat`. Valid as long as this value lives.
  package var descriptor: Int32 { unsafe dirfd(stream) }

  /// The next name in the file system's order, including `.` and `..`; nil after the last one. Blocks on the disk.
  package mutating func next() throws(SystemError) -> (name: FilePath, hint: Hint)? {
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw .last }
        return nil
      }
      // The C library may allocate less memory for an entry than its C type has, so only its fields are touched.
      let bytes = UnsafeRawPointer(entry)
      let start = unsafe bytes.advanced(by: MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0)
      let type = unsafe bytes.load(
        fromByteOffset: MemoryLayout<dirent>.offset(of: \dirent.d_type) ?? 0, as: UInt8.self)
      let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
      guard let name = unsafe FilePath(UnsafeRawBufferPointer(start: start, count: count)) else { continue }
      return (name, Self.hint(Int(type)))
    }
  }

  private static func hint(_ type: Int) -> Hint {
    switch type {
    case DT_REG: .file
    case DT_DIR: .folder
    case DT_LNK, DT_UNKNOWN: .unknown
    default: .other
    }
  }
}
