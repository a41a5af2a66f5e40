// SPDX-License-Identifier: MIT
import Glibc

/// The address of the service manager's socket: a path, or `@` and an abstract name, which belongs to no folder.
struct ServiceAddress {
  private let address: sockaddr_un
  private let size: socklen_t

  /// Nil if the text is neither, or is too long for a socket address.
  init?(_ text: String) {
    var bytes = Array(text.utf8)
    var address = sockaddr_un()
    guard let first = bytes.first, bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path)
    else { return nil }
    switch first {
    case UInt8(ascii: "/"): bytes.append(0)
    case UInt8(ascii: "@"): bytes[0] = 0
    default: return nil
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    self.address = address
    // The size ends with the name: in an abstract address, zeros after it would be part of the name.
    let room = MemoryLayout.size(ofValue: address.sun_path)
    size = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
  }

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
