// SPDX-License-Identifier: MIT
import Glibc
import Testing

/// Two connected descriptors. What is written to one is read from the other. Whoever makes it closes both.
///
/// Sockets instead of a pipe, because they keep out of programs that another test starts at the same moment.
struct Channel {
  let read: Int32
  let write: Int32

  init(nonBlocking: Bool = false) throws {
    var ends: [Int32] = [-1, -1]
    let flags = SOCK_CLOEXEC.rawValue | (nonBlocking ? SOCK_NONBLOCK.rawValue : 0)
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | flags), 0, &ends) == 0)
    (read, write) = (ends[0], ends[1])
  }
}
