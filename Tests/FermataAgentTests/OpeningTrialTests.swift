// SPDX-License-Identifier: MIT
import DecodeIO
@testable import FermataAgent
import FermataTestKit
import MediaModel
import PlaybackLogic
import SourceIO
import Synchronization
import Testing

@Suite("Whether anything of what is to be queued can be opened")
struct OpeningTrialTests {
  /// Files of which some can be opened, and how often any was tried; an opening takes `cost`.
  private final class Files {
    let good: Set<String>
    let cost: Duration
    var tried: [String] = []
    var now = Duration.zero

    init(good: Set<String> = [], cost: Duration = .zero) {
      self.good = good
      self.cost = cost
    }

    func refusal(of names: [String], patience: Duration = .seconds(2)) -> String? {
      var trial = OpeningTrial()
      trial.patience = patience
      trial.now = { self.now }
      trial.open = { (name) throws(DecodeError) in
        self.now += self.cost
        self.tried.append(name)
        if !self.good.contains(name) { throw DecodeError(.damaged, file: name, reason: "bad") }
      }
      return trial.refusal(of: names.map { EntrySource($0) })
    }
  }

  private static func names(_ count: Int) -> [String] { (1...count).map(String.init) }

  @Test("the first that can be opened is the last that is tried, however many there are")
  func good() {
    let files = Files(good: ["1"])
    #expect(files.refusal(of: Self.names(50_000)) == nil)
    #expect(files.tried == ["1"])
    let later = Files(good: ["18", "20"])
    #expect(later.refusal(of: Self.names(30)) == nil)
    #expect(later.tried == Self.names(18))
  }

  @Test(
    "where none can be opened the first few are named, and the rest is counted",
    arguments: [
      (1, "1: bad"), (2, "none of 2 files can be played: 1: bad; 2: bad"),
      (3, "none of 3 files can be played: 1: bad; 2: bad; 3: bad"),
      (17, "none of 17 files can be played: 1: bad; 2: bad; 3: bad; and 14 more"),
      (50_000, "none of 50000 files can be played: 1: bad; 2: bad; 3: bad; and 49997 more"),
    ])
  func bad(count: Int, said: String) {
    #expect(Files().refusal(of: Self.names(count)) == said)
  }

  @Test("tracks of one file are one opening")
  func tracks() {
    let files = Files()
    #expect(files.refusal(of: Array(repeating: "disc.flac", count: 99)) == "disc.flac: bad")
    #expect(files.tried.count == 1)
  }

  @Test("what could not be tried in time is believed, and one is always tried")
  func patience() {
    let slow = Files(cost: .milliseconds(20))
    #expect(slow.refusal(of: Self.names(1_000)) == nil)
    #expect(slow.tried.count == 100)
    let hung = Files(cost: .seconds(30))
    #expect(hung.refusal(of: Self.names(2)) == nil)
    #expect(hung.tried == ["1"])
    #expect(hung.refusal(of: ["3"]) == "3: bad")
  }

  @Test("the tune needs no file")
  func tune() {
    #expect(OpeningTrial().refusal(of: [EntrySource(Tune.location)]) == nil)
  }

  @Test("a library that is too busy to answer is asked once, however many folders there are")
  func busyLibrary() throws {
    let directory = try TemporaryDirectory()
    for name in ["a/1.mp3", "a/2.mp3", "b/1.mp3", "b/2.mp3", "c/1.mp3", "c/2.mp3"] {
      _ = try directory.write(name, [UInt8](repeating: 0, count: 10))
    }
    let folder = try #require(FilePath(directory.path))
    let asked = Mutex(0)
    let found = try Sources.expand(
      [.path(folder)], from: "/", reader: .beside,
      library: { _ in
        asked.withLock { $0 += 1 }
        return nil
      })
    #expect(found.entries.count == 6 && asked.withLock { $0 } == 1)
  }

  @Test(
    "a file of a format that is not played is called by it, whatever its name ends in",
    arguments: ["song.m4a", "song.mp3"])
  func foreign(name: String) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(name, "MThd and so on")
    let file = try #require(FilePath(path))
    var reason: String?
    do throws(SourceError) {
      let found = try Sources.expand([.path(file)], from: "/", reader: .beside)
      reason = OpeningTrial().refusal(of: found.entries)
    } catch {
      reason = error.description
    }
    #expect(
      reason?.hasSuffix("is MIDI, notes without sound") == true, "\(reason ?? "plays")")
  }
}
