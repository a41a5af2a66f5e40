// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// A new file that is written under a temporary name beside its final path. Owns the descriptor and the temporary
/// name. `deinit` closes the descriptor and removes the temporary name, unless publishing has already renamed it.
package struct NewFile: ~Copyable {
  /// The prefix of temporary names. A file with this prefix was never published.
  package static let prefix = ".fermata-"

  private let descriptor: Int32
  /// The temporary path, for whoever can write a file only by its name.
  package let path: FilePath

  /// Creates an empty hidden file with an unused name, in the folder of `final`.
  ///
  /// - Parameter mode: the permission bits, before the process's umask is applied.
  package init(besides final: FilePath, mode: UInt32 = 0o666) throws(SystemError) {
    let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    guard let folder = final.parent, let hidden = FilePath(name) else { throw SystemError(code: EINVAL) }
    let path = folder.entry(hidden)
    let descriptor = unsafe path.withCString { text in
      unsafe open(text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    guard descriptor >= 0 else { throw .last }
    (self.path, self.descriptor) = (path, descriptor)
  }

  /// Takes ownership of an open file and of its temporary name, which `deinit` removes.
  init(owning descriptor: Int32, path: FilePath) {
    (self.descriptor, self.path) = (descriptor, path)
  }

  deinit {
    close(descriptor)
    _ = unsafe path.withCString { unsafe unlink($0) }
  }

  /// Appends all the bytes. Blocks on the disk.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let error: SystemError? = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let put = unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if put < 0 && errno == EINTR { continue }
        guard put > 0 else { return .last }
        done += put
      }
      return nil
    }
    if let error { throw error }
  }

  /// Sets the permission bits, for example to those of the file that this one will replace.
  package func setPermissions(_ mode: UInt32) throws(SystemError) {
    guard fchmod(descriptor, mode) == 0 else { throw .last }
  }

  /// Renames the file to its final name, and replaces a file of that name. Blocks on the disk.
  ///
  /// - Parameter survivesPowerLoss: whether to wait until the bytes are on the disk before renaming, and to sync the
  ///   folder after.
  package consuming func publish(as final: FilePath, survivesPowerLoss: Bool = true) throws(SystemError) {
    if survivesPowerLoss, fsync(descriptor) != 0 { throw .last }
    let isRenamed = unsafe path.withCString { from in
      unsafe final.withCString { to in unsafe rename(from, to) == 0 }
    }
    guard isRenamed else { throw .last }
    if survivesPowerLoss { Self.syncFolder(of: final) }
  }

  /// Gives the file its final name only if that name is free; throws `EEXIST` otherwise. Blocks on the disk.
  package consuming func publish(asNew final: FilePath) throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last }
    // A hard link never replaces an existing file. `deinit` removes the temporary name.
    let isLinked = unsafe path.withCString { from in
      unsafe final.withCString { to in unsafe link(from, to) == 0 }
    }
    if isLinked { return Self.syncFolder(of: final) }
    let error = SystemError.last
    // Some file systems have no hard links. There the name is checked first and the file is renamed then, so a file that somebody creates in between
    // is replaced.
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
    guard final.isMissing else { throw SystemError(code: EEXIST) }
    try publish(as: final)
  }

  /// Writes a file that a user named, completely or not at all. An existing file stays until the new one is on the
  /// disk, and the new one gets its permissions. An existing file that is not writable is not replaced. If the path
  /// is a link, the link stays and its target is written. Blocks on the disk.
  ///
  /// - Parameter replacing: whether an existing file may be replaced; if not, this throws `EEXIST`.
  package static func write(
    _ bytes: [UInt8], at path: FilePath, replacing: Bool = true
  ) throws(SystemError) {
    let place = try path.writingPlace()
    var former: UInt32?
    if replacing, let held = try? HeldFile(place) { former = held.permissions }
    // Nobody may read the new file, not even while it is written, who could not read the former one.
    let file = try NewFile(besides: place, mode: (former ?? .max) & 0o666)
    try file.write(bytes)
    guard replacing else { return try file.publish(asNew: place) }
    if let former {
      guard unsafe place.withCString({ unsafe access($0, W_OK) }) == 0 else { throw .last }
      try file.setPermissions(former)
    }
    try file.publish(as: place)
  }

  /// Tries to make the new name survive a loss of power. Failures are ignored, because some file systems can't sync
  /// folders.
  private static func syncFolder(of final: FilePath) {
    guard let folder = final.parent else { return }
    let opened = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }
}
