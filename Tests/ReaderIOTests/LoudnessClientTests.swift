// SPDX-License-Identifier: MIT
import AudioModel
import FenceIO
import FermataTestKit
import Glibc
import MediaModel
import ReaderIO
import ReaderModel
import Testing

@Suite("Measuring loudness in another process", .serialized, .endsAnyway)
struct LoudnessClientTests {
  private let folder: TemporaryDirectory
  private static let stereo = AudioFormat(rate: 44_100, channels: 2)

  init() throws { folder = try TemporaryDirectory() }

  private func client(
    _ program: String = "fermata-loudness", patience: Duration = .seconds(60)
  ) throws -> LoudnessClient {
    let path = try #require(FilePath(Program.beside(program).path))
    return LoudnessClient(program: path, atOnce: 1, patience: patience)
  }

  private func path(_ name: String) throws -> FilePath { try #require(FilePath(folder.path(name))) }

  /// Music for a meter: loud and soft stretches of several pitches.
  private static let music: [Float] = (0..<12).flatMap { part in
    Tone.sine(
      Double([80, 440, 1_000, 5_000][part % 4]), frames: 44_100, stereo,
      amplitude: [0.5, 0.02, 0.2][part % 3])
  }

  /// What FFmpeg's own meter says of a file. Some releases tell peaks in decibels.
  private func judged(_ name: String) throws -> (integrated: Double, peak: Double) {
    let output = folder.path("judge.txt")
    try Tool.run(
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", folder.path(name), "-af",
      "ebur128=peak=sample:metadata=1,ametadata=print:file=\(output)", "-f", "null", "-")
    let lines = try folder.text("judge.txt").split(separator: "\n")
    func last(_ key: String) throws -> Double {
      let line = try #require(lines.last { $0.hasPrefix("lavfi.r128.\(key)=") })
      return try #require(Double(line.split(separator: "=")[1]))
    }
    let peak = max(try last("sample_peaks_ch0"), try last("sample_peaks_ch1"))
    return (try last("I"), peak > 0 ? peak : pow(10, peak / 20))
  }

  @Test("every decoder's sound is measured, and FFmpeg's meter agrees within 0.1 LU")
  func judge() throws {
    let client = try client()
    let wav = try folder.write("a.wav", WAVFile.bytes(Self.music, Self.stereo))
    let names =
      ["a.wav", "a.flac", "a.ogg", "a.mp3", "a.opus", "a.aiff"] + (Program.haveFFmpeg ? ["a.m4a"] : [])
    for name in names.dropFirst() {
      try Tool.run("ffmpeg", "-v", "error", "-nostdin", "-y", "-i", wav, folder.path(name))
    }
    for name in names {
      let found = try client.measure(path(name)).found.get()
      let (integrated, peak) = try judged(name)
      let ours = try #require(found.integrated, "\(name)")
      #expect(abs(ours - integrated) <= 0.1, "\(name): \(ours), and FFmpeg says \(integrated)")
      #expect(abs(Double(found.peak) - peak) <= 0.02, "\(name): \(found.peak), and FFmpeg says \(peak)")
    }
    #expect(client.idleProcesses.count == 1)
    client.rest()
    #expect(client.idleProcesses == [])
  }

  @Test("what has no sound is named and not tried twice; what is not there may be tried again")
  func unfit() throws {
    let client = try client()
    _ = try folder.write("text.flac", "no music")
    _ = try folder.write("empty.mp3", "")
    _ = try folder.write("broken.flac", Array("fLaC".utf8) + [UInt8](repeating: 7, count: 500))
    for name in ["text.flac", "empty.mp3", "broken.flac"] {
      let answer = try client.measure(path(name))
      #expect(throws: LoudnessFailure.self, "\(name)") { try answer.found.get() }
      guard case .failure(let failure) = answer.found else { continue }
      #expect(failure.kind == .unfit && failure.isOfTheFile && !failure.reason.isEmpty, "\(name): \(failure)")
    }
    for name in ["missing.flac", "."] {
      let failure = #expect(throws: LoudnessFailure.self) { try client.measure(path(name)) }
      #expect(failure?.kind == .unreadable, "\(name)")
    }
  }

  @Test("a file that breaks off is measured up to there, as it is heard")
  func cutShort() throws {
    let whole = try ToneFile.flac("whole.flac", Self.music, Self.stereo, in: folder)
    let bytes = try folder.bytes("whole.flac")
    _ = try folder.write("half.flac", Array(bytes.prefix(bytes.count / 2)))
    _ = whole
    #expect(try client().measure(path("half.flac")).found.get().integrated != nil)
  }

  @Test("a measuring that is called off ends soon, and the next file has another process")
  func calledOff() throws {
    let client = try client()
    _ = try folder.write("a.wav", WAVFile.bytes(Self.music, Self.stereo))
    var asked = 0
    let failure = #expect(throws: LoudnessFailure.self) {
      try client.measure(path("a.wav")) {
        asked += 1
        return false
      }
    }
    #expect(failure?.kind == .calledOff && asked == 1)
    #expect(try client.measure(path("a.wav")).found.get().integrated != nil)
  }

