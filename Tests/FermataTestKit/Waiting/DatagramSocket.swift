// SPDX-License-Identifier: MIT
import Glibc

/// Where a test stands in for a service manager: a socket that takes texts, one a datagram.
///
/// Its file, where it has one, goes with its folder. Any thread may use it.
package final class DatagramSocket: Sendable {
  private let descriptor: FileDescriptor

  /// Listens at a path, or behind an `@` at a name that stands in no folder.
  package init(_ name: String) throws {
    descriptor = try FileDescriptor(
      Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
    var address = sockaddr_un()
    var bytes = Array(name.utf8)
    if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < room else { throw KitError("\(name) is too long for a socket: \(room - 1) bytes") }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
    let result = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor.number, address, size)
      }
    }
    guard result == 0 else { throw KitError.system("bind \(name)", code: errno) }
  }

  /// The next text. Blocks. Throws when none comes in time.
  package func next(until deadline: Deadline = .patient) throws -> String {
    guard descriptor.waitReadable(until: deadline) else { throw KitError("no datagram in time") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor.number, &bytes, bytes.count, 0)
    guard count >= 0 else { throw KitError.system("recv", code: errno) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Texts up to this one, which is the last of them. Blocks. Throws when it does not come in time.
  package func texts(upTo last: String, until deadline: Deadline = .patient) throws -> [String] {
    var texts: [String] = []
    while texts.last != last {
      do { texts.append(try next(until: deadline)) } catch { throw KitError("no '\(last)' after \(texts)") }
    }
    return texts
  }
}
