// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

// What the unit forbids is forbidden by the kernel: only there it shows whether something needs it.
@Suite(
  "In a session that systemd runs", .serialized, .realTime, .endsAnyway,
  .enabled(if: ServiceManagerStage.isPossible, "it takes systemd, and its superuser's rights"))
struct ServiceManagerTests {
  private func makeMusic(_ stage: ServiceManagerStage) throws -> [String] {
    let format = AudioFormat(rate: 44_100, channels: 2)
    let tone = WAVFile.bytes(Tone.sine(frames: 20 * 44_100, format), format)
    let wav = try stage.home.write("Music/one.wav", tone)
    let files = ["mp3", "flac", "ogg", "opus"].map { stage.home.path("Music/one.\($0)") }
    try Tool.run("lame", "--quiet", "-b", "64", "--tt", "One", wav, files[0])
    try Tool.run("flac", "-s", wav, "-o", files[1])
    try Tool.run("oggenc", "-Q", wav, "-o", files[2])
    try Tool.run("opusenc", "--quiet", wav, files[3])
    return [wav] + files
  }

  @Test("the first command starts the service, which is forbidden nothing that it needs")
  func plays() throws {
    let stage = try ServiceManagerStage(PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    try stage.expect("inactive", from: ServiceManagerStage.show("ActiveState"))
    try stage.expect("stopped", from: "fermata status --format '{state}'")
    // The command may be done before systemd has read that the service is ready.
    try stage.wait(for: "active", from: ServiceManagerStage.show("ActiveState"))
    var heard = 0
    for file in try makeMusic(stage) {
      try stage.expect("", from: "fermata play \(file)")
      heard = try recorder.waitForSound(from: heard)
      try stage.wait(for: "playing", from: "fermata status --format '{state}'")
      try stage.expect("", from: "fermata stop")
      heard = try recorder.waitForSilence(lasting: .milliseconds(50), from: heard)
    }
    try stage.expect("Saved as playlist 'evening'", from: "fermata playlist save evening")
    try stage.expect("album", from: "fermata settings set loudness album; fermata settings get loudness")
    try stage.expect("stopped", from: ServiceManagerStage.show("StatusText"))
    try stage.expect("0", from: ServiceManagerStage.show("NRestarts"))
    try stage.stop()
  }

  @Test("killed, it is started again, paused where it was; stopped, it ends in order")
  func restarts() throws {
    let stage = try ServiceManagerStage(PrivatePulse(sinks: ["speakers"]))
    let file = try makeMusic(stage)[0]
    try stage.expect("", from: "fermata play \(file)")
    try stage.wait(for: "playing", from: ServiceManagerStage.show("StatusText"))
    let process = try stage.run(ServiceManagerStage.show("MainPID"))
    try stage.run("kill -9 \(process)")
    try stage.wait(for: "1", from: ServiceManagerStage.show("NRestarts"))
    try stage.wait(for: "paused restored", from: "fermata status --format '{state} {why}'")
    #expect(try stage.run(ServiceManagerStage.show("MainPID")) != process)
    try stage.run("systemctl --user stop fermata")
    try stage.expect("inactive", from: ServiceManagerStage.show("ActiveState"))
    try stage.expect("success", from: ServiceManagerStage.show("Result"))
    try stage.stop()
  }

  private static let isAgentThere = """
    dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
    string:org.fermata.Agent | grep -o true
    """

  @Test(
    "beside another agent the service ends at once, so that the next command can start it when that one is gone"
  )
  func second() throws {
    let stage = try ServiceManagerStage(PrivatePulse(sinks: ["speakers"]))
    try stage.run("fermata agent --guard-only >/dev/null 2>&1 &")
    try stage.wait(for: "true", from: Self.isAgentThere)
    try stage.expect("", from: "systemctl --user start fermata")
    try stage.wait(
      for: "inactive success",
      from: "\(ServiceManagerStage.show("ActiveState")); \(ServiceManagerStage.show("Result"))")
    try stage.expect("", from: "fermata quit")
    try stage.wait(for: "stopped", from: "fermata status --format '{state}'")
    try stage.wait(for: "active", from: ServiceManagerStage.show("ActiveState"))
    try stage.stop()
  }

  @Test("behind what the unit forbids the reader of tags still puts up its own fence, every part of it")
  func fence() throws {
    let stage = try ServiceManagerStage(PrivatePulse(sinks: ["speakers"]))
    let units = "$HOME/.local/share/systemd/user"
    // The same unit, in which the doctor looks once instead of the agent's playing for ever.
    let edits = [
      "s/fermata-agent agent/fermata-agent doctor/", "s/^Type=.*/Type=oneshot/", "/^BusName/d", "/^Restart/d",
      "s|^TimeoutStopSec.*|StandardOutput=file:$HOME/said|",
    ]
    try stage.run("sed \"\(edits.joined(separator: "; "))\" \(units)/fermata.service >\(units)/look.service")
    try stage.run("systemctl --user daemon-reload; systemctl --user start look")
    let said = try stage.run("cat $HOME/said")
    #expect(said.contains("read in a process of its own, behind limits, privacy"), "\(said)")
    #expect(said.contains("few system calls (seccomp)"))
    #expect(!said.contains("not there: "))
    try stage.stop()
  }
}
