// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// A pool of a few threads, each used by one task at a time. Waiting for one blocks no thread, and the first task
/// that waits is served first. Any thread may call it.
final class Turn: Sendable {
  /// The suites that record sound. They spend most of their time waiting: two of them are well even beside tests that
  /// keep both processors of a machine busy, and five where those have ended.
  static let shared = {
    let turn = Turn(threads: 5, whileBusy: 2)
    turn.lookAtLoad(each: 2_000)
    return turn
  }()

  private struct Line {
    var free: [TestThread]
    var waiting: [Waiting] = []
    var load = MachineLoad()
  }

  private struct Waiting {
    let task: CheckedContinuation<TestThread, Never>
    let isLong: Bool
  }

  private let line: Mutex<Line>
  private let most: Int
  private let mostWhileBusy: Int

  /// A pool of this many threads, of which only `whileBusy` are used while the machine is busy.
  init(threads: Int, whileBusy: Int) {
    (most, mostWhileBusy) = (threads, whileBusy)
    line = Mutex(Line(free: (0..<threads).map { _ in TestThread() }))
  }

  /// Waits for a free thread and takes it. The caller has to `pass` it on. Who will use it for long comes first: otherwise the last of those would go on
  /// alone when all others are done.
  func take(isLong: Bool = false) async -> TestThread {
    await withCheckedContinuation { continuation in
      serve { $0.waiting.append(Waiting(task: continuation, isLong: isLong)) }
    }
  }

  /// Gives the thread back. The tasks that wait longest get it, and what else has become free.
  func pass(_ thread: TestThread) {
    serve { $0.free.append(thread) }
  }

  /// Serves who waits as soon as the machine is less busy, and not only when somebody comes or goes. Never ends. The time is in milliseconds.
  private func lookAtLoad(each time: Int32) {
    _ = OtherThread { [self] in
      while true {
        poll(nil, 0, time)
        serve { _ in }
      }
    }
  }

  private func serve(after change: (inout sending Line) -> Void) {
    let served = line.withLock { line in
      change(&line)
      var served: [(CheckedContinuation<TestThread, Never>, TestThread)] = []
      while !line.waiting.isEmpty, hasRoom(&line), let thread = line.free.popLast() {
        let first = line.waiting.firstIndex(where: \.isLong) ?? 0
        served.append((line.waiting.remove(at: first).task, thread))
      }
      return served
    }
    for (task, thread) in served { task.resume(returning: thread) }
  }

  private func hasRoom(_ line: inout Line) -> Bool {
    let used = most - line.free.count
    return used < mostWhileBusy || used < most && !line.load.isBusy()
  }
}

/// Whether the machine's processors have been busy lately.
private struct MachineLoad {
  /// For this long an answer is good. A shorter time tells nothing, because the system counts in hundredths of a second.
  private static let period = Duration.seconds(1)

  private var last: (time: ContinuousClock.Instant, idle: Double, all: Double)?
  private var answer = true

  /// Whether less than half of the processors' time was unused, from the last question to now. True until that is known.
  mutating func isBusy() -> Bool {
    let now = ContinuousClock.now
    if let last, now - last.time < Self.period { return answer }
    guard let (idle, all) = Self.times() else { return true }
    if let last, all > last.all { answer = (idle - last.idle) / (all - last.all) < 0.5 }
    last = (now, idle, all)
    return answer
  }

  /// The time that the processors were unused since the machine started, and all of their time, in hundredths of a second.
  private static func times() -> (idle: Double, all: Double)? {
    guard let file = unsafe fopen("/proc/stat", "re") else { return nil }
    defer { unsafe fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    guard unsafe fgets(&line, 512, file) != nil else { return nil }
    let fields = String(decoding: line.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).dropFirst().compactMap { Double($0) }
    guard fields.count >= 5 else { return nil }
    // The fourth and fifth: without anything to do, and waiting for a disk.
    return (fields[3] + fields[4], fields.prefix(8).reduce(0, +))
  }
}
