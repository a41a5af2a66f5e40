// SPDX-License-Identifier: MIT
import Glibc

/// What a file is, and who may do what with it.
struct FileMode {
  let bits: mode_t

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    bits = status.st_mode
  }

  var isFolder: Bool { bits & S_IFMT == S_IFDIR }
  var isReadableByOthers: Bool { bits & 0o077 != 0 }

  /// The names in a folder, without the two that are in every one.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// Gives a file a name that need not be text.
func rename(_ old: String, _ new: [UInt8]) -> Int32 {
  (new + [0]).withUnsafeBytes { bytes in
    bytes.assumingMemoryBound(to: CChar.self).baseAddress.map { Glibc.rename(old, $0) } ?? -1
  }
}
