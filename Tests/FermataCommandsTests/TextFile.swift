// SPDX-License-Identifier: MIT
import Glibc

/// Whole files as text.
enum TextFile {
  static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    return rest(of: file)
  }

  static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    return fputs(text, file) >= 0 && fclose(file) == 0
  }

  static func rest(of file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    var byte = getc(file)
    while byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = getc(file)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
