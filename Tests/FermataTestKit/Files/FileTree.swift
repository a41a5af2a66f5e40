// SPDX-License-Identifier: MIT
import Glibc

/// Reads, writes and removes files by names that are bytes, as the file system has them.
enum FileTree {
  static func contents(of path: [UInt8]) throws -> [UInt8] {
    let file = try FileDescriptor(unsafe open(cString(path), O_RDONLY | O_CLOEXEC), "open \(text(path))")
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file.number, &chunk, chunk.count)
      guard count >= 0 else { throw KitError.system("read \(text(path))", code: errno) }
      if count == 0 { return bytes }
      bytes += chunk.prefix(count)
    }
  }

  static func write(_ bytes: [UInt8], to path: [UInt8]) throws {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let file = try FileDescriptor(unsafe open(cString(path), flags, 0o600), "create \(text(path))")
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        // An array with bytes left to write has a first one.
        unsafe Glibc.write(file.number, $0.baseAddress! + done, $0.count - done)
      }
      guard count > 0 else { throw KitError.system("write \(text(path))", code: errno) }
      done += count
    }
  }

  /// The names in a folder, without "." and ".."; empty if it is not a folder.
  static func names(in path: [UInt8]) -> [[UInt8]] {
    guard let stream = unsafe opendir(cString(path)) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  // Ignores what can't be removed: a test should not fail at its end because of that.
  static func remove(_ path: [UInt8]) {
    guard unsafe unlink(cString(path)) != 0 else { return }
    for name in names(in: path) { remove(path + [UInt8(ascii: "/")] + name) }
    unsafe rmdir(cString(path))
  }

  private static func cString(_ path: [UInt8]) -> [CChar] { path.map { CChar(bitPattern: $0) } + [0] }

  private static func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}
