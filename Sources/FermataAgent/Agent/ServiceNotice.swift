// SPDX-License-Identifier: MIT
import Glibc

/// Tells systemd how the service is doing, where it was systemd that started it and asked to be told: one datagram each, to
/// the socket that the environment names.
///
/// Owns nothing; any thread. That nobody takes what is told is no reason to stop, and never one to wait long.
struct ServiceNotice {
  private let address: ServiceAddress

  /// A notice to the socket of this text, as `NOTIFY_SOCKET` has it; nil where it names none.
  init?(socket: String?) {
    guard let socket, let address = ServiceAddress(socket) else { return nil }
    self.address = address
  }

  /// A notice to whoever started this process; nil where nobody asked.
  static var ofThisProcess: ServiceNotice? {
    ServiceNotice(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
  }

  /// The service does what it is for.
  func ready() { send("READY=1", patience: 1) }

  /// The end has begun.
  func stopping() { send("STOPPING=1", patience: 1) }

  /// What it does, in one line. The next one says it anew, so a lost one is no loss.
  func status(_ line: String) { send("STATUS=\(line)", patience: 0) }

  private func send(_ text: String, patience seconds: Int) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let flags = Int32(MSG_NOSIGNAL) | (seconds == 0 ? Int32(MSG_DONTWAIT) : 0)
    let bytes = Array(text.utf8)
    address.withPointer { address, size in
      _ = sendto(descriptor, bytes, bytes.count, flags, address, size)
    }
  }
}
