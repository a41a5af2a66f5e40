// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Holds threads up until the test opens it; once open, it stays so. Any thread may call it.
package final class Gate: Sendable {
  /// Readable as soon as the gate is open.
  private let signal: FileDescriptor

  /// A closed gate.
  package init() throws { signal = try FileDescriptor(eventfd(0, Int32(EFD_CLOEXEC)), "eventfd") }

  /// Lets everyone through who waits, and who comes later.
  package func open() { eventfd_write(signal.number, 1) }

  /// Waits until it is open, or until a test's patience is over. Blocks.
  package func pass() { _ = signal.waitReadable(until: .patient) }
}
