// SPDX-License-Identifier: MIT
import Glibc

/// Where a service manager listens: a path, or behind an `@` a name that stands in no folder.
struct ServiceAddress {
  private let address: sockaddr_un
  private let size: socklen_t

  /// Nil where the text is neither, or longer than a socket's address.
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
    // The name's length counts, for zeros behind it would be part of it.
    let room = MemoryLayout.size(ofValue: address.sun_path)
    size = socklen_t(MemoryLayout<sockaddr_un>.size - room + bytes.count)
  }

  func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Void) {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }
}
