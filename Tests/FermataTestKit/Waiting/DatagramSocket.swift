// SPDX-License-Identifier: MIT
import Glibc

/// Takes the place of a service manager in a test: a socket that receives texts, one in each datagram.
///
/// If it has a file, that is removed with its folder. Any thread may use it.
package final class DatagramSocket: Sendable {
  private let descriptor: FileDescriptor

  /// Listens at a path, or at an abstract name (not in the file system) if `name` begins with `@`.
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

  /// The next text. Blocks. Throws if none comes in time.
  package func next(until deadline: Deadline = .patient) throws -> String {
    guard descriptor.waitReadable(until: deadline) else { throw KitError("no datagram in time") }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor.number, &bytes, bytes.count, 0)
    guard count >= 0 else { throw KitError.system("recv", code: errno) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The texts up to and including `last`. Blocks. Throws if it doesn't come in time.
  package func texts(upTo last: String, until deadline: Deadline = .patient) throws -> [String] {
    var texts: [String] = []
    while texts.last != last {
      do { texts.append(try next(until: deadline)) } catch { throw KitError("no '\(last)' after \(texts)") }
    }
    return texts
  }
}
