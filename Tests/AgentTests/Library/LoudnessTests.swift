// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel
import PlaybackLogic
import Testing

/// A sine of 1 kHz in both channels is as loud, in LUFS, as its peak is below full scale: so 0.5 is -6 LUFS, and -18 is an eighth.
@Suite("Loudness that the library measures", .serialized, .realTime, .endsAnyway)
struct LoudnessTests {
  private static let format = AudioFormat(rate: 44_100, channels: 2)
  private static let reference: Float = 0.1259

  /// Writes a tone of some seconds into the folder of music.
  private func write(
    _ name: String, _ library: LibraryStage, seconds: Int = 3, amplitude: Double = 0.5,
    tags: KeyValuePairs<String, String>
  ) throws {
    try library.folder.makeFolder(LibraryStage.music)
    let samples = Tone.sine(frames: seconds * Self.format.rate, Self.format, amplitude: amplitude)
    let flags = tags.map { "--tag=\($0)=\($1)" }
    _ = try ToneFile.flac(
      "\(LibraryStage.music)/\(name)", samples, Self.format, flags: flags, in: library.folder)
  }

  /// Writes files that take a while to be measured.
  private func writeLong(_ count: Int, _ library: LibraryStage) throws {
    try library.folder.makeFolder(LibraryStage.music)
    let format = AudioFormat(rate: 8_000, channels: 1)
    let bytes = WAVFile.bytes(Tone.sine(440, frames: 60 * 8_000, format), format)
    for number in 0..<count { _ = try library.folder.write("\(LibraryStage.music)/\(number).wav", bytes) }
  }

  private func analyze(
    _ library: LibraryStage, _ expression: String = "", again: Bool = false
  ) async throws -> Job {
    try await library.untilOver(try await library.job(.analyze(expression, again: again)))
  }

  /// How loud a file is heard on the sound card: the highest sample of half a second of it.
  private func heard(_ name: String, _ library: LibraryStage) async throws -> Float {
    let recorder = try library.stage.server.record("speakers")
    let source = try MediaSource("file://\(library.path(name).text)")
    try await library.caller.call(AgentCall.play([source], PlayOptions()))
    let start = try recorder.waitForSound()
    let samples = try recorder.wait(forFrames: start + 22_050).channel(0)[(start + 2_000)...]
    try await library.caller.call(AgentCall(.stop))
    return samples.map(abs).max() ?? 0
  }

  @Test("what plays is as loud as was measured, and as its tags say where they say anything")
  func playing() async throws {
    let library = try await LibraryStage()
    try write("loud.flac", library, tags: ["TITLE": "Loud"])
    try write("tagged.flac", library, tags: ["TITLE": "Tagged", "REPLAYGAIN_TRACK_GAIN": "-6.02 dB"])
    #expect(try await library.add().state == .done)
    #expect(try await library.status().unmeasured == 1)
    #expect(abs(try await heard("loud.flac", library) - 0.5) < 0.01)

    let job = try await analyze(library)
    #expect(job.state == .done && job.done == 1 && job.total == 1, "\(job)")
    #expect(try await library.status().unmeasured == 0)
    #expect(abs(try await heard("loud.flac", library) - Self.reference) < 0.003)
    #expect(abs(try await heard("tagged.flac", library) - 0.25) < 0.005)
    let tagged = try await library.shown("title == \"Tagged\"").gains
    #expect(tagged?.origin == .tags && tagged?.track == -602 && tagged?.album == nil)
    // A tag that comes later counts too.
    try write("loud.flac", library, tags: ["TITLE": "Loud", "REPLAYGAIN_TRACK_GAIN": "-6.02 dB"])
    #expect(abs(try await heard("loud.flac", library) - 0.25) < 0.005)
    try library.stage.stop()
  }

