// SPDX-License-Identifier: MIT
import Glibc

/// A socket that authenticates a client like a bus, then sends arbitrary bytes and hangs up. `deinit` removes the
/// socket.
package final class LyingBus: Sendable {
  /// The path of its socket.
  package let path: String
  private let listener: Int32
  /// The address of the bus that it pretends to be.
  package var address: String { "unix:path=" + path }

  /// Creates the socket and listens on it.
  package init() throws {
    path = "/tmp/fermata-bus-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).socket"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let failure = unsafe withUnsafeBytes(of: &address) {
      unsafe bind(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), size)
    }
    guard failure == 0, listen(listener, 8) == 0 else { throw KitError("no socket: errno \(errno)") }
  }

  deinit {
    close(listener)
    unsafe unlink(path)
  }

  /// Accepts one client and sends it these bytes. Blocks until they are sent.
  package func serve(_ bytes: [UInt8]) throws {
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

  /// Returns when a client has connected, which is not answered. Blocks until then.
  package func untilCalled() throws { try wait(listener) }

  private func wait(_ descriptor: Int32) throws {
    var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, Deadline.patient.milliseconds) > 0 else {
      throw KitError("nobody speaks")
    }
  }

  private func readLine(_ client: Int32) throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while byte != UInt8(ascii: "\n") {
      try wait(client)
      guard unsafe read(client, &byte, 1) == 1 else { throw KitError("the client went") }
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Sends bytes. The client may have gone already, which is not an error.
  private func say(_ bytes: [UInt8], _ client: Int32) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The answer to a client's first call, which gives it its name. After it, the bus can hang up in the middle of the
  /// following messages.
  package static let welcome: [UInt8] = {
    let name = string("s", ":1.1")
    // A reply to call 1 from the bus; its body is one string.
    var fields = [5, 1, UInt8(ascii: "u"), 0, 1, 0, 0, 0]
    fields += [7] + string("s", "org.freedesktop.DBus")
    while fields.count % 8 != 0 { fields.append(0) }
    fields += [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0]
    let body = Array(name.dropFirst(3))
    var message: [UInt8] =
      [UInt8(ascii: "l"), 2, 1, 1] + little(body.count) + [1, 0, 0, 0] + little(fields.count)
    message += fields
    while message.count % 8 != 0 { message.append(0) }
    return message + body
  }()

  /// The value of a header field: the signature of its type, and the text with its length. It has to start at one
  /// byte after a multiple of eight.
  private static func string(_ type: Character, _ text: String) -> [UInt8] {
    [1, type.asciiValue ?? 0, 0] + little(text.utf8.count) + Array(text.utf8) + [0]
  }

  private static func little(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }
}
