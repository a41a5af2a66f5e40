// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A connection to a bus as bytes: it has said who it is, and nothing else is done by itself. It reads only when asked to.
final class RawSocket {
  private let descriptor: Int32
  // MSG_DONTWAIT, of which Swift sees only the case of an enumeration.
  private static let withoutWaiting: Int32 = 0x40

  /// Connects and says who it is; with a name at the bus, unless that is left out.
  init(_ bus: PrivateBus, saysHello: Bool = true) throws {
    let path = String(bus.address.dropFirst("unix:path=".count))
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw KitError("no connection to \(path): errno \(errno)") }
    let digits = Array("\(getuid())".utf8).map { String($0, radix: 16) }.joined()
    write([0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8))
    guard String(decoding: try read(atLeast: 3), as: UTF8.self).hasPrefix("OK") else {
      throw KitError("the bus does not know us")
    }
    write(Array("BEGIN\r\n".utf8))
    if saysHello {
      write(
        RawMessage.call(
          "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", serial: 1))
      _ = try read(atLeast: 64)
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes, as far as the other end takes them within a second.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&request, 1, 1_000) > 0 else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Self.withoutWaiting)
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Reads until so many bytes have come. Throws when they do not, or the other end hung up.
  func read(atLeast wanted: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let deadline = Deadline.patient
    while bytes.count < wanted {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 1_000) > 0 else {
        if deadline.hasPassed { throw KitError("the bus says nothing") }
        continue
      }
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { throw KitError("the bus hung up") }
      bytes += buffer.prefix(count)
    }
    return bytes
  }
}

/// Messages as bytes.
enum RawMessage {
  /// A call; with a text where one is given.
  static func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, text: String? = nil,
    serial: UInt32
  ) -> [UInt8] {
    var body: [UInt8] = []
    if let text { append(text, to: &body) }
    var fields: [UInt8] = []
    for (code, type, value) in [(1, "o", path), (6, "s", destination), (2, "s", interface), (3, "s", member)]
    {
      pad(&fields, to: 8)
      fields += [UInt8(code), 1] + Array(type.utf8) + [0]
      append(value, to: &fields)
    }
    if text != nil {
      pad(&fields, to: 8)
      fields += [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0]
    }
    var message: [UInt8] = [UInt8(ascii: "l"), 1, 0, 1]
    message += little(UInt32(body.count)) + little(serial) + little(UInt32(fields.count)) + fields
    pad(&message, to: 8)
    return message + body
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    pad(&bytes, to: 4)
    bytes += little(UInt32(text.utf8.count)) + Array(text.utf8) + [0]
  }

  private static func pad(_ bytes: inout [UInt8], to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
