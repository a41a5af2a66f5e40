// SPDX-License-Identifier: MIT
import Glibc

/// A regular file, open for reading.
///
/// Directories, devices and pipes are refused without waiting for them, and opening a terminal never makes it the
/// process's controlling terminal. Owns the descriptor and closes it.
package final class FileSource: ByteSource {
  /// The path that it was opened by, for a person to read.
  package let name: String
  /// The size when it was opened: what is appended later is not played.
  package let size: Int

  private let descriptor: Int32

  /// Opens the file at a path. Throws if there is none, if it may not be read, or if it isn't a regular file.
  package convenience init(path: String) throws(DecodeError) {
    try self.init(bytes: Array(path.utf8), name: path)
  }

  /// Opens the file at a path that need not be valid text, because Linux promises no encoding. `name` is the path that
  /// a person is shown. Throws as `init(path:)` does.
  package init(bytes: [UInt8], name path: String) throws(DecodeError) {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = unsafe Glibc.open(terminated, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw DecodeError.cannotOpen(path, errno) }
    var status = stat()
    let failure = unsafe fstat(descriptor, &status) == 0 ? nil : errno
    if failure != nil || status.st_mode & S_IFMT != S_IFREG {
      close(descriptor)
      throw failure.map { .cannotOpen(path, $0) } ?? .notAFile(path, status.st_mode & S_IFMT)
    }
    name = path
    size = Int(status.st_size)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads as `ByteSource` says; a signal in between is no error.
  package func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int
  {
    let count = max(0, min(count, size - offset))
    precondition(count <= bytes.byteCount, "no room for \(count) bytes")
    while true {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, count, offset)
      }
      if got >= 0 { return got }
      if errno == EINTR { continue }
      throw DecodeError(
        .unreadable, file: name, byteOffset: offset, reason: "cannot be read: \(text(of: errno))")
    }
  }
}

extension DecodeError {
  fileprivate static func cannotOpen(_ path: String, _ error: Int32) -> DecodeError {
    if error == ENXIO { return .notAFile(path, S_IFSOCK) }
    return DecodeError(.cannotOpen, file: path, reason: "cannot be opened: \(text(of: error))")
  }

  fileprivate static func notAFile(_ path: String, _ kind: mode_t) -> DecodeError {
    let what =
      switch kind {
      case S_IFDIR: "a directory"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    return DecodeError(.notAFile, file: path, reason: "is \(what); only files can be played")
  }
}

/// What the system says of one of its error numbers.
private func text(of error: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 128)
  guard unsafe strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
  return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
