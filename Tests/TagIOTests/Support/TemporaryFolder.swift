// SPDX-License-Identifier: MIT
import Glibc
import MediaModel

/// A private folder that goes with its owner, and all in it.
final class TemporaryFolder {
  let path: FilePath

  init() throws {
    var template = Array("/tmp/fermata-tags-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, let path = FilePath(template.dropLast().map(UInt8.init(bitPattern:)))
    else {
      throw TestFailure("mkdtemp: \(errno)")
    }
    self.path = path
  }

  deinit { try? run("rm", "-rf", path.text) }

  func path(_ name: String) -> FilePath { FilePath(path.text + "/" + name)! }  // neither empty nor with a NUL

  @discardableResult
  func write(_ bytes: [UInt8], _ name: String) throws -> FilePath {
    let path = path(name)
    let descriptor = open(path.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestFailure("open \(path): \(errno)") }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let put = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard put > 0 else { throw TestFailure("write \(path): \(errno)") }
      done += put
    }
    return path
  }
}

struct TestFailure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}

/// The bytes of a file.
func contents(_ path: FilePath) throws -> [UInt8] {
  let descriptor = open(path.text, O_RDONLY | O_CLOEXEC)
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

/// Runs a program to its end with its output thrown away; throws where it fails.
func run(_ program: String, _ arguments: String...) throws {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor in Int32(0)...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  var argv: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
  defer { argv.forEach { free($0) } }
  var pid = pid_t()
  let spawned = posix_spawnp(&pid, program, &actions, nil, &argv, environ)
  guard spawned == 0 else { throw TestFailure("\(program): error \(spawned)") }
  var status: Int32 = 0
  while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  guard status == 0 else { throw TestFailure("\(program) \(arguments) ended with \(status)") }
}

/// A figure of this process in bytes: `VmRSS`, or `VmHWM` for the peak.
func memory(_ name: String) throws -> Int {
  let status = String(decoding: try contents("/proc/self/status"), as: UTF8.self)
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
  guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
  else {
    throw TestFailure("no \(name)")
  }
  return kilobytes * 1024
}
