// SPDX-License-Identifier: MIT
import Glibc

/// The time in which the loop leaves libpulse's own descriptors unread, for `AgentLoop.gather`. A value; loop thread only.
struct Hush {
  /// When it is over.
  var end = Duration.zero
  /// Descriptors that are read all the same, and how many watches each of them has.
  private var exempt: [Int32: Int] = [:]

  mutating func exempt(_ descriptor: Int32) { exempt[descriptor, default: 0] += 1 }

  mutating func include(_ descriptor: Int32) {
    let others = exempt[descriptor, default: 1] - 1
    exempt[descriptor] = others > 0 ? others : nil
  }

  /// How much is left, in milliseconds, rounded up.
  func left(at now: Duration) -> Int32 {
    guard end > now else { return 0 }
    return Int32((end - now) / .milliseconds(1)) + 1
  }

  /// Polls everything that is not hushed. The first descriptor is always polled: it is the main loop's own, by which other threads
  /// wake it.
  func poll(_ items: UnsafeMutableBufferPointer<pollfd>, _ timeout: Int32) -> Int32 {
    var hushed: [Int] = []
    for index in items.indices.dropFirst() where unsafe isHushed(items[index]) {
      unsafe items[index].events &= ~Int16(POLLIN)
      hushed.append(index)
    }
    defer { for index in hushed { unsafe items[index].events |= Int16(POLLIN) } }
    return unsafe Glibc.poll(items.baseAddress, nfds_t(items.count), timeout)
  }

  private func isHushed(_ item: pollfd) -> Bool {
    item.events & Int16(POLLIN) != 0 && exempt[item.fd] == nil
  }
}
