// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// The agent with a sound server and a bus and nothing to do; cmus beside it.
  func idle() throws -> [Figure] {
    let stage = try Stage.card(self)
    let connecting = try median { try Agent(on: stage).connecting.milliseconds }
    let ours = try Agent(on: stage)
    let (usage, footprint) = try watch(ours.child.processID, of: ours.child)
    var figures = [
      Figure(
        name: "threads", ours: Double(footprint.threads), unit: "", budget: .atMost(1), note: ours.name),
      Figure(
        name: "context switches", ours: usage.wakeupsPerSecond, unit: "/s", budget: .atMost(0),
        note: "of all threads in \(span)"),
      Figure(name: "processor", ours: usage.processor, unit: "ms/s", budget: .atMost(0)),
      Figure(
        name: "exec to bus name and sound server", ours: connecting, unit: "ms", budget: .atMost(10)),
      Figure(name: "resident memory", ours: footprint.resident, unit: "MB", budget: .atMost(13)),
      Figure(name: "anonymous memory", ours: footprint.anonymous, unit: "MB", budget: .atMost(3)),
    ]
    if let other = try? Cmus([], on: stage) { try add(other, to: &figures) }
    return figures
  }

  private func watch(_ process: Int32, of child: Child) throws -> (Usage, Footprint) {
    // What it does on the way to rest is not what it does at rest.
    _ = child.exit(until: .after(.seconds(4)))
    return (try Usage.watch([process], of: child, for: span)[0], Footprint(process))
  }

  private func add(_ other: Cmus, to figures: inout [Figure]) throws {
    let (usage, footprint) = try watch(try other.process, of: other.child)
    let values = [
      Double(footprint.threads), usage.wakeupsPerSecond, usage.processor, nil, footprint.resident,
      footprint.anonymous,
    ]
    for (index, value) in values.enumerated() {
      if let value { figures[index].others.append((Cmus.name, value)) }
    }
  }
}