  @Test("a file that crashes the process twice is given up with the reason, and others are measured")
  func crash() throws {
    let client = try client("ReaderIOProbe")
    _ = try folder.write("crash.flac", "do crash\n")
    _ = try folder.write("a.wav", WAVFile.bytes(Self.music, Self.stereo))
    let answer = try client.measure(path("crash.flac"))
    guard case .failure(let failure) = answer.found else { throw KitError("it was measured") }
    #expect(failure.kind == .died && failure.reason.contains("signal"), "\(failure)")
    #expect(try client.measure(path("a.wav")).found.get().integrated != nil)
  }

  @Test(
    "a file on which the process comes to no end is given up, one on a disk that does not answer is not blamed"
  )
  func hang() throws {
    let client = try client("ReaderIOProbe", patience: .milliseconds(800))
    _ = try folder.write("hang.flac", "do hang\n")
    _ = try folder.write("wait.flac", "do wait\n")
    guard case .failure(let failure) = try client.measure(path("hang.flac")).found else {
      throw KitError("it was measured")
    }
    #expect(failure.kind == .died && failure.reason.contains("no end"), "\(failure)")
    let waiting = #expect(throws: LoudnessFailure.self) { try client.measure(path("wait.flac")) }
    #expect(waiting?.kind == .silent)
  }

  @Test(
    "a file that takes the process over gets at nothing outside of it", .enabled(if: Fence.isBuilt),
    arguments: [
      "open", "socket", "fork", "thread", "program", "ptrace", "memory", "look", "signal", "status",
      "emptyStatus",
    ])
  func fence(attempt: String) throws {
    _ = try folder.write("\(attempt).flac", "do \(attempt)\n")
    guard case .failure(let failure) = try client("ReaderIOProbe").measure(path("\(attempt).flac")).found
    else {
      throw KitError("it was measured")
    }
    // It was refused, went on, and is no sound.
    #expect(failure.kind == .unfit, "\(failure)")
  }

  @Test("a process that was killed from outside is started again, and no file is blamed")
  func killed() throws {
    let client = try client()
    _ = try folder.write("a.wav", WAVFile.bytes(Self.music, Self.stereo))
    var kills = 0
    for _ in 0..<3 {
      let found = try client.measure(path("a.wav")) {
        guard kills < 5 else { return true }
        kills += Children.killAll(named: "fermata-loudnes")
        return true
      }.found.get()
      #expect(found.integrated != nil)
    }
    #expect(kills >= 5)
    // One that is always killed is left for another time.
    let failure = #expect(throws: LoudnessFailure.self) {
      try client.measure(path("a.wav")) {
        _ = Children.killAll(named: "fermata-loudnes")
        return true
      }
    }
    #expect(failure?.kind == .unreadable && failure?.reason.contains("again and again") == true)
  }

  @Test("without the program the reason is told")
  func missing() throws {
    _ = try folder.write("a.wav", WAVFile.bytes(Self.music, Self.stereo))
    for program in [nil, FilePath("/nowhere/fermata-loudness")] {
      let client = LoudnessClient(program: program)
      let failure = #expect(throws: LoudnessFailure.self) { try client.measure(path("a.wav")) }
      #expect(failure?.kind == .noProcess && failure?.reason.contains("fermata-loudness") == true)
    }
  }
}

/// Processes that this one has started.
enum Children {
  /// Kills those of this name, as the kernel cuts it. Returns how many there were.
  static func killAll(named name: String) -> Int {
    guard let folder = opendir("/proc") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
      let text = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = pid_t(text), let file = fopen("/proc/\(text)/stat", "r") else { continue }
      var line = [CChar](repeating: 0, count: 512)
      let isRead = fgets(&line, 512, file) != nil
      fclose(file)
      let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
      guard isRead, words.count > 3, words[1] == "(\(name))", words[3] == "\(getpid())" else { continue }
      if kill(number, SIGKILL) == 0 { count += 1 }
    }
    return count
  }
}
