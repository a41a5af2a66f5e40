// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A socket that greets like a bus, then says whatever it is told to say, and hangs up.
final class LyingBus: Sendable {
  let path: String
  private let listener: Int32
  var address: String { "unix:path=" + path }

  init() throws {
    path = "/tmp/fermata-bus-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).socket"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let failure = withUnsafeBytes(of: &address) {
      bind(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
    }
    guard failure == 0, listen(listener, 8) == 0 else { throw KitError("no socket: errno \(errno)") }
  }

  deinit {
    close(listener)
    unlink(path)
  }

  /// Takes one client and tells it these bytes. Blocks until they are sent.
  func serve(_ bytes: [UInt8]) throws {
    try wait(listener)
    let client = accept(listener, nil, nil)
    defer { close(client) }
    while true {
      let line = try readLine(client)
      if line.hasPrefix("BEGIN") { break }
      say(
        Array((line.contains("AUTH") ? "OK 0123456789abcdef0123456789abcdef\r\n" : "AGREE_UNIX_FD\r\n").utf8),
        client)
    }
    say(bytes, client)
  }

  private func wait(_ descriptor: Int32) throws {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 10_000) > 0 else { throw KitError("nobody speaks") }
  }

  private func readLine(_ client: Int32) throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while byte != UInt8(ascii: "\n") {
      try wait(client)
      guard read(client, &byte, 1) == 1 else { throw KitError("the client went") }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// The client may have gone already, which is its right.
  private func say(_ bytes: [UInt8], _ client: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
