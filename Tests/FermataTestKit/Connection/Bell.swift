// SPDX-License-Identifier: MIT
import CPulse

/// What libpulse's callbacks ring, on the connection's thread, to have waiting threads look again.
///
/// Callbacks hold this and never the connection or a stream's owner: a callback that happened to hold the last
/// reference to one of those would end it on the very thread whose end it waits for.
@safe final class Bell: @unchecked Sendable {
  // Touched only with the loop's lock held, by its thread or another: hence `@unchecked Sendable`.
  private let loop: OpaquePointer
  private(set) var events = 0

  init(loop: OpaquePointer) { unsafe self.loop = loop }

  /// The bell behind a callback's user data.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Bell? {
    unsafe pointer.map { unsafe Unmanaged<Bell>.fromOpaque($0).takeUnretainedValue() }
  }

  /// This bell as a callback's user data; whoever gives it away clears the callback before letting go.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Wakes every waiting thread.
  func ring() { unsafe pa_threaded_mainloop_signal(loop, 0) }

  /// Counts an event of the server's, and rings.
  func countEvent() {
    events += 1
    ring()
  }
}
