// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// What a process used in a span.
struct Usage {
  /// How often one of its threads went to sleep and was woken.
  var wakeupsPerSecond = 0.0
  /// Thousandths of a second of processor time, a second.
  var processor = 0.0

  private struct Reading {
    var time: Duration
    var switches: Int
    var nanoseconds: Int

    init(_ process: Int32) {
      time = Monotonic.now
      switches = 0
      nanoseconds = 0
      for thread in ProcessTable.numbers(in: "/proc/\(process)/task") {
        let folder = "/proc/\(process)/task/\(thread)"
        switches += ProcessTable.number("voluntary_ctxt_switches", in: ProcessTable.text("\(folder)/status"))
        let spent = ProcessTable.text("\(folder)/schedstat").split(separator: " ").first
        nanoseconds += spent.flatMap { Int($0) } ?? 0
      }
    }
  }

  /// Watches processes for a span, while `child` lives; throws when it does not.
  static func watch(_ processes: [Int32], of child: Child, for span: Duration) throws -> [Usage] {
    let before = processes.map { Reading($0) }
    _ = child.exit(until: .after(span))
    try child.check()
    return zip(before, processes).map { before, process in
      let after = Reading(process)
      let seconds = (after.time - before.time).seconds
      return Usage(
        wakeupsPerSecond: Double(after.switches - before.switches) / seconds,
        processor: Double(after.nanoseconds - before.nanoseconds) / 1e6 / seconds)
    }
  }
}

/// What a process holds now.
struct Footprint {
  /// Its threads.
  let threads: Int
  /// All of its memory that is in the machine's, shared or not, in megabytes.
  let resident: Double
  /// That of it which no file stands behind, in megabytes.
  let anonymous: Double

  init(_ process: Int32) {
    threads = ProcessTable.numbers(in: "/proc/\(process)/task").count
    let text = ProcessTable.text("/proc/\(process)/smaps_rollup")
    resident = Double(ProcessTable.number("Rss", in: text)) / 1024
    anonymous = Double(ProcessTable.number("Anonymous", in: text)) / 1024
  }
}
