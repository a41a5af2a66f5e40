// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite("A system that refuses to watch any more folders", .realTime, .endsAnyway)
struct WatchLimitTests {
  private static let file = ".config/fermata/fermata.conf"

  /// Starts an agent in a user namespace that allows no inotify queue until somebody writes a line to the FIFO.
  private static let script = """
    echo 0 >/proc/sys/user/max_inotify_instances || exit 77
    (read -r _ <"$0"; echo 50 >/proc/sys/user/max_inotify_instances) &
    exec "$@"
    """

  @Test("the agent says so, and follows the settings from when it allows it again")
  func limit() throws {
    let folder = try TemporaryDirectory()
    let (server, bus) = (try PrivatePulse(), try PrivateBus())
    let gate = folder.path("gate")
    #expect(mkfifo(gate, 0o600) == 0)
    try folder.makeFolder(".config/fermata")
    let agent = try Child(
      .named("unshare", package: "util-linux"),
      [
        "--map-current-user", "--keep-caps", "sh", "-c", Self.script, gate, Program.beside("fermata").path,
        "agent",
      ],
      environment: AgentStage.environment(server, bus, folder))
    guard try says("changes of the settings are not noticed: no more folders can be watched", agent) else {
      try skipTest(because: "this machine allows no user namespace: \(agent.standardError)")
    }
    // By then it has read its settings. Else it might find the new ones by itself.
    #expect(try says("on the bus as", agent))
    try folder.write(Self.file, "repeat = all\n")
    try folder.write("gate", "go\n")
    #expect(try says("settings: taken from", agent))
    #expect(agent.stop(within: .patience) == .exited(0))
    try server.stop()
    try bus.stop()
  }

  /// Waits until the agent's log has these words. False if the agent ends before.
  private func says(_ words: String, _ agent: Child) throws -> Bool {
    let deadline = Deadline.patient
    while !agent.standardError.contains(words) {
      if agent.exit() != nil { return false }
      if deadline.hasPassed { throw KitError("nothing of '\(words)' in the log:\n\(agent.standardError)") }
    }
    return true
  }
}
