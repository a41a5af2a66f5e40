// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc
package import MediaModel

/// An open folder that is being listed. Owns the stream; `deinit` closes it.
@safe package struct Directory: ~Copyable {
  /// The kind of a file as the folder's listing states it; the file itself is not looked at. A symbolic link is
  /// `unknown`.
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

  /// What kind of file has this name here, following symbolic links, and its status. Opens nothing, and does not mount a disk that is
  /// mounted on demand. Blocks on the disk.
  package func status(of name: FilePath) throws(SystemError) -> FileStatus {
    var status = stat()
    let failed = unsafe name.withCString { unsafe fstatat(descriptor, $0, &status, 0) } != 0
    if failed { throw .last }
    return FileStatus(status)
  }

  /// The status of the folder itself.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw .last }
    return FileStatus(status)
  }

  /// The number of the kind of file system that the folder is on; 0 if that is not known.
  package var fileSystem: UInt64 {
    var status = statfs()
    guard unsafe fstatfs(descriptor, &status) == 0 else { return 0 }
    // The kernel has 32 bits, which some of its types take for a negative number.
    return UInt64(UInt32(truncatingIfNeeded: status.f_type))
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

/// What the file system says of a file without opening it.
package struct FileStatus: Sendable, Hashable {
  package let kind: FileKind
  /// The file's size in bytes.
  package let size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package let modified: Int64
  package let inode: UInt64
  package let device: UInt64

  fileprivate init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    (inode, device) = (UInt64(status.st_ino), UInt64(status.st_dev))
  }
}

/// Creates folders.
package enum NewFolder {
  /// Creates a folder and the missing folders above it, with access for this user only. An existing folder is left
  /// unchanged. Blocks on the disk.
  package static func make(_ path: FilePath) throws(SystemError) {
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) != 0, errno != EEXIST else { return }
    let error = SystemError.last
    guard error.code == ENOENT, let above = path.parent else { throw error }
    try make(above)
    guard unsafe path.withCString({ unsafe mkdir($0, 0o700) }) == 0 || errno == EEXIST else { throw .last }
  }
}

/// A lock on a folder that one process at a time may hold, for example to read a file in it, change it and write it
/// back. It is advisory: only processes that use this lock respect it. It creates no file. Owns the descriptor;
/// `deinit` releases the lock.
package struct FolderLock: ~Copyable {
  private static let pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)

  private let descriptor: Int32

  /// Waits for the lock, at most for `patience`, because its holder may have been stopped; then throws `EWOULDBLOCK`.
  /// On a file system without locks every caller gets the lock at once. Blocks.
  package init(_ folder: FilePath, patience: Duration = .seconds(10)) throws(SystemError) {
    let descriptor = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    guard Self.take(descriptor, patience) else {
      close(descriptor)
      throw .held
    }
    self.descriptor = descriptor
  }

  private static func take(_ descriptor: Int32, _ patience: Duration) -> Bool {
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard ContinuousClock.now < end else { return false }
      var pause = pause
      unsafe nanosleep(&pause, nil)
    }
    return true
  }

  deinit { close(descriptor) }
}
