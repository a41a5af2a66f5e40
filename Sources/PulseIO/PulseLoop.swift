// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse
import Glibc

/// The agent's loop as libpulse sees it: a table of functions with which libpulse watches descriptors, sets timers, and defers what it
/// will do before the loop waits.
///
/// libpulse knows each of these as a pointer. Such a pointer owns one of the objects below, until libpulse frees it.
@AgentLoop @safe
enum PulseLoop {
  /// The table, for `pa_context_new`. It lasts as long as the process.
  static let api: UnsafeMutablePointer<pa_mainloop_api> = {
    let table = UnsafeMutablePointer<pa_mainloop_api>.allocate(capacity: 1)
    unsafe table.initialize(to: functions)
    return unsafe table
  }()

  private static var functions: pa_mainloop_api {
    unsafe pa_mainloop_api(
      userdata: nil,
      io_new: { _, descriptor, events, callback, data in
        unsafe AgentLoop.assume((callback, data)) { (callback, data) in
          unsafe DescriptorEvent(descriptor, events, callback, data).pointer
        }
      },
      io_enable: { event, events in
        unsafe AgentLoop.assume(event) { unsafe DescriptorEvent.from($0).watch?.events = .init(events) }
      },
      io_free: { event in unsafe AgentLoop.assume(event) { unsafe DescriptorEvent.from($0).free() } },
      io_set_destroy: { event, callback in
        unsafe AgentLoop.assume((event, callback)) { unsafe DescriptorEvent.from($0.0).destroyed = $0.1 }
      },
      time_new: { _, time, callback, data in
        unsafe AgentLoop.assume((time, callback, data)) { (time, callback, data) in
          unsafe TimeEvent(time, callback, data).pointer
        }
      },
      time_restart: { event, time in
        unsafe AgentLoop.assume((event, time)) { unsafe TimeEvent.from($0.0).start($0.1) }
      },
      time_free: { event in unsafe AgentLoop.assume(event) { unsafe TimeEvent.from($0).free() } },
      time_set_destroy: { event, callback in
        unsafe AgentLoop.assume((event, callback)) { unsafe TimeEvent.from($0.0).destroyed = $0.1 }
      },
      defer_new: { _, callback, data in
        unsafe AgentLoop.assume((callback, data)) { unsafe DeferredEvent($0.0, $0.1).pointer }
      },
      defer_enable: { event, isEnabled in
        unsafe AgentLoop.assume(event) { unsafe DeferredEvent.from($0).deferral?.isEnabled = isEnabled != 0 }
      },
      defer_free: { event in unsafe AgentLoop.assume(event) { unsafe DeferredEvent.from($0).free() } },
      defer_set_destroy: { event, callback in
        unsafe AgentLoop.assume((event, callback)) { unsafe DeferredEvent.from($0.0).destroyed = $0.1 }
      },
      // The loop belongs to the agent; a library does not end it.
      quit: { _, _ in })
  }
}

/// A watch, timer or deferral that libpulse made on the loop, and that libpulse frees.
@AgentLoop
private protocol PulseEvent: AnyObject {
  /// Stops waiting for what the event reports.
  func end()
  /// Tells libpulse that the event is gone, if it wants to know.
  func tellDestroyed()
}

extension PulseEvent {
  /// The pointer by which libpulse knows this event, which owns it until `free`.
  fileprivate var pointer: OpaquePointer { unsafe OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

  fileprivate static func from(_ pointer: OpaquePointer?) -> Self {
    guard let pointer = unsafe pointer else { preconditionFailure("libpulse names no event") }
    return unsafe Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
  }

  /// Ends the event and releases it. libpulse may call this from within the event's own callback.
  fileprivate func free() {
    end()
    tellDestroyed()
    unsafe Unmanaged.passUnretained(self).release()
  }
}

@AgentLoop @safe
private final class DescriptorEvent: PulseEvent {
  var watch: LoopWatch?
  var destroyed: pa_io_event_destroy_cb_t?
  private let data: UnsafeMutableRawPointer?

  init(
    _ descriptor: Int32, _ events: pa_io_event_flags_t, _ callback: pa_io_event_cb_t?,
    _ data: UnsafeMutableRawPointer?
  ) {
    unsafe self.data = data
    watch = LoopWatch(descriptor: descriptor, events: .init(events)) { [unowned self] ready in
      unsafe callback?(PulseLoop.api, self.name, descriptor, pa_io_event_flags_t(ready), data)
    }
  }

  private var name: OpaquePointer { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  func end() { watch?.end() }
  func tellDestroyed() { unsafe destroyed?(PulseLoop.api, name, data) }
}

@AgentLoop @safe
private final class TimeEvent: PulseEvent {
  var destroyed: pa_time_event_destroy_cb_t?
  private var timer: LoopTimer?
  private let callback: pa_time_event_cb_t?
  private let data: UnsafeMutableRawPointer?

  init(
    _ time: UnsafePointer<timeval>?, _ callback: pa_time_event_cb_t?, _ data: UnsafeMutableRawPointer?
  ) {
    unsafe self.callback = callback
    unsafe self.data = data
    unsafe start(time)
  }

  private var name: OpaquePointer { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Sets the time at which libpulse is called, once; nil for never. It is a time of day: libpulse uses its monotonic times only with its own loop.
  func start(_ time: UnsafePointer<timeval>?) {
    timer?.cancel()
    timer = nil
    guard let time = unsafe time?.pointee else { return }
    var now = timeval()
    unsafe gettimeofday(&now, nil)
    let wait = Duration.seconds(time.tv_sec - now.tv_sec) + .microseconds(time.tv_usec - now.tv_usec)
    timer = AgentLoop.after(max(.zero, wait)) { [unowned self] in
      self.timer = nil
      var time = time
      unsafe self.callback?(PulseLoop.api, self.name, &time, self.data)
    }
  }

  func end() { timer?.cancel() }
  func tellDestroyed() { unsafe destroyed?(PulseLoop.api, name, data) }
}

@AgentLoop @safe
private final class DeferredEvent: PulseEvent {
  var deferral: LoopDeferral?
  var destroyed: pa_defer_event_destroy_cb_t?
  private let data: UnsafeMutableRawPointer?

  /// A deferral for libpulse. It is enabled at once, because libpulse assumes that.
  init(_ callback: pa_defer_event_cb_t?, _ data: UnsafeMutableRawPointer?) {
    unsafe self.data = data
    deferral = LoopDeferral { [unowned self] in unsafe callback?(PulseLoop.api, self.name, data) }
    deferral?.isEnabled = true
  }

  private var name: OpaquePointer { unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }

  func end() { deferral?.end() }
  func tellDestroyed() { unsafe destroyed?(PulseLoop.api, name, data) }
}

extension LoopWatch.Events {
  /// The loop's events for libpulse's flags. A hangup is always reported, whatever libpulse asked for, because libpulse's own loop does the same.
  fileprivate init(_ flags: pa_io_event_flags_t) {
    self = .hangup
    if flags.contains(.PA_IO_EVENT_INPUT) { insert(.readable) }
    if flags.contains(.PA_IO_EVENT_OUTPUT) { insert(.writable) }
  }
}

extension pa_io_event_flags_t {
  fileprivate init(_ events: LoopWatch.Events) {
    self = []
    if events.contains(.readable) { insert(.PA_IO_EVENT_INPUT) }
    if events.contains(.writable) { insert(.PA_IO_EVENT_OUTPUT) }
    if events.contains(.hangup) { insert(.PA_IO_EVENT_HANGUP) }
    if events.contains(.error) { insert(.PA_IO_EVENT_ERROR) }
  }
}
