// SPDX-License-Identifier: MIT
import Glibc
import MediaModel

/// A private folder that goes with its owner, and all in it. Names are bytes, as the file system has them.
final class TemporaryFolder {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/fermata-sources-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let path = FilePath(template.dropLast().map(UInt8.init(bitPattern:)))
    else { throw TestFailure("mkdtemp: \(errno)") }
    self.path = path
  }

  deinit {
    let words: [UnsafeMutablePointer<CChar>?] = ["rm", "-rf", path.text].map { (word: String) in strdup(word)
    }
    defer { words.forEach { free($0) } }
    var pid = pid_t()
    guard posix_spawnp(&pid, "rm", nil, nil, words + [nil], environ) == 0 else { return }
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
  }

  /// The path of a name in it.
  func at(_ name: some Sequence<UInt8>) -> FilePath {
    FilePath(path.bytes + [UInt8(ascii: "/")] + Array(name))!  // it has no NUL: no test gives one
  }

  func at(_ name: String) -> FilePath { at(name.utf8) }

  /// Makes a folder and those above it.
  @discardableResult
  func folder(_ name: String) throws -> FilePath {
    var made = path
    for part in name.split(separator: "/") {
      made = FilePath("\(part)")!.resolved(against: made)  // the parts of a split are not empty
      guard mkdir(Self.terminated(made), 0o700) == 0 || errno == EEXIST else {
        throw TestFailure("mkdir \(made): \(errno)")
      }
    }
    return made
  }

  /// Writes a file, with its folders.
  @discardableResult
  func write(_ bytes: [UInt8] = [], to path: FilePath) throws -> FilePath {
    let descriptor = open(Self.terminated(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(errno)") }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw TestFailure("write \(path): \(errno)")
    }
    return path
  }

  @discardableResult
  func file(_ name: String, _ text: String = "") throws -> FilePath {
    if let slash = name.lastIndex(of: "/") { try folder(String(name[..<slash])) }
    return try write(Array(text.utf8), to: at(name))
  }

  func files(_ names: String...) throws { for name in names { try file(name) } }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, at(name).text) == 0 else { throw TestFailure("symlink \(name): \(errno)") }
  }

  func pipe(_ name: String) throws {
    guard mkfifo(at(name).text, 0o600) == 0 else { throw TestFailure("mkfifo \(name): \(errno)") }
  }

  static func terminated(_ path: FilePath) -> [CChar] {
    path.bytes.map { CChar(bitPattern: $0) } + [0]
  }
}

/// The bytes of a file.
func contents(_ path: FilePath) throws -> [UInt8] {
  let descriptor = open(TemporaryFolder.terminated(path), O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw TestFailure("open \(path): \(errno)") }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while true {
    let got = read(descriptor, &chunk, chunk.count)
    if got <= 0 { return bytes }
    bytes += chunk[..<got]
  }
}
