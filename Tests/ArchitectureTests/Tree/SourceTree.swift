// SPDX-License-Identifier: MIT
import Glibc

/// The files of this package as they stand on disk, without what is built or belongs to git.
enum SourceTree {
  /// Every text file, by path.
  static let files: [SourceFile] = textFiles(below: root, as: "")
    .map { SourceFile($0.path, $0.text) }
    .sorted { $0.path < $1.path }

  private static let passedOver: Set<String> = [".", "..", ".git", ".build", ".swiftpm"]

  /// The package's folder, as this file's own path tells it.
  private static var root: String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(4).joined(separator: "/")
  }

  private static func textFiles(below folder: String, as prefix: String) -> [(path: String, text: String)] {
    names(in: folder).flatMap { name -> [(path: String, text: String)] in
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0 else { return [] }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return textFiles(below: "\(folder)/\(name)", as: "\(prefix)\(name)/")
      case S_IFREG:
        return text(of: "\(folder)/\(name)", size: Int(status.st_size)).map { [(prefix + name, $0)] } ?? []
      default: return []
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !passedOver.contains(name) { names.append(name) }
    }
    return names
  }

  /// Nothing where the file is not UTF-8: then it is not text.
  private static func text(of path: String, size: Int) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(descriptor, buffer.baseAddress! + count, size - count)
        guard got > 0 else { return }
        count += got
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
