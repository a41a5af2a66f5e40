// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc
package import MediaModel

/// A file of whatever kind, held by a descriptor but not opened: a device is not woken by it and a pipe
/// gets no reader. What is opened afterwards is the very file that was looked at. Owns the descriptor;
/// `deinit` closes it.
package struct HeldFile: ~Copyable {
  /// What it is.
  package let kind: FileKind
  /// Which file it is, and in which state it was then.
  package let stamp: FileStamp
  /// The bits of its mode that `chmod` sets.
  package let permissions: UInt32
  private let descriptor: Int32

  /// Which file it is.
  package var identity: FileIdentity { stamp.identity }

  /// Takes hold of what is at a path, through symbolic links; a relative path is seen from an open folder.
  package init(_ path: FilePath, in folder: Int32? = nil) throws(SystemError) {
    var held = try Self.hold(path, in: folder ?? AT_FDCWD)
    if FileKind(mode: held.status.st_mode) == .folder {
      // Holding alone does not mount what is mounted on demand; stepping inside does.
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

  /// Opens the folder for listing.
  package func openFolder() throws(SystemError) -> Directory {
    let opened = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    return try Directory(owning: opened)
  }

  /// Opens the file for reading. Traps where it is not a regular one.
  package func openFile() throws(SystemError) -> OpenFile {
    precondition(kind == .file, "only regular files are opened")
    let opened = unsafe open("/proc/self/fd/\(descriptor)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else { throw .last }
    return OpenFile(owning: opened)
  }
}
