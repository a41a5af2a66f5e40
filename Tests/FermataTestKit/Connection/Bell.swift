// SPDX-License-Identifier: MIT
import CPulse

/// Wakes waiting threads, so that they check their condition again. libpulse's callbacks ring it on the connection's
/// thread.
///
/// Callbacks refer to this object and never to the connection or to the owner of a stream. Otherwise a callback could
/// hold the last reference to one of those. It would then be released on the connection's own thread, and would wait
/// for the end of that same thread.
@safe final class Bell: @unchecked Sendable {
  // Touched only with the loop's lock held, by its thread or another: hence `@unchecked Sendable`.
  private let loop: OpaquePointer
  private(set) var events = 0
  /// How many of the events said that a playback stream has changed, by the stream's number.
  private(set) var streamChanges: [UInt32: Int] = [:]

  init(loop: OpaquePointer) { unsafe self.loop = loop }

  /// The bell that a callback's user data points to.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Bell? {
    unsafe pointer.map { unsafe Unmanaged<Bell>.fromOpaque($0).takeUnretainedValue() }
  }

  /// This bell as a callback's user data. It is not retained: clear the callback before releasing the bell.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  /// Wakes every waiting thread.
  func ring() { unsafe pa_threaded_mainloop_signal(loop, 0) }

  /// Counts an event from the server, and rings.
  func count(_ event: pa_subscription_event_type_t, _ index: UInt32) {
    events += 1
    let kinds = PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue | PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue
    let change = PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue | PA_SUBSCRIPTION_EVENT_CHANGE.rawValue
    if event.rawValue & kinds == change { streamChanges[index, default: 0] += 1 }
    ring()
  }
}
