// SPDX-License-Identifier: MIT
import Glibc

/// Tells systemd how the service is doing, if systemd started it and asked to be told: each message is one datagram to the socket
/// that the environment names.
///
/// Owns nothing; any thread may use it. A message that nobody receives is lost: the agent does not stop for that, and waits a second
/// at most.
struct ServiceNotice {
  private let address: ServiceAddress

  /// A notice to the socket that this text names, written as in `NOTIFY_SOCKET`; nil if it names none.
  init?(socket: String?) {
    guard let socket, let address = ServiceAddress(socket) else { return nil }
    self.address = address
  }

  /// A notice to the service manager that started this process; nil if it did not ask for notices.
  static var ofThisProcess: ServiceNotice? {
    ServiceNotice(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) })
  }

  /// Says that the service is ready.
  func ready() { send("READY=1", patience: 1) }

  /// Says that the service is stopping.
  func stopping() { send("STOPPING=1", patience: 1) }

  /// Says in one line what the service is doing. Never waits: if a line is lost, the next one replaces it.
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
