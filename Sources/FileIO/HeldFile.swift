// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc
package import MediaModel

/// A file of any kind, held by a descriptor without being opened. So a device is not activated and a pipe gets no
/// reader. Opening it later opens the same file that was examined, even if the path has changed since. Owns the
/// descriptor; `deinit` closes it.
package struct HeldFile: ~Copyable {
  /// The kind of the file.
  package let kind: FileKind
  /// Its identity and state at the time when it was taken hold of.
  package let stamp: FileStamp
  /// Its permission bits, as `chmod` sets them.
  package let permissions: UInt32
  private let descriptor: Int32

  /// Its identity.
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
    stamp = FileStamp(held.status)
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
    return try Directory(owning: opened)
  }

  /// Opens the file for reading. Traps if it is not a regular file.
  package func openFile() throws(SystemError) -> OpenFile {
    precondition(kind == .file, "only regular files are opened")
    let opened = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    return OpenFile(owning: opened)
  }
}
