// SPDX-License-Identifier: MIT
import Glibc
import StoreIO

/// A folder that goes with its owner, and all in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/fermata-store-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(code: errno, .makeFolder, file: "/tmp", reason: "")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// It as a state folder, as soon as nobody holds it. A child that another test starts has all our descriptors until
  /// it becomes another program, and with them the lock that was let go of here.
  func lock() throws -> StateFolder {
    while true {
      let attempt = Result { () throws(StoreError) in try StateFolder(path) }
      guard case .failure(let error) = attempt, error.code == EWOULDBLOCK else { return try attempt.get() }
      waitUntilFree()
    }
  }

  /// Waits until nobody holds it.
  func waitUntilFree() {
    let descriptor = open(path("lock"), O_RDWR | O_CLOEXEC)
    flock(descriptor, LOCK_EX)
    close(descriptor)
  }

  /// The names of what is in it, in order.
  var names: [String] { Self.names(in: path).sorted() }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ bytes: [UInt8], _ name: String) {
    let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      precondition(count > 0, "write \(name): \(errno)")
      done += count
    }
  }

  func read(_ name: String) -> [UInt8] {
    let descriptor = open(path(name), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: max(0, size(name)))
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, count)))
  }

  func size(_ name: String) -> Int {
    var status = stat()
    return stat(path(name), &status) == 0 ? Int(status.st_size) : 0
  }

  /// The permissions of it or of something in it.
  func mode(_ name: String = "") -> UInt32 {
    var status = stat()
    return stat(path(name), &status) == 0 ? status.st_mode & 0o777 : 0
  }

  private static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
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

  private static func remove(_ path: String) {
    guard unlink(path) != 0 else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
