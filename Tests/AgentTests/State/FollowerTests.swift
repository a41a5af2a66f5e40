// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("Somebody who follows the status", .serialized, .realTime, .endsAnyway)
struct FollowerTests {
  private static let forms = [[], ["--json"], ["--format", "{state} {position}"], ["--interval", "0.1"]]

  /// Followers in every form, each of which has written its first line.
  private func followers(_ stage: AgentStage) throws -> [Child] {
    try Self.forms.map { form in
      let child = try Child(
        .beside("fermata"), ["status", "--follow"] + form, environment: stage.environment, isInteractive: true
      )
      _ = try child.nextLine(until: .patient)
      return child
    }
  }

  @Test("while nothing plays nobody is woken: neither the agent, with and without followers, nor a follower")
  func paused() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    // The place is stored once, and what is fresh is so for two seconds.
    _ = stage.agent.exit(until: .after(.seconds(4)))
    let alone = try stage.contextSwitches()
    _ = stage.agent.exit(until: .after(.seconds(4)))
    #expect(try stage.contextSwitches() == alone)
    let followers = try followers(stage)
    _ = stage.agent.exit(until: .after(.seconds(1)))
    let before = try [stage.contextSwitches()] + followers.map { try stage.contextSwitches(of: $0) }
    _ = stage.agent.exit(until: .after(.seconds(4)))
    let after = try [stage.contextSwitches()] + followers.map { try stage.contextSwitches(of: $0) }
    #expect(after == before)
    for follower in followers { follower.kill() }
    try stage.stop()
  }

  @Test("while music plays the positions are reckoned by the follower: the agent is not asked for them")
  func playing() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    let follower = try Child(
      .beside("fermata"), ["status", "--follow", "--format", "{position}", "--interval", "0.1"],
      environment: stage.environment, isInteractive: true)
    _ = try follower.nextLine(until: .patient)
    let calls = try Child(
      .named("busctl", package: "systemd"),
      [
        "--address=\(stage.bus.address)", "--json=short",
        "--match=type='method_call',interface='org.fermata.Player1'", "monitor",
      ], environment: stage.environment, isInteractive: true)
    // It does not say when it hears.
    let deadline = Deadline.patient
    repeat {
      _ = try stage.fermata("seek", "1")
    } while !deadline.hasPassed && !hears(calls, within: .milliseconds(200))
    // A seek is news, and the follower asks once for what has come of it.
    while hears(calls, within: .seconds(1)) {}
    for _ in 0..<30 { _ = try follower.nextLine(until: .patient) }
    #expect(!hears(calls, within: .milliseconds(200)))
    // Nor was it deaf: this is heard.
    _ = try stage.fermata("seek", "2")
    #expect(hears(calls, within: .patience))
    follower.kill()
    calls.kill()
    try stage.stop()
  }

  @Test(
    "a sleep timer, another category and a stop after the track are told at once, also while nothing plays")
  func plans() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    stage.playerctl("pause")
    try stage.waitForStatus("Paused")
    let follower = try Child(
      .beside("fermata"), ["status", "--follow", "--json"], environment: stage.environment,
      isInteractive: true)
    let events = try Child(
      .beside("fermata"), ["events"], environment: stage.environment, isInteractive: true)
    _ = try follower.nextLine(until: .patient)
    // It does not say when it hears.
    let deadline = Deadline.patient
    repeat {
      _ = try stage.fermata("volume", "-1%")
    } while !deadline.hasPassed && !hears(events, within: .milliseconds(200))
    let steps: [(words: [String], shows: (String) -> Bool, event: String)] = [
      (["sleep", "30m"], { $0.contains(#""sleep":1"#) }, "pauses in 30:00"),
      (["sleep", "45m"], { $0.contains(#""sleep":2"#) }, "pauses in 45:00"),
      (["sleep", "off"], { !$0.contains(#""sleep""#) }, "no sleep timer is set"),
      (
        ["settings", "set", "category", "ambient"], { $0.contains(#""category":"ambient""#) },
        "category ambient"
      ),
      (["play"], { $0.contains(#""state":"playing""#) }, "playing"),
      (
        ["stop", "--after-current"], { $0.contains(#""stopsAfterCurrent":true"#) }, "stops after this track"
      ),
    ]
    for (words, shows, event) in steps {
      _ = try stage.fermata(words)
      let deadline = Deadline.patient
      while !shows(try follower.nextLine(until: deadline)) {}
      while !(try events.nextLine(until: deadline)).hasSuffix(event) {}
    }
    follower.kill()
    events.kill()
    try stage.stop()
  }

  private func hears(_ calls: Child, within patience: Duration) -> Bool {
    (try? calls.nextLine(until: .after(patience))) != nil
  }
}
