// SPDX-License-Identifier: MIT
import Glibc

/// The threads of a process as the system lists them.
enum Threads {
  /// The numbers of all threads of a process.
  static func of(_ process: Int32) throws -> [Int32] {
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

  /// What a thread is called; nil if it is gone.
  static func name(of thread: Int32, _ process: Int32) -> String? {
    let descriptor = unsafe open("/proc/\(process)/task/\(thread)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count - 1), as: UTF8.self) : nil
  }
}
