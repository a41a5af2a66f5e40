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
