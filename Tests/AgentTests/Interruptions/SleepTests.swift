// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("The machine's sleep", .serialized, .longRealTime, .endsAnyway)
struct SleepTests {
  private static func stage(_ bus: PrivateBus, _ kind: CallStage.Kind = .pulseAudio) throws -> CallStage {
    try CallStage(try kind.start(["speakers"]), systemBus: bus)
  }

  @Test(
    "the machine waits until the music is silent, and stays silent when it woke up",
    arguments: CallStage.Kind.desktops)
  func sleeps(kind: CallStage.Kind) throws {
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus)
    let stage = try Self.stage(bus, kind)
    try logind.waitForRequests(1)
    #expect(logind.requests.last?.first == "sleep")
    #expect(logind.requests.last?.last == "delay")
    try stage.play()
    #expect(logind.isDelayed)
    logind.prepareForSleep(true)
    try logind.waitForRelease()
    // PipeWire lists it as corked a moment after it has said yes.
    try stage.server.control.wait(for: "silence") { stage.ownStream(in: $0)?.isCorked == true }
    try stage.ear.wait(forState: "paused", why: "sleep")
    try stage.hearsNothing()
    logind.prepareForSleep(false)
    try logind.waitForRequests(2)
    try stage.ear.wait(for: "wakeFromSleep")
    #expect(logind.isDelayed)
    try stage.hearsNothing()
    try stage.expect("paused", why: "sleep", interruptions: [])
    #expect(stage.ear.interruptions == ["began sleep wasPlaying", "ended sleep"])
    stage.agent.playerctl("play")
    try stage.hearsSound()
    try stage.stop()
    try bus.stop()
  }

  @Test("a logind that comes late, dies and comes back is found each time")
  func comesAndGoes() throws {
    let bus = try PrivateBus()
    let stage = try Self.stage(bus)
    do {
      let first = try PrivateLogind(on: bus)
      try first.waitForRequests(1)
      try stage.play()
      first.prepareForSleep(true)
      try stage.ear.wait(forState: "paused", why: "sleep")
      withExtendedLifetime(first) {}
    }
    // Nobody says any more that the machine woke up.
    try stage.ear.wait(forEndOf: "sleep")
    let second = try PrivateLogind(on: bus)
    try second.waitForRequests(1)
    #expect(second.isDelayed)
    stage.agent.playerctl("play")
    try stage.ear.wait(forState: "playing")
    second.prepareForSleep(true)
    try second.waitForRelease()
    try stage.ear.wait(forState: "paused", why: "sleep")
    try stage.stop()
    try bus.stop()
  }

  @Test("refused by logind, it pauses all the same, and says so in one line")
  func refused() throws {
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus, grants: false)
    let stage = try Self.stage(bus)
    try logind.waitForRequests(1)
    try stage.play()
    logind.prepareForSleep(true)
    try stage.ear.wait(forState: "paused", why: "sleep")
    logind.prepareForSleep(false)
    try logind.waitForRequests(2)
    try stage.ear.wait(for: "wakeFromSleep")
    try stage.agent.waitForLog("not today")
    #expect(
      stage.agent.agent.standardError.split(separator: "\n").filter { $0.contains("sleep is not") }.count == 1
    )
    try stage.stop()
    try bus.stop()
  }

  @Test("a sleep of which it hears only afterwards is over at once")
  func heardLate() throws {
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus, grants: false)
    let stage = try Self.stage(bus)
    try logind.waitForRequests(1)
    try stage.play()
    stage.agent.playerctl("pause")
    try stage.ear.wait(forState: "paused")
    stage.agent.agent.send(signal: SIGSTOP)
    logind.prepareForSleep(true)
    logind.prepareForSleep(false)
    stage.agent.agent.send(signal: SIGCONT)
    try logind.waitForRequests(2)
    stage.agent.playerctl("play")
    try stage.ear.wait(forState: "playing")
    try stage.hearsSound()
    try stage.stop()
    try bus.stop()
  }

  @Test("without a system bus, and with one that dies, the agent lives on and says so in one line")
  func noBus() throws {
    let stage = try CallStage(.pulseAudio)
    try stage.play()
    try stage.agent.waitForLog("sleep is not waited for")
    try stage.stop()
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus)
    let other = try Self.stage(bus)
    try logind.waitForRequests(1)
    try other.play()
    bus.send(signal: SIGKILL)
    try other.agent.waitForLog("the system bus is gone")
    // playerctl wants a system bus as well.
    try other.fermata("pause")
    try other.hearsNothing()
    try other.fermata("play")
    try other.hearsSound()
    try other.stop()
  }

  @Test("waiting for the machine to sleep costs nothing")
  func idle() throws {
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus)
    let agent = try AgentStage(PrivatePulse(sinks: ["speakers"]), systemBus: bus)
    try logind.waitForRequests(1)
    // A fresh route counts as fresh for two seconds; after that there is nothing to wait for.
    _ = agent.agent.exit(until: .after(.seconds(4)))
    let before = try agent.contextSwitches()
    _ = agent.agent.exit(until: .patient)
    #expect(try agent.contextSwitches() - before == 0)
    #expect(logind.isDelayed)
    try agent.stop()
    try bus.stop()
  }
}
