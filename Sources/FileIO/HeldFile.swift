// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc
package import MediaModel

/// A file of any kind, held by a descriptor without being opened. So a device is not activated and a pipe gets no
/// reader. Opening it later opens the same file that was examined, even if the path has changed since. Owns the
/// descriptor; `deinit` closes it.
package struct HeldFile: ~Copyable {
  package let kind: FileKind
  /// The file's identity and state when this value was made.
  package let stamp: FileState
  /// The file's permission bits, as `chmod` sets them.
  package let permissions: UInt32
  private let descriptor: Int32

  package var identity: FileIdentity { stamp.identity }

  /// Takes hold of the file at a path and follows symbolic links. A relative path starts at `folder`, a descriptor of
  /// an open folder, or else at the working folder. Blocks.
  package init(_ path: FilePath, in folder: Int32? = nil) throws(SystemError) {
    var held = try Self.hold(path, in: folder ?? AT_FDCWD)
    if FileKind(mode: held.status.st_mode) == .folder {
      // Holding a folder does not trigger an automount; a path that enters it does.
      close(held.descriptor)
      held = try Self.hold(path.inside, in: folder ?? AT_FDCWD)
    }
    descriptor = held.descriptor
    kind = FileKind(mode: held.status.st_mode)
    stamp = FileState(held.status)
    permissions = held.status.st_mode & 0o7777
  }

  private static func hold(
    _ path: FilePath, in folder: Int32
  ) throws(SystemError) -> (descriptor: Int32, status: stat) {
    let descriptor = unsafe path.withCString { unsafe openat(folder, $0, clinux_o_path | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    return (descriptor, status)
  }

  deinit { close(descriptor) }

  /// Opens the folder for listing. Throws if it is not a folder or may not be read.
  package func openFolder() throws(SystemError) -> Directory {
    let opened = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    return Directory(owning: opened)
  }

  /// Opens the file for reading. Traps if it is not a regular file.
  package func openFile() throws(SystemError) -> OpenFile {
    precondition(kind == .file, "only regular files are opened")
    let opened = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    return OpenFile(owning: opened, size: Int(stamp.size))
  }
}

/// A regular file open for reading. It can be read at any offset; there is no cursor. Owns the descriptor; `deinit`
/// closes it.
package struct OpenFile: ~Copyable {
  /// Why a file was not opened.
  package enum Failure: Error {
    case system(SystemError)
    /// The path leads to something else than a regular file.
    case notAFile(FileKind)
  }

  /// The file's descriptor, for C libraries. Valid as long as this value lives.
  package let descriptor: Int32
  /// The file's size in bytes when it was opened.
  package let size: Int

  /// Opens the regular file at a path, through symbolic links. Anything else is refused without being opened, so this
  /// never waits for the other end of a pipe. Blocks on the disk.
  package init(_ path: FilePath) throws(Failure) {
    let held: HeldFile
    do { held = try HeldFile(path) } catch { throw .system(error) }
    guard held.kind == .file else { throw .notAFile(held.kind) }
    do { self = try held.openFile() } catch { throw .system(error) }
  }

  /// An open regular file that another process has sent as this descriptor, which this value then owns.
  package init(owning descriptor: Int32, size: Int) { (self.descriptor, self.size) = (descriptor, size) }

  deinit { close(descriptor) }

  /// Gives up the descriptor; the caller has to close it.
  package consuming func giveUp() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Fills the front of `buffer` with bytes from an offset on, and returns how many came: 0 only at or past the end. A
  /// signal in between is no error. Blocks on the disk.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    while true {
      let got = unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
      if got >= 0 { return got }
      if errno != EINTR { throw .last }
    }
  }

  /// Up to `count` bytes from an offset on; fewer only where the file ends. Bytes that were appended since the file was
  /// opened are read too. Blocks on the disk.
  package func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var failure: SystemError?
      // The count may be a limit far above the file's size, so memory is not allocated for all of it at once.
      let wanted = min(Self.largestPiece, count - bytes.count)
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
        do throws(SystemError) {
          done = try unsafe read(at: offset + bytes.count, into: UnsafeMutableRawBufferPointer(buffer))
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      if piece.isEmpty { break }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  /// Up to `count` bytes from the beginning; fewer only if the file is shorter. Blocks on the disk.
  package func head(_ count: Int) throws(SystemError) -> [UInt8] { try bytes(at: 0, count: count) }

  private static let largestPiece = 1 << 20
}

package enum FileKind: Sendable {
  case file, folder, pipe, socket, device

  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }

  /// The kind with an article, for a person to read.
  package var name: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}

