// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Glibc
import MediaModel
import Testing
import WatchIO

@Suite("Many folders that are watched", .serialized, .endsAnyway)
struct FolderTreeWatchTests {
  @Test("what is closed, renamed, removed or made in any of them is told; what is beside them is not")
  func changes() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("a/b")
    try folder.makeFolder("c")
    let told = try await onLoop { @AgentLoop [folder] in
      let reports = TreeReports([folder.path("a"), folder.path("a/b")])
      try folder.write("c/beside", "")
      var told = [
        try await reports.follow { try folder.write("a/one", "1") },
        try await reports.follow { try folder.write("a/b/two", "2") },
        await reports.follow { rename(folder.path("a/one"), folder.path("a/b/three")) },
        await reports.follow { unlink(folder.path("a/b/two")) },
        await reports.follow { mkdir(folder.path("a/new"), 0o700) },
        await reports.follow { symlink(folder.path("c"), folder.path("a/album")) },
        await reports.follow { link(folder.path("c/beside"), folder.path("a/linked")) },
      ]
      reports.watch(folder.path("a/new"))
      told.append(try await reports.follow { try folder.write("a/new/four", "4") })
      return told + [reports.trouble == nil]
    }
    #expect(told == Array(repeating: true, count: 9))
  }

  @Test("a folder that is moved is still watched where it is, and that can be seen")
  func moved() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("a/b")
    try await onLoop { @AgentLoop [folder] in
      let reports = TreeReports([folder.path("a"), folder.path("a/b")])
      var told = [try await reports.follow { try folder.write("a/b/one", "1") }]
      #expect(!reports.hasMovedFolder)
      told.append(await reports.follow { rename(folder.path("a/b"), folder.path("elsewhere")) })
      told.append(try await reports.follow { try folder.write("elsewhere/two", "2") })
      #expect(told == [true, true, true] && reports.hasMovedFolder)
    }
  }
}

/// Counts what a watch tells.
@AgentLoop
private final class TreeReports {
  private var count = 0
  private var tree: FolderTreeWatch?
  private let waiter = LoopWaiter()

  init(_ folders: [String]) {
    tree = FolderTreeWatch { [weak self] in
      self?.count += 1
      self?.waiter.look()
    }
    for folder in folders { watch(folder) }
  }

  var trouble: String? { tree?.trouble }
  var hasMovedFolder: Bool { tree?.hasMovedFolder == true }

  func watch(_ folder: String) { if let path = FilePath(folder) { tree?.watch(path) } }

  /// Does something and waits until it is told.
  func follow(_ body: () throws -> some Any) async rethrows -> Bool {
    let before = count
    _ = try body()
    return (try? await waiter.wait(for: "a report") { self.count > before }) != nil
  }
}
