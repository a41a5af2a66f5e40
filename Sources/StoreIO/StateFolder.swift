// SPDX-License-Identifier: MIT
import FileIO
import Glibc
package import MediaModel
package import SQLiteIO

/// The folder in which one agent keeps its state, locked for it alone.
///
/// Owns the lock, which is released with this object, or when the process ends in any way. Any thread may use it.
package final class StateFolder: Sendable {
  /// The path of the folder, without a slash at its end.
  package let path: String
  private let lock: Int32

  /// Makes the folder if it does not exist, for this user alone (0700, as are folders above it that are made), and locks it. Throws
  /// if that fails; if another agent holds the lock, the error says who. Blocks for some system calls.
  package init(_ path: String, program: String = "fermata") throws(StoreError) {
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    try Self.makeFolder(self.path)
    let file = "\(self.path)/lock"
    let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreError(errno: errno, .lock, file: file) }
    guard Self.lock(descriptor) else {
      defer { close(descriptor) }
      throw Self.refusal(errno, file: file, folder: self.path, descriptor)
    }
    lock = descriptor
    // Writes who has the lock, for people and for another agent's error message. The folder is locked even if this fails.
    let text = Array("\(program) (process \(getpid()))\n".utf8)
    if ftruncate(descriptor, 0) == 0 {
      _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
  }

  /// A folder's path as text. If the path is not valid text, the folder is made, and the result leads to it through a descriptor,
  /// which stays open as long as the process. Blocks.
  package static func text(of folder: FilePath) throws(StoreError) -> String {
    if let text = folder.exactText { return text }
    do throws(SystemError) { try NewFolder.make(folder) } catch {
      throw StoreError(errno: error.code, .makeFolder, file: folder.text)
    }
    let held = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard held >= 0 else { throw StoreError(errno: errno, .open, file: folder.text) }
    return "/proc/self/fd/\(held)"
  }

  deinit {
    // A child process that was started meanwhile may have a copy of the descriptor until it runs its own program. If we only closed
    // ours, the folder would stay locked until then.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Whether the file that we have locked is still the one of that name in the folder. If somebody deleted or moved it, another agent could lock the
  /// folder as well.
  var isInPlace: Bool {
    var (held, named) = (stat(), stat())
    return unsafe fstat(lock, &held) == 0 && stat(file("lock"), &named) == 0
      && held.st_dev == named.st_dev && held.st_ino == named.st_ino
  }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Locks the file; false, with the reason in `errno`, if that fails. An agent that is killed while it starts another program leaves a copy of its
  /// lock in that new process for an instant. So if the lock's owner is dead, this tries again for up to a second.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK, isDead(holder(descriptor)) else { break }
      poll(nil, 0, 20)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Whether the process that a lock file's text names has ended; false if it names none.
  private static func isDead(_ holder: String) -> Bool {
    let number = holder.utf8.reversed().drop { !(48...57).contains($0) }.prefix { (48...57).contains($0) }
    guard let process = pid_t(String(decoding: number.reversed(), as: UTF8.self)) else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// The lock file's text about its owner. Only printable characters are taken, because the text was written by another process and goes into a
  /// message.
  private static func holder(_ descriptor: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 128)
    let count = unsafe text.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    return String(decoding: text.prefix(max(0, count)).prefix { $0 >= 0x20 && $0 < 0x7f }, as: UTF8.self)
  }

  private static func refusal(_ code: Int32, file: String, folder: String, _ descriptor: Int32) -> StoreError
  {
    guard code == EWOULDBLOCK else { return StoreError(errno: code, .lock, file: file) }
    let holder = holder(descriptor)
    let process = holder.firstIndex(of: "(").map { " " + holder[$0...] } ?? ""
    let reason =
      "an agent already runs\(process); 'fermata quit' ends it, or set XDG_STATE_HOME to another folder"
    return StoreError(code: code, .lock, file: folder, reason: reason)
  }

  private static func makeFolder(_ path: String) throws(StoreError) {
    var status = stat()
    if unsafe stat(path, &status) != 0 {
      if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
        let above = String(path[..<slash])
        if unsafe access(above, F_OK) != 0 { try makeFolder(above) }
      }
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw StoreError(errno: errno, .makeFolder, file: path)
      }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw StoreError(errno: ENOTDIR, .makeFolder, file: path)
    }
    // Other users must not read the folder, whoever made it.
    if status.st_mode & 0o077 != 0, unsafe chmod(path, 0o700) != 0 {
      throw StoreError(errno: errno, .makeFolder, file: path)
    }
  }
}
