// SPDX-License-Identifier: MIT
import Glibc

/// A file system that never answers, over a folder: whoever looks at anything in it hangs, as with a server or a disk that is gone.
///
/// It is a FUSE file system whose program answers the kernel's greeting and nothing else. Needs the superuser and /dev/fuse. With this object
/// it is taken off the folder, and everybody who hangs in it gets an error.
package final class DeadMount: Sendable {
  private let path: String
  private let device: FileDescriptor

  /// Whether this process may make one.
  package static var isPossible: Bool { unsafe geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 }

  /// Mounts it. What is in the folder cannot be reached any more.
  package init(on path: String) throws {
    self.path = path
    device = try FileDescriptor(unsafe open("/dev/fuse", O_RDWR | O_CLOEXEC), "open /dev/fuse")
    let options = "fd=\(device.number),rootmode=40000,user_id=0,group_id=0,allow_other"
    guard unsafe mount("dead", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
      throw KitError.system("mount a dead file system on \(path)", code: errno)
    }
    try greet()
  }

  /// Answers the kernel's first request. From then on it lets several programs ask at a time, so that a signal ends each of them.
  private func greet() throws {
    var request = [UInt8](repeating: 0, count: 1 << 16)
    guard unsafe read(device.number, &request, request.count) >= 40 else {
      throw KitError.system("read from /dev/fuse", code: errno)
    }
    let (major, minor, parallelLookups) = (UInt32(7), UInt32(31), UInt32(1) << 18)
    // The length, no error, the number of the request (8 bytes), and the versions and sizes of the protocol.
    var answer = Self.bytes([80, 0]) + request[8..<16]
    answer +=
      Self.bytes([major, minor, 1 << 16, parallelLookups, 0, 1 << 16, 1]) + [UInt8](repeating: 0, count: 36)
    guard unsafe write(device.number, answer, answer.count) == answer.count else {
      throw KitError.system("write to /dev/fuse", code: errno)
    }
  }

  /// Waits until somebody hangs in it. Throws if nobody does in time.
  package func waitForVisitor(within patience: Duration = .patience) throws {
    var poller = pollfd(fd: device.number, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&poller, 1, Int32(patience.components.seconds * 1_000)) == 1 else {
      throw KitError("nobody looks at \(path)")
    }
  }

  private static func bytes(_ numbers: [UInt32]) -> [UInt8] {
    numbers.flatMap { number in unsafe withUnsafeBytes(of: number) { unsafe Array($0) } }
  }

  deinit { _ = unsafe umount2(path, Int32(MNT_FORCE | MNT_DETACH)) }
}