/// Identifies a file independently of the path that leads to it.
package struct FileIdentity: Sendable, Hashable {
  private let device: UInt64
  private let number: UInt64

  fileprivate init(_ status: stat) { (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
}

/// Identifies a file and its state. It differs when the file is written or another file takes its place.
package struct FileState: Sendable, Hashable {
  package let identity: FileIdentity
  /// The file's size in bytes.
  package let size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package let modified: Int64
  /// When the file, or what is known of it such as its permissions, was last changed, in nanoseconds since 1970. Nobody can set it back.
  package let changed: Int64

  fileprivate init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    identity = FileIdentity(status)
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
    size = Int64(status.st_size)
  }
}

/// An open folder that is being listed. Owns the descriptor; `deinit` closes it.
///
/// The kernel is asked for the names directly: the C library makes three more calls for each folder, and a scan lists thousands.
package struct Directory: ~Copyable {
  /// The kind of a file as the folder's listing states it; the file itself is not looked at. What a symbolic link leads to is not known. Some file systems
  /// state nothing.
  package enum Hint { case file, folder, other, link, unknown }

  /// The folder's descriptor for `openat`. Valid as long as this value lives.
  package let descriptor: Int32
  /// The names as the kernel gave them; `position` is where the next one begins.
  private var entries: [UInt8] = []
  private var position = 0

  /// The size of the buffer for names, in bytes; it is the same as in the C library.
  private static let room = 1 << 15

  /// Takes ownership of an open folder.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// Opens the folder that has this plain name in another folder. If the name belongs to something else, even a link to a folder, throws `ENOTDIR`
  /// and opens nothing. If a disk is mounted there on demand, it is mounted. Blocks on the disk.
  package init(_ name: FilePath, in folder: borrowing Directory) throws(SystemError) {
    let above = folder.descriptor
    let opened = unsafe name.withCString {
      unsafe openat(above, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard opened >= 0 else { throw .last }
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// The next name in the file system's order, including `.` and `..`; nil after the last one. Blocks on the disk.
  package mutating func next() throws(SystemError) -> (name: FilePath, hint: Hint)? {
    while true {
      if position >= entries.count {
        try read()
        if entries.isEmpty { return nil }
      }
      if let entry = takeEntry() { return entry }
    }
  }

  /// Makes the kernel give the next names; none after the last one.
  private mutating func read() throws(SystemError) {
    // The memory of the old names is released first, because they are not needed any more.
    (entries, position) = ([], 0)
    var failure: SystemError?
    let got = unsafe [UInt8](unsafeUninitializedCapacity: Self.room) { buffer, count in
      let result = unsafe clinux_list(descriptor, buffer.baseAddress, buffer.count)
      if result < 0 { failure = .last }
      count = max(0, result)
    }
    if let failure { throw failure }
    // An empty list keeps no memory, because a walk holds a folder open while it is in the folders below.
    if !got.isEmpty { entries = got }
  }

  /// Takes the entry at the position, and moves the position past it. Nil if that entry has no name.
  private mutating func takeEntry() -> (name: FilePath, hint: Hint)? {
    let start = position
    let nameStart = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    guard entries.count - start > nameStart else {
      position = entries.count
      return nil
    }
    let (length, type) = unsafe entries.withUnsafeBytes { bytes in
      (
        unsafe bytes.loadUnaligned(
          fromByteOffset: start + (MemoryLayout<dirent>.offset(of: \dirent.d_reclen) ?? 0), as: UInt16.self),
        unsafe bytes[start + (MemoryLayout<dirent>.offset(of: \dirent.d_type) ?? 0)]
      )
    }
    // A damaged entry may be truncated or skipped, but nothing outside the list is read.
    let end = Int(length) > nameStart ? min(start + Int(length), entries.count) : entries.count
    position = end
    let name = entries[(start + nameStart)..<end].prefix { $0 != 0 }
    return FilePath(name).map { ($0, Self.hint(Int(type))) }
  }

  /// The status of the file with this name here, following symbolic links. Opens nothing, and does not mount a disk that is mounted on demand. Blocks
  /// on the disk.
  package func status(of name: FilePath) throws(SystemError) -> FileStatus {
    var status = stat()
    let failed = unsafe name.withCString { unsafe fstatat(descriptor, $0, &status, 0) } != 0
    if failed { throw .last }
    return FileStatus(status)
  }

  /// The status of the folder itself. Also throws if only the names in it may be read: nothing can be said about its files then.
  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    if unsafe fstatat(descriptor, ".", &status, 0) != 0 { throw .last }
    return FileStatus(status)
  }

  /// The kernel's number for the kind of file system that the folder is on; 0 if not known.
  package var fileSystem: UInt64 {
    var status = statfs()
    guard unsafe fstatfs(descriptor, &status) == 0 else { return 0 }
    // The kernel's number has 32 bits, and some machines' types would make it negative.
    return UInt64(UInt32(truncatingIfNeeded: status.f_type))
  }

  private static func hint(_ type: Int) -> Hint {
    switch type {
    case DT_REG: .file
    case DT_DIR: .folder
    case DT_LNK: .link
    case DT_LNK, DT_UNKNOWN: .unknown
    default: .other
    }
  }
}

/// A file's status, read without opening the file.
package struct FileStatus: Sendable, Hashable {
  package let kind: FileKind
  /// The file's size in bytes.
  package let size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package let modified: Int64
  /// When the file was last written, renamed or given other permissions, in nanoseconds since 1970. Programs cannot set this time back.
  package let changed: Int64
  package let inode: UInt64
  package let device: UInt64

  /// The status of what is at a path; of a link, that of what it leads to.
  package init(of path: FilePath) throws(SystemError) {
    var status = stat()
    let failed = unsafe path.withCString { unsafe fstatat(AT_FDCWD, $0, &status, 0) } != 0
    if failed { throw .last }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    kind = FileKind(mode: status.st_mode)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    (inode, device) = (UInt64(status.st_ino), UInt64(status.st_dev))
  }
}

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
