// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// One end of a connection between two processes that carries packets with open files. Owns the descriptor; `deinit`
/// closes it. Used by one thread at a time.
package struct PacketSocket: ~Copyable {
  /// Why no packet came, or none could be sent.
  package enum Failure: Error, Equatable {
    /// The other end is closed.
    case ended
    /// Nothing came, or could be sent, in time.
    case late
    /// The system's error number.
    case system(Int32)
  }

  /// A packet with the files that came with it. Owns the files' descriptors until they are taken.
  package struct Packet: ~Copyable {
    package let bytes: [UInt8]
    private var files: [Int32]

    fileprivate init(bytes: [UInt8], files: [Int32]) { (self.bytes, self.files) = (bytes, files) }

    deinit { for file in files { close(file) } }

    /// Takes the descriptors of the files out of the packet; the caller has to close them.
    package mutating func takeFiles() -> [Int32] {
      defer { files = [] }
      return files
    }
  }

  package let descriptor: Int32

  /// Makes an end of a connection from this descriptor, which the new value owns.
  package init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// The two ends of a new connection.
  package struct Pair: ~Copyable {
    package let near: PacketSocket
    package let far: PacketSocket
  }

  /// A new connection. Programs that this process starts do not inherit its ends. Throws if the process has too many open files.
  package static func pair() throws(Failure) -> Pair {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .system(errno) }
    return Pair(near: PacketSocket(owning: ends[0]), far: PacketSocket(owning: ends[1]))
  }

  /// Sends a packet with up to 16 files, which stay open here. If the other side has too many unread packets, waits until `deadline`; without one,
  /// for ever.
  package func send(
    _ bytes: [UInt8], files: [Int32] = [], until deadline: Deadline? = nil
  ) throws(Failure) {
    let wait = deadline == nil ? 0 : Int32(MSG_DONTWAIT)
    while unsafe clinux_send_packet(descriptor, bytes, bytes.count, files, files.count, wait) < 0 {
      try recover(waitingFor: Int16(POLLOUT), deadline)
    }
  }

  /// Waits for the next packet until `deadline`. Without one, it waits as long as `setPatience` says.
  package func receive(atMost room: Int, until deadline: Deadline? = nil) throws(Failure) -> Packet {
    let wait = deadline == nil ? 0 : Int32(MSG_DONTWAIT)
    var files = [Int32](repeating: -1, count: Int(clinux_most_files))
    while true {
      var (count, got) = (0, 0)
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        got = unsafe clinux_receive_packet(descriptor, buffer.baseAddress, room, &files, &count, wait)
        filled = max(0, got)
      }
      if got > 0 { return Packet(bytes: bytes, files: Array(files.prefix(count))) }
      for file in files.prefix(count) { close(file) }
      if got == 0 { throw .ended }
      try recover(waitingFor: Int16(POLLIN), deadline)
    }
  }

  /// Sets how long `receive` waits without a deadline. For the side that only answers.
  package func setPatience(_ seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Call after a system call has failed: waits until it can be repeated, or throws.
  private func recover(waitingFor event: Int16, _ deadline: Deadline?) throws(Failure) {
    switch errno {
    case EINTR: return
    case EPIPE, ECONNRESET: throw .ended
    case EAGAIN:
      guard let deadline else { throw .late }
      try wait(for: event, deadline)
    case let code: throw .system(code)
    }
  }

  private func wait(for event: Int16, _ deadline: Deadline) throws(Failure) {
    var watched = pollfd(fd: descriptor, events: event, revents: 0)
    let left = deadline.millisecondsLeft
    guard left > 0 else { throw .late }
    guard unsafe poll(&watched, 1, left) >= 0 || errno == EINTR else { throw .system(errno) }
  }
}

/// A moment by the monotonic clock, which no setting of the time of day changes.
package struct Deadline: Sendable {
  private let end: Duration

  package init(in time: Duration) { end = Self.now + time }

  package static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The time left, for `poll`: rounded up, so that nobody wakes before the moment; 0 once it has passed.
  package var millisecondsLeft: Int32 {
    let left = end - Self.now
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
  }
}
