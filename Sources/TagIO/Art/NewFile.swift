// SPDX-License-Identifier: MIT
internal import Glibc
internal import MediaModel

/// A file that is being written beside its final place. Owns the descriptor and the temporary name; unless it was
/// published, `deinit` removes it.
struct NewFile: ~Copyable {
  /// How the names of files begin that are not published yet.
  static let prefix = Array(".new-".utf8)

  private let descriptor: Int32
  private let path: FilePath

  /// Creates an empty file under a name that nobody has, readable by this user alone.
  init(in folder: FilePath) throws(ArtCacheError) {
    let name = Self.prefix + String(UInt32.random(in: .min ... .max), radix: 16).utf8
    guard let path = folder.entry(name) else { preconditionFailure("the name has no NUL") }
    let descriptor = unsafe path.withCString { text in
      unsafe open(text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0 else { throw ArtCacheError(path: folder, operation: .create, code: errno) }
    self.init(descriptor: descriptor, path: path)
  }

  /// Takes over an open file.
  init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
    _ = unsafe path.withCString { text in unsafe unlink(text) }
  }

  /// Appends all bytes.
  func write(_ bytes: [UInt8]) throws(ArtCacheError) {
    let code: Int32 = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let put = unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if put < 0 && errno == EINTR { continue }
        guard put > 0 else { return errno }
        done += put
      }
      return 0
    }
    if code != 0 { throw ArtCacheError(path: path, operation: .write, code: code) }
  }

  /// Gives the file its name, in place of one that has it.
  consuming func publish(as final: FilePath) throws(ArtCacheError) {
    let result = unsafe path.withCString { from in
      unsafe final.withCString { to in unsafe rename(from, to) }
    }
    guard result == 0 else { throw ArtCacheError(path: final, operation: .rename, code: errno) }
  }
}
