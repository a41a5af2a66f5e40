// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// The most that the library may need until it is connected: so many times what C needs, and so much more.
  private static let (factor, start) = (1.5, 3.0)

  /// A program with the Swift library, beside one in C that does the same with libdbus: both know what plays, and hear of changes.
  func client() throws -> [Figure] {
    let stage = try Stage(self, PrivatePulse(sinks: ["speakers"]))
    guard program != nil else { return [.missing("client", "there is no program: --program")] }
    let agent = try Agent(on: stage)
    let (ours, bare) = (Self.beside("LibraryClient"), Self.beside("BareBusClient"))
    var times: (ours: [Double], bare: [Double]) = ([], [])
    for _ in 0..<runs * 3 {
      times.ours.append(try connect(ours, stage).time)
      times.bare.append(try connect(bare, stage).time)
    }
    let clients = (try connect(ours, stage).child, try connect(bare, stage).child)
    // By then the threads have ended that Swift started for the beginning.
    _ = clients.0.exit(until: .after(.seconds(12)))
    let footprints = (Footprint(clients.0.processID), Footprint(clients.1.processID))
    let usage = try Usage.watch([clients.0.processID], of: clients.0, for: span)[0]
    try agent.child.check()
    agent.child.stop(within: .seconds(10))
    let limit = Self.factor * times.bare.median + Self.start
    return [
      Figure(
        name: "exec to connected", ours: times.ours.median, unit: "ms", budget: .atMost(limit),
        others: [("C", times.bare.median)]),
      Figure(
        name: "resident memory", ours: footprints.0.resident, unit: "MB",
        others: [("C", footprints.1.resident)]),
      Figure(
        name: "anonymous memory", ours: footprints.0.anonymous, unit: "MB",
        others: [("C", footprints.1.anonymous)]),
      Figure(name: "threads", ours: Double(footprints.0.threads), unit: ""),
      Figure(
        name: "wakeups while nothing changes", ours: usage.wakeupsPerSecond, unit: "/s",
        note: "Swift's own pool of threads looks at itself each second, in any program with a task"),
    ]
  }

  /// Starts a client, and waits until it says that it is connected.
  private func connect(_ program: Program, _ stage: Stage) throws -> (child: Child, time: Double) {
    let begun = Monotonic.now
    let child = try Child(program, environment: stage.environment, isInteractive: true)
    _ = try child.nextLine(until: .after(.seconds(10)))
    return (child, (Monotonic.now - begun).milliseconds)
  }
}
