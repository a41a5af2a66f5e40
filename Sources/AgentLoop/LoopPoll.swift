// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The descriptors that the loop watches, and the poll that waits for them.
///
/// Any thread may call `wake`. All else belongs to the loop's thread.
@safe
final class LoopPoll {
  struct ID: Hashable, Sendable { let number: UInt64 }

  private struct Item {
    let id: ID
    let ready: (LoopWatch.Events) -> Void
  }

  /// The watches, in the order in which they were added. Those added first are served first.
  private var items: [Item] = []
  /// The argument of poll(2), which also writes its results there. The first is for waking up; the others belong to `items`, in their order.
  private var descriptors: [pollfd]
  private var lastNumber: UInt64 = 0
  /// The ready descriptors that the last poll found and that nobody has handled yet. They are taken from the end.
  private var found: [(id: ID, events: LoopWatch.Events)] = []
  private let wakeUp: Int32

  init() {
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    // Without this descriptor the program cannot run.
    precondition(wakeUp >= 0, "no main loop: errno \(errno)")
    descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
  }

  /// Makes the present poll return, or the next one if none is under way. Safe on any thread.
  func wake() {
    var one: UInt64 = 1
    // This fails only if the counter is full, and then the poll returns anyway.
    _ = unsafe write(wakeUp, &one, 8)
  }

  // MARK: Watches

  func add(
    _ descriptor: Int32, _ events: LoopWatch.Events, _ ready: @escaping (LoopWatch.Events) -> Void
  ) -> ID {
    lastNumber += 1
    let id = ID(number: lastNumber)
    items.append(Item(id: id, ready: ready))
    descriptors.append(pollfd(fd: descriptor, events: 0, revents: 0))
    descriptors[items.count].watch(events)
    return id
  }

  func set(_ events: LoopWatch.Events, of id: ID) {
    guard let index = index(of: id) else { return }
    descriptors[index + 1].watch(events)
  }

  func remove(_ id: ID) {
    guard let index = index(of: id) else { return }
    items.remove(at: index)
    descriptors.remove(at: index + 1)
    found.removeAll { $0.id == id }
  }

  private func index(of id: ID) -> Int? { items.firstIndex { $0.id == id } }

  // MARK: Waiting

  /// Waits until a descriptor is ready, until the time is over, or until somebody calls `wake`; nil waits for ever. Traps if the system
  /// refuses to wait, which means broken memory.
  func wait(_ time: Duration?) {
    let count = unsafe descriptors.withUnsafeMutableBufferPointer { descriptors in
      guard let time else {
        return unsafe ppoll(descriptors.baseAddress, nfds_t(descriptors.count), nil, nil)
      }
      var limit = timespec(time)
      return unsafe ppoll(descriptors.baseAddress, nfds_t(descriptors.count), &limit, nil)
    }
    precondition(count >= 0 || errno == EINTR, "the main loop failed: errno \(errno)")
    guard count > 0 else { return }
    if descriptors[0].revents != 0 { drain() }
    for (index, item) in items.enumerated().reversed() where descriptors[index + 1].revents != 0 {
      found.append((item.id, descriptors[index + 1].found))
    }
  }

  private func drain() {
    var count: UInt64 = 0
    _ = unsafe read(wakeUp, &count, 8)
  }

  /// Takes the next descriptor that the last poll found ready: its handler, and what it is ready for. Nil if all are handled. A watch that was
  /// removed or paused meanwhile is left out.
  func next() -> (ready: (LoopWatch.Events) -> Void, events: LoopWatch.Events)? {
    while let (id, events) = found.popLast() {
      if let index = index(of: id), descriptors[index + 1].fd >= 0 { return (items[index].ready, events) }
    }
    return nil
  }
}

extension pollfd {
  /// Sets the events that are waited for. If there are none, the descriptor is stored as its complement, because poll(2) skips negative ones.
  fileprivate mutating func watch(_ wanted: LoopWatch.Events) {
    let descriptor = fd < 0 ? ~fd : fd
    fd = wanted.isEmpty ? ~descriptor : descriptor
    events = Int16((wanted.contains(.readable) ? POLLIN : 0) | (wanted.contains(.writable) ? POLLOUT : 0))
  }

  fileprivate var found: LoopWatch.Events {
    var events: LoopWatch.Events = []
    let bits = Int32(revents)
    if bits & POLLIN != 0 { events.insert(.readable) }
    if bits & POLLOUT != 0 { events.insert(.writable) }
    if bits & POLLHUP != 0 { events.insert(.hangup) }
    if bits & (POLLERR | POLLNVAL) != 0 { events.insert(.error) }
    return events
  }
}

extension timespec {
  /// A length of time that is not negative, rounded up: waking too early would cost one more wake-up.
  fileprivate init(_ time: Duration) {
    let (seconds, attoseconds) = time.components
    self.init(tv_sec: Int(seconds), tv_nsec: Int((attoseconds + 999_999_999) / 1_000_000_000))
    if tv_nsec == 1_000_000_000 { (tv_sec, tv_nsec) = (tv_sec + 1, 0) }
  }
}
