// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// One thread of another process, held still while the others go on: to them it hangs in a system call that does not return.
///
/// The process has to be a child of this one. To be made, released and let go of on one and the same thread.
package final class HeldThread {
  private let thread: Int32
  private var isHeld = true

  /// Holds the first thread with this name. Throws when there is none, or the system does not allow it.
  package init(named name: String, of process: Int32) throws {
    guard let thread = try Self.threads(of: process).first(where: { Self.name(of: $0, process) == name })
    else {
      throw KitError("process \(process) has no thread called \(name)")
    }
    self.thread = thread
    guard clinux_seize_thread(thread) == 0, clinux_interrupt_thread(thread) == 0 else {
      throw KitError("thread \(thread) cannot be held: errno \(errno)")
    }
    var status: Int32 = 0
    while unsafe waitpid(thread, &status, clinux_wait_all) < 0 && errno == EINTR {}
  }

  deinit { release() }

  /// Lets it go on where it was.
  package func release() {
    if isHeld { clinux_release_thread(thread) }
    isHeld = false
  }

  private static func threads(of process: Int32) throws -> [Int32] {
    guard let folder = unsafe opendir("/proc/\(process)/task") else {
      throw KitError("process \(process) is gone")
    }
    defer { unsafe closedir(folder) }
    var threads: [Int32] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if let number = Int32(name) { threads.append(number) }
    }
    return threads
  }

  private static func name(of thread: Int32, _ process: Int32) -> String? {
    let descriptor = unsafe open("/proc/\(process)/task/\(thread)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count - 1), as: UTF8.self) : nil
  }
}
