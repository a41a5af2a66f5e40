// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Collects the output of a process in an unnamed file in memory. Nothing has to read it meanwhile, and the process
/// is never blocked by a full pipe.
struct Log: ~Copyable, Sendable {
  let descriptor: FileDescriptor

  init(_ name: String) throws {
    descriptor = try FileDescriptor(unsafe memfd_create(name, clinux_memfd_cloexec), "memfd_create")
  }

  /// Appends a line to a file that several processes and threads may write to.
  static func append(_ line: String, to path: String) throws {
    let file = try FileDescriptor(unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644), path)
    var line = line
    let written = line.withUTF8 { unsafe write(file.number, $0.baseAddress, $0.count) }
    guard written >= 0 else { throw KitError.system("write \(path)", code: errno) }
  }

  /// The end of the output, at most `limit` bytes.
  func text(last limit: Int) -> String {
    var info = stat()
    // An array of capacity zero would be the shared empty array, and writing its count is reported by the thread
    // sanitizer.
    guard unsafe fstat(descriptor.number, &info) == 0, info.st_size > 0 else { return "" }
    let start = max(0, Int(info.st_size) - limit)
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(info.st_size) - start) { buffer, count in
      unsafe count = max(0, pread(descriptor.number, buffer.baseAddress, buffer.count, off_t(start)))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
