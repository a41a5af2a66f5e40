// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import SourceIO
import Testing

@Suite("Limits, progress and calling off")
struct LimitTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  /// So many folders with so many names of one file, which are made faster than as many files.
  private func many(_ folders: Int, _ files: Int) throws {
    let file = try folder.file("one").text
    for a in 0..<folders {
      let path = try folder.makeFolder("m/\(a)")
      for b in 0..<files where Glibc.link(file, "\(path)/\(b).mp3") != 0 {
        throw KitError("link \(path)/\(b).mp3: \(errno)")
      }
    }
  }

  @Test(
    "ten thousand files are there at once, in one folder and in a hundred",
    arguments: [(1, 10_000), (100, 100)])
  func quick(_ folders: Int, _ files: Int) throws {
    try many(folders, files)
    var outcome: Outcome?
    let time = try ContinuousClock().measure { outcome = try expand("m") }
    #expect(outcome?.names.count == 10_000)
    #expect(outcome?.names.prefix(3) == ["m/0/0.mp3", "m/0/1.mp3", "m/0/2.mp3"])
    #expect(outcome?.names.last == "m/\(folders - 1)/\(files - 1).mp3")
    #expect(time < .seconds(60), "\(time)")
  }

  @Test("what is beyond a limit is left out and named", arguments: [1, 2, 5, 6])
  func entries(_ limit: Int) throws {
    try folder.files("m/a.mp3", "m/b.mp3", "m/c/d.mp3", "m/c/e.mp3", "f.mp3")
    var expand = expand
    expand.expander.limits.entries = limit
    let outcome = try expand("m", "f.mp3")
    #expect(outcome.names.count == min(limit, 5))
    #expect(outcome.kinds == (limit < 5 ? [.tooMany(limit)] : []))
  }

  @Test("folders are entered so deep, and names looked at so long")
  func depth() throws {
    try folder.files("m/1/2/3/a.mp3", "m/b.mp3")
    var expand = expand
    expand.expander.limits.folderDepth = 3
    #expect(try expand("m").subjects == ["m/1/2/3"])
    expand.expander.limits.folderDepth = 4
    #expect(try expand("m").names == ["m/b.mp3", "m/1/2/3/a.mp3"])
    expand.expander.limits.namesPerFolder = 1
    #expect(try expand("m", "m/1/2/3/a.mp3").kinds == [.tooLong(1)])
    expand.expander.limits.namesPerFolder = 10
    expand.expander.limits.steps = 4
    #expect(try expand("m").kinds == [.tooLong(4)])
  }

  @Test("a path that is too long for the system is a problem, not an entry that can't be opened")
  func longPath() throws {
    try folder.files("m/a.mp3")
    let name = String(repeating: "n", count: 250)
    var descriptor = open(folder.at("m").text, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for _ in 0..<20 {
      #expect(mkdirat(descriptor, name, 0o700) == 0)
      let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      close(descriptor)
      descriptor = inner
    }
    close(openat(descriptor, "deep.mp3", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    // Removed from the inside, as no path leads there.
    defer {
      unlinkat(descriptor, "deep.mp3", 0)
      close(descriptor)
    }
    let outcome = try expand("m")
    #expect(outcome.names == ["m/a.mp3"])
    #expect(outcome.kinds == [.unreadable(ENAMETOOLONG)])
  }

  @Test("problems are kept up to a limit and counted beyond it")
  func problems() throws {
    try folder.file("a.mp3")
    try folder.file("l.m3u", (0..<50).map { "gone\($0).mp3\n" }.joined() + "a.mp3")
    var expand = expand
    expand.expander.limits.problems = 20
    let outcome = try expand("l.m3u")
    #expect(outcome.kinds.count == 20)
    #expect(outcome.expansion.furtherProblems == 30)
  }

  @Test("progress tells each folder and list, and how much was found")
  func progress() throws {
    try folder.files("m/a.mp3", "m/s/b.mp3")
    try folder.file("l.m3u", "m/a.mp3")
    var heard: [SourceProgress] = []
    _ = try expand.expander.expand([.path("m"), .path("l.m3u")], progress: { heard.append($0) })
    #expect(heard.map(\.current.name) == ["m", "s", "l.m3u"])
    #expect(heard.map(\.entries) == [0, 1, 2])
  }

  @Test("it is called off in the middle of folders, of one folder and of a list")
  func cancel() throws {
    try many(3, 600)
    try folder.file("l.m3u", String(repeating: "m/0/0.mp3\n", count: 1_000))
    for (name, most) in [("m", 5), ("m/0", 2), ("l.m3u", 3)] {
      for patience in 0..<most {
        var asked = 0
        let error = #expect(throws: SourceError.self) {
          try expand.expander.expand(
            [.path(FilePath(name) ?? "")],
            isCancelled: {
              asked += 1; return asked > patience
            })
        }
        #expect(error?.reason == .cancelled)
        #expect(asked == patience + 1)
      }
    }
  }

  @Test("no descriptor stays open, whatever happened")
  func descriptors() throws {
    try folder.files("m/a.mp3", "m/s/b.mp3")
    try folder.file("m/l.cue", "FILE \"a.wav\" WAVE\n")
    try folder.pipe("m/p.mp3")
    let before = openDescriptors()
    for _ in 0..<50 {
      _ = try expand("m", "m/a.mp3", "m/p.mp3", "gone", "m/l.cue")
      _ = try? expand.expander.expand([.path("m")], isCancelled: { true })
    }
    #expect(openDescriptors() < before + 50)
  }

  private func openDescriptors() -> Int {
    (Int32(0)..<1_024).count { fcntl($0, F_GETFD) >= 0 }
  }
}
