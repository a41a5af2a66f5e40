// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// A file that is being written beside its final place. Owns the descriptor and the temporary name;
/// `deinit` closes the one and removes the other, which after publishing is no longer there.
package struct NewFile: ~Copyable {
  /// How the names of files begin that were never published.
  package static let prefix = ".fermata-"

  private let descriptor: Int32
  private let path: FilePath

  /// Creates an empty file under a name that nobody has, hidden in the same folder.
  ///
  /// - Parameter mode: what others may do with it, before the user's mask.
  package init(besides final: FilePath, mode: UInt32 = 0o666) throws(SystemError) {
    let name = Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    guard let folder = final.parent, let hidden = FilePath(name) else { throw SystemError(code: EINVAL) }
    let path = folder.entry(hidden)
    let descriptor = unsafe path.withCString { text in
      unsafe open(text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }
    guard descriptor >= 0 else { throw .last }
    self.path = path
    self.descriptor = descriptor
  }

  /// Takes over an open file of this name.
  init(owning descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
    _ = unsafe path.withCString { unsafe unlink($0) }
  }

  /// Appends all bytes.
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

  /// Gives it the permissions of the file that it replaces.
  package func setPermissions(_ mode: UInt32) throws(SystemError) {
    guard fchmod(descriptor, mode) == 0 else { throw .last }
  }

  /// Gives the file its name, in place of one that has it.
  ///
  /// - Parameter survivesPowerLoss: the bytes are on the disk before the name is.
  package consuming func publish(as final: FilePath, survivesPowerLoss: Bool = true) throws(SystemError) {
    if survivesPowerLoss, fsync(descriptor) != 0 { throw .last }
    let isRenamed = unsafe path.withCString { from in
      unsafe final.withCString { to in unsafe rename(from, to) == 0 }
    }
    guard isRenamed else { throw .last }
    if survivesPowerLoss { Self.syncFolder(of: final) }
  }

  /// Gives the file its name where nobody has that one. Throws `EEXIST` where somebody has.
  package consuming func publish(asNew final: FilePath) throws(SystemError) {
    guard fsync(descriptor) == 0 else { throw .last }
    // A second name is never made in place of another file; the hidden one goes with this object.
    let isLinked = unsafe path.withCString { from in
      unsafe final.withCString { to in unsafe link(from, to) == 0 }
    }
    if isLinked { return Self.syncFolder(of: final) }
    let error = SystemError.last
    // Some file systems have no second names. There a file that is made at this very moment is replaced.
    guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.code) else { throw error }
    guard final.isMissing else { throw SystemError(code: EEXIST) }
    try publish(as: final)
  }

  /// Writes a file that somebody named: all of it or nothing. The file that was there stays until the new one is on the
  /// disk, and leaves its permissions to it; one that may not be written is not replaced. A link stays a link: what it
  /// leads to is written.
  ///
  /// - Parameter replacing: whether a file that is there may be replaced; else it throws `EEXIST`.
  package static func write(
    _ bytes: [UInt8], at path: FilePath, replacing: Bool = true
  ) throws(SystemError) {
    let place = try path.writingPlace()
    let file = try NewFile(besides: place)
    try file.write(bytes)
    guard replacing else { return try file.publish(asNew: place) }
    if let former = try? HeldFile(place) {
      guard unsafe place.withCString({ unsafe access($0, W_OK) }) == 0 else { throw .last }
      try file.setPermissions(former.permissions)
    }
    try file.publish(as: place)
  }

  /// That the name survives a loss of power is wished for, not owed: some file systems refuse it for folders.
  private static func syncFolder(of final: FilePath) {
    guard let folder = final.parent else { return }
    let opened = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard opened >= 0 else { return }
    fsync(opened)
    close(opened)
  }
}
