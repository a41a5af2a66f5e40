// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel
import PlaybackLogic
import Testing

@Suite("Music beside a scan", .serialized, .realTime, .endsAnyway)
struct ScanBesideMusicTests {
  @Test("it has no gap while readers die and hang, and all files are in the library afterwards")
  func noGap() async throws {
    let library = try await LibraryStage()
    let (count, seconds) = (3_000, 6 * Rounds.count)
    try library.writeMany(count)
    let played = try Noise("played.wav", seed: 1, frames: (84 + seconds) * 44_100, in: library.folder)
    let recorder = try library.stage.server.record("speakers")
    try await library.caller.call(AgentCall.play([played.source], PlayOptions()))
    let start = try recorder.waitForSound()
    let job = try await library.job(.add(libraryFolder: library.path()))
    var random = SeededGenerator(seed: 5)
    var (killed, held) = (0, 0)
    // Some seconds of it; the last ones without harm, so that the scan can end.
    while recorder.frames < start + seconds * 44_100 {
      for reader in Self.readers(of: library.stage.agent.processID) where random.next() % 4 == 0 {
        let isHeld = held == 0 && killed > 3
        kill(reader, isHeld ? SIGSTOP : SIGKILL)
        if isHeld { held += 1 } else { killed += 1 }
      }
      try recorder.wait(forFrames: recorder.frames + 2_000)
      if try await library.jobs().first(where: { $0.id == job })?.state.isOver == true {
        for number in 0..<count { try library.touch("\(number / 100)/\(number).wav") }
        _ = try await library.job(.scan())
      }
    }
    #expect(killed > 3 * Rounds.count)
    try await library.scan()
    let heard = try recorder.wait(forFrames: recorder.frames + 22_050).sounding
    let difference = zip(heard, played.samples).enumerated().first { $1.0 != $1.1 }?.offset
    #expect(
      difference == nil && heard.count > seconds * 44_100, "sample \(difference ?? 0) of \(heard.count)")
    #expect(try await library.status().tracks == count)
    try library.stage.stop()
  }

  /// The processes that read files for an agent.
  private static func readers(of agent: Int32) -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let number = Int32(name), let bytes = try? contents(of: "/proc/\(name)/stat") else { continue }
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      if words.count > 3, words[1].contains("fermata-reader"), Int32(words[3]) == agent {
        found.append(number)
      }
    }
    return found
  }
}

extension LibraryStage {
  /// Makes a file seem to have been written.
  fileprivate func touch(_ name: String) throws { utimensat(AT_FDCWD, try path(name).text, nil, 0) }
}

extension Recording {
  /// All samples of frames that are not silent.
  fileprivate var sounding: [Float] {
    (0..<frames).filter { isSounding($0) }.flatMap {
      samples[$0 * format.channels..<($0 + 1) * format.channels]
    }
  }
}
