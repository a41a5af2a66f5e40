// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("How what plays is coded", .serialized, .realTime, .endsAnyway)
struct CodingTests {
  private let stage: AgentStage

  init() throws { stage = try AgentStage(try PrivatePulse(sinks: ["speakers"])) }

  private func fermata(_ words: String...) throws -> String {
    try Child.run(.beside("fermata"), words, environment: stage.environment)
  }

  /// Follows the status until a line says this.
  private func wait(for coding: String) throws {
    let line = "\(coding)\n"
    let deadline = Deadline.patient
    var told = ""
    repeat {
      told = try fermata("status", "--format", "{coding|nothing}")
    } while told != line && !deadline.hasPassed
    #expect(told == line)
  }

  @Test("a queue of several formats tells of each as it is opened, and of none while none is open")
  func formats() throws {
    let tone = try stage.makeTone()
    let folder = stage.folder
    try Child.run(.named("flac", package: "flac"), ["-s", "-o", folder.path("b.flac"), tone])
    try Child.run(.named("lame", package: "lame"), ["--quiet", "-b", "320", tone, folder.path("c.mp3")])
    try Child.run(.named("oggenc", package: "vorbis-tools"), ["-Q", "-o", folder.path("d.ogg"), tone])
    try Child.run(.named("opusenc", package: "opus-tools"), ["--quiet", tone, folder.path("e.opus")])
    let files = [tone] + ["b.flac", "c.mp3", "d.ogg", "e.opus"].map(folder.path)
    for file in files { _ = try fermata("add", file) }
    try wait(for: "nothing")
    _ = try fermata("play")
    try wait(for: "WAV · 44.1 kHz · stereo · 16 bit")
    _ = try fermata("next")
    try wait(for: "FLAC · 44.1 kHz · stereo · 16 bit")
    _ = try fermata("next")
    try wait(for: "MP3 · 44.1 kHz · stereo · 320 kb/s")
    #expect(
      try fermata("status", "--json").contains(
        #""coding":{"codec":"MP3","sampleRate":44100,"channels":2,"bitRate":320000}"#))
    #expect(try !fermata("status").contains("MP3"), "what people read without asking for it stays as it is")
    for codec in ["Vorbis", "Opus"] {
      _ = try fermata("next")
      let deadline = Deadline.patient
      var told = ""
      repeat {
        told = try fermata("status", "--format", "{codec} {bitRate}")
      } while !told.hasPrefix(codec)
        && !deadline.hasPassed
      let rate = told.split(separator: " ").last.flatMap { Int($0.filter(\.isNumber)) } ?? 0
      #expect(told.hasPrefix(codec) && rate > 10_000 && rate < 400_000, "\(told)")
    }
    try stage.stop()
  }
}
