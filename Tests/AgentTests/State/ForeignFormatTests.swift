// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

@Suite(
  "What FFmpeg decodes, in the agent", .serialized, .realTime, .enabled(if: Program.haveFFmpeg),
  .endsAnyway)
struct ForeignFormatTests {
  private func encode(_ stage: AgentStage, _ name: String, _ options: String...) throws -> String {
    let (tone, song) = (try stage.makeTone("tone-of-\(name).wav"), stage.folder.path(name))
    try Child.run(
      .named("ffmpeg", package: "ffmpeg"),
      ["-v", "error", "-nostdin", "-y", "-i", tone] + options + [song])
    return song
  }

  @Test("a folder of M4A plays with its tags, and the agent itself has nothing of FFmpeg")
  func plays() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.folder.makeFolder("m")
    _ = try encode(
      stage, "m/a.m4a", "-c:a", "aac", "-metadata", "title=A Title", "-metadata", "album_artist=Them")
    try stage.play(stage.folder.path("m"))
    try stage.wait(for: "A Title", from: "metadata", "xesam:title")
    try stage.wait(for: "60000000", from: "metadata", "mpris:length")
    let maps = try contents(ofProc: "/proc/\(stage.agent.processID)/maps")
    #expect(!maps.contains("libav") && !maps.contains("libfermata"), "\(maps)")
    try stage.stop()
  }

  @Test("a decoder that dies in the middle ends its track early, with the reason, and the next one plays")
  func dies() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let songs = [try encode(stage, "a.m4a", "-c:a", "alac"), try encode(stage, "b.m4a", "-c:a", "alac")]
    #expect(
      try Child(.beside("fermata"), ["play"] + songs, environment: stage.environment).exit(until: .patient)
        == .exited(0))
    try stage.waitForStatus("Playing")
    try stage.wait(for: "a", from: "metadata", "xesam:title")
    let ear = try EventEar(stage.environment)
    for process in try decoders(of: stage) { #expect(kill(process, SIGKILL) == 0) }
    try stage.waitForLog("ends early: could not be decoded: signal 9 ended the decoder")
    let told = try ear.wait(for: #""event":"endedEarly""#, "signal 9 ended the decoder", #""position":"#)
    #expect(told.contains("a.m4a"))
    try stage.wait(for: "b", from: "metadata", "xesam:title")
    #expect(stage.playerctl("status") == "Playing")
    try stage.stop()
  }

  /// The processes that decode for the agent.
  private func decoders(of stage: AgentStage) throws -> [Int32] {
    let script =
      "for p in /proc/[0-9]*; do awk -v of=$0 '$4 == of { print $1 }' $p/stat; done 2>/dev/null; true"
    let children = try Child.run(.named("sh", package: "dash"), ["-c", script, "\(stage.agent.processID)"])
    let found = try children.split(separator: "\n").compactMap { child in
      try contents(ofProc: "/proc/\(child)/cmdline").utf8.starts(with: "fermata-reader\0decode".utf8)
        ? Int32(child) : nil
    }
    #expect(!found.isEmpty, "nothing decodes for the agent: \(children)")
    return found
  }

  private func contents(ofProc path: String) throws -> String {
    try Child.run(.named("cat", package: "coreutils"), [path])
  }
}
