// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("With its session", .serialized, .realTime, .endsAnyway)
struct SessionTests {
  @Test("it ends in order when the bus is gone for good, and the next session has its queue")
  func over() throws {
    let bus = try PrivateBus()
    let folder = try TemporaryDirectory()
    let home = ["HOME": folder.path, "XDG_STATE_HOME": folder.path("state")]
    let agent = try Child(
      .beside("fermata"), ["agent"], environment: bus.environment.merging(home) { $1 })
    try agent.waitForError("on the bus as ")
    try bus.stop()
    #expect(agent.exit(until: .patient) == .exited(0))
    #expect(agent.standardError.contains("the session is over"))
    let next = try PrivateBus()
    let heir = try Child(
      .beside("fermata"), ["agent"], environment: next.environment.merging(home) { $1 })
    try heir.waitForError("on the bus as ")
    #expect(heir.stop(within: .patience) == .exited(0))
    try next.stop()
  }

  @Test("a bus that is started anew at its old place finds the agent again")
  func restarted() throws {
    let folder = try TemporaryDirectory()
    let address = "unix:path=\(folder.path("bus"))"
    let environment = ["HOME": folder.path, "DBUS_SESSION_BUS_ADDRESS": address]
    let daemon = try Program.named("dbus-daemon", package: "dbus-daemon")
    let words = ["--session", "--address=\(address)", "--nofork", "--nopidfile", "--nosyslog"]
    let first = try Child(daemon, words, environment: environment)
    let agent = try Child(.beside("fermata"), ["agent"], environment: environment)
    try agent.waitForError("on the bus as ")
    first.kill()
    try agent.waitForError("no bus (")
    let second = try Child(daemon, words, environment: environment)
    let deadline = Deadline.patient
    while agent.standardError.components(of: "on the bus as ") < 2 {
      if agent.exit(until: .after(.milliseconds(5))) != nil || deadline.hasPassed {
        throw KitError("it did not come back:\n\(agent.standardError)")
      }
    }
    #expect(agent.exit(until: .after(.seconds(5))) == nil, "the watch was called off")
    #expect(agent.stop(within: .patience) == .exited(0))
    second.stop()
  }
}

extension String {
  /// How often the words stand in it.
  fileprivate func components(of words: String) -> Int {
    indices.count { self[$0...].hasPrefix(words) }
  }
}
