// SPDX-License-Identifier: MIT
import Glibc

/// A directory of the tests' own, for files only; it and what is in it are gone when the last reference is.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/fermata-decode-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary directory: errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    guard let listing = opendir(path) else { return }
    while let entry = readdir(listing) {
      unlink(
        file(
          withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        ))
    }
    closedir(listing)
    rmdir(path)
  }

  /// The path of a name in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes bytes into a new file, and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], to name: String) -> String {
    let path = file(name)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    precondition(descriptor >= 0, "cannot write \(path)")
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
      }
      // An array with bytes left to write has a first byte; a full disk has no room for tests.
      precondition(count > 0, "cannot write \(path)")
      written += count
    }
    return path
  }
}

/// A file's bytes.
func contents(of path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  precondition(descriptor >= 0, "cannot read \(path)")
  defer { close(descriptor) }
  let size = Int(lseek(descriptor, 0, SEEK_END))
  return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
  }
}
