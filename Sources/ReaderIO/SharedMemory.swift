// SPDX-License-Identifier: MIT
internal import CLinux
internal import Glibc

/// Memory that is shared with another process. Owns the mapping. The other process may write to it at any time, so bytes that are read here may be
/// anything. Used by one thread at a time.
@safe
package final class SharedMemory {
  private let base: UnsafeMutableRawPointer
  private let size: Int

  /// New shared memory, and a descriptor for it, which the caller owns. The memory can't be made smaller, because a process that reads beyond its end
  /// is killed.
  static func make(_ size: Int) throws(PacketSocket.Failure) -> (memory: SharedMemory, descriptor: Int32) {
    let descriptor = unsafe memfd_create("sound", clinux_memfd_cloexec | clinux_memfd_sealing)
    guard descriptor >= 0 else { throw .system(errno) }
    guard ftruncate(descriptor, size) == 0, fcntl(descriptor, clinux_add_seals, clinux_seal_size) == 0,
      let memory = SharedMemory(descriptor, size)
    else {
      let code = errno
      close(descriptor)
      throw .system(code)
    }
    return (memory, descriptor)
  }

  /// The memory of a descriptor, which stays open; nil if it can't be mapped.
  package init?(_ descriptor: Int32, _ size: Int) {
    let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    unsafe self.base = unsafe base
    self.size = size
  }

  deinit { unsafe munmap(base, size) }

  /// Calls `body` with a part of the memory, which is valid during the call only.
  package func with<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= size, "a part outside of the shared memory")
    return try unsafe body(UnsafeMutableRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}