  @Test("on an album the soft track stays softer than the loud one")
  func album() async throws {
    let library = try await LibraryStage()
    for (name, amplitude) in [("1.flac", 0.5), ("2.flac", 0.25)] {
      let number = String(name.prefix(1))
      try write(
        name, library, amplitude: amplitude, tags: ["ALBUM": "Blue", "ARTIST": "N", "TRACKNUMBER": number])
    }
    try await library.add()
    #expect(try await analyze(library).state == .done)
    _ = try library.folder.write(".config/fermata/fermata.conf", "loudness = album\n")
    try await library.stage.restartInOrder()
    let (loud, soft) = (try await heard("1.flac", library), try await heard("2.flac", library))
    #expect(abs(loud / soft - 2) < 0.03, "\(loud), \(soft)")
    // The mean of both is the reference: 10 log10((0.25 + 0.0625) / 2) is 2 dB below the loud one.
    #expect(abs(loud - Self.reference * 1.265) < 0.005, "\(loud)")
    // `library show` has what plays: -6.02 LUFS, and 2.04 dB less for both together.
    let shown = try #require(try await library.shown("title == \"1\"").gains)
    let (track, album) = (try #require(shown.track), try #require(shown.album))
    #expect(shown.origin == .measured && abs(track + 1_198) <= 5 && abs(album + 994) <= 10, "\(shown)")
    try library.stage.stop()
  }

  @Test("a file that can't be decoded is named and left alone until it changes")
  func unfit() async throws {
    let library = try await LibraryStage()
    try write("good.flac", library, tags: ["TITLE": "Good"])
    try write("bad.flac", library, tags: ["TITLE": "Bad"])
    // The tags are whole, and no sound is behind them.
    let bytes = try library.folder.bytes("Music/bad.flac")
    let sound = try #require(bytes.indices.dropFirst(8_000).first)
    _ = try library.folder.write(
      "Music/bad.flac", Array(bytes.prefix(sound - 7_000)) + [UInt8](repeating: 0, count: 60_000))
    try await library.add()
    let job = try await analyze(library)
    #expect(job.state == .done, "\(job)")
    let status = try await library.status()
    #expect(status.unmeasured == 0 && status.unfit == 1, "\(status)")
    #expect(status.whyUnfit?.hasPrefix("'\(try library.path("bad.flac").text)' ") == true, "\(status)")
    let log = library.stage.log
    #expect(log.contains("no loudness of '\(try library.path("bad.flac").text)'"), "\(log)")
    #expect(log.contains("left alone until it changes"))
    #expect(try await analyze(library).total == 0)
    try write("bad.flac", library, tags: ["TITLE": "Mended"])
    try await library.scan()
    #expect(try await analyze(library).total == 1)
    #expect(try await library.status().unfit == 0)
    try library.stage.stop()
  }

  @Test(
    "only what an expression asks for is measured; one that is none is refused, and so is a library without folders"
  )
  func asked() async throws {
    let library = try await LibraryStage()
    await #expect(throws: (any Error).self) { try await library.job(.analyze()) }
    for name in ["a", "b", "c"] { try library.write("\(name).flac", pitch: 440, tags: ["TITLE": name]) }
    try await library.add()
    await #expect(throws: (any Error).self) { try await library.job(.analyze("titel == 1")) }
    let job = try await analyze(library, #"title == "b""#)
    #expect(job.total == 1 && job.title == #"Measure loudness where title == "b""#, "\(job)")
    #expect(try await library.status().unmeasured == 2)
    #expect(try await analyze(library).total == 2)
    #expect(try await analyze(library).total == 0)
    #expect(try await analyze(library, again: true).total == 3)
    try library.stage.stop()
  }

  @Test(
    "what was measured before a cancel, a pause or a crash is kept, and the rest comes with the next call")
  func cutShort() async throws {
    let library = try await LibraryStage()
    let count = 40
    try writeLong(count, library)
    try await library.add()

    let first = try await library.job(.analyze())
    try await library.wait(first, for: "under way") { $0.done >= 3 }
    try await library.caller.call(.order(.cancel, first))
    let cancelled = try await library.untilOver(first)
    #expect(cancelled.state == .cancelled)
    var left = try await library.status().unmeasured
    #expect(left < count && left > 0)

    let second = try await library.job(.analyze())
    try await library.wait(second, for: "under way") { $0.done >= 3 }
    try await library.caller.call(.order(.suspend, second))
    try await library.wait(second, for: "suspended") { $0.state == .suspended }
    // A scan has the place meanwhile, and takes nothing away.
    #expect(try await library.scan().state == .done)
    try await library.caller.call(.order(.resume, second))
    try await library.wait(second, for: "further") { $0.done >= 8 }

    // A scan is never kept waiting by an analysis.
    try library.write("late.flac", pitch: 440, tags: ["TITLE": "Late"])
    #expect(try await library.scan().state == .done)
    let states = try await library.jobs().filter { $0.id == second }.map(\.state)
    #expect(states == [.running] || states == [.waiting] || states == [.done])

    library.stage.kill()
    try await library.stage.restart()
    left = try await library.status().unmeasured
    #expect(left < count - 8)
    let last = try await analyze(library)
    #expect(last.state == .done && last.total ?? 0 <= left + 1, "\(last), \(left)")
    let status = try await library.status()
    #expect(status.unmeasured == 0 && status.unfit == 0 && status.tracks == count + 1)
    try library.stage.stop()
  }

  @Test("readers that are killed in the middle cost no file anything, and music beside them has no gap")
  func killed() async throws {
    let library = try await LibraryStage()
    let count = 16
    try writeLong(count, library)
    try await library.add()
    let played = try Noise("played.wav", seed: 1, frames: 60 * 44_100, in: library.folder)
    let recorder = try library.stage.server.record("speakers")
    try await library.caller.call(AgentCall.play([played.source], PlayOptions()))
    let start = try recorder.waitForSound()
    // A fast machine may be done with all of it before some were killed.
    var kills = 0
    while kills < 3 {
      let id = try await library.job(.analyze("", again: true))
      while try await library.jobs().first(where: { $0.id == id })?.state.isOver == false {
        for reader in library.stage.children(named: "fermata-loudnes") where kills < 12 {
          if kill(reader, SIGKILL) == 0 { kills += 1 }
        }
        try recorder.wait(forFrames: recorder.frames + 4_410)
      }
      #expect(try await library.untilOver(id).state == .done)
    }
    let status = try await library.status()
    #expect(status.unmeasured == 0 && status.unfit == 0, "\(status)")
    let frames = max(recorder.frames, start + 44_100)
    let heard = try recorder.wait(forFrames: frames)
    let length = (frames - start) * 2
    #expect(heard.firstDifference(from: Array(played.samples.prefix(length))) == nil)
    try library.stage.stop()
  }
}

extension LibraryStage {
  /// All that is known of the first item for which an expression holds.
  fileprivate func shown(_ expression: String) async throws -> ItemFace {
    guard let id = try await items(LibraryRequest(expression)).first?.item.id,
      let face = try await caller.call(.item(id)).first.flatMap(ItemFace.init(wire:))
    else { throw KitError("nothing is like \(expression)") }
    return face
  }
}
