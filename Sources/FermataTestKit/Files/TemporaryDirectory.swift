// SPDX-License-Identifier: MIT
import Glibc

/// A directory that only this user can enter, gone with everything in it when this object is.
///
/// Its path is short: a socket in it must fit into 108 bytes. Any thread may use it.
public final class TemporaryDirectory: Sendable {
  /// Where it is; does not end in a slash.
  public let path: String

  /// Makes one. Throws when the system's folder for such things cannot be written to.
  public init() throws {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder.utf8.count > 40 ? "/tmp" : folder)/fermata-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw KitError.system("mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of something in it.
  public func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a folder in it, with the folders above, and returns its path.
  @discardableResult
  public func makeFolder(_ name: String) throws -> String {
    var folder = path
    for part in name.split(separator: "/") {
      folder += "/\(part)"
      guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw KitError.system("mkdir \(folder)", code: errno)
      }
    }
    return folder
  }

  /// Writes a file in it and returns its path. Its folder must be there.
  @discardableResult
  public func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let target = path(name)
    let file = try FileDescriptor(unsafe creat(target, 0o600), "create \(target)")
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        // An array with bytes left to write has a first one.
        unsafe Glibc.write(file.number, $0.baseAddress! + done, $0.count - done)
      }
      guard count > 0 else { throw KitError.system("write \(target)", code: errno) }
      done += count
    }
    return target
  }

  /// Writes a text file in it and returns its path. Its folder must be there.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }

  /// What a text file in it says. Throws where there is none, or it is no text.
  public func text(_ name: String) throws -> String {
    let file = try FileDescriptor(unsafe open(path(name), O_RDONLY | O_CLOEXEC), "open \(path(name))")
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file.number, &chunk, chunk.count)
      guard count >= 0 else { throw KitError.system("read \(path(name))", code: errno) }
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw KitError("\(name) is no text") }
    return text
  }

  // What cannot be removed stays: the end of a test is no place to fail for that.
  private static func remove(_ path: String) {
    guard unsafe unlink(path) != 0, let stream = unsafe opendir(path) else { return }
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { remove("\(path)/\(name)") }
    }
    unsafe closedir(stream)
    unsafe rmdir(path)
  }
}
