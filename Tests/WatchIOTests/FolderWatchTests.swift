// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Glibc
import Testing
import WatchIO

@Suite("A folder that is watched", .serialized, .endsAnyway)
struct FolderWatchTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("a file that is written, replaced, made readable, renamed, linked or removed is told")
  func changes() async throws {
    let told = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path)
      return [
        try await reports.follow { try folder.write("a", "one") },
        try await reports.follow { try folder.write("a", "two") },
        await reports.follow { chmod(folder.path("a"), 0o600) },
        await reports.follow { rename(folder.path("a"), folder.path("b")) },
        await reports.follow { symlink("b", folder.path("c")) },
        await reports.follow { unlink(folder.path("b")) },
        await reports.follow { mkdir(folder.path("d"), 0o700) },
      ]
    }
    #expect(told == [true, true, true, true, true, true, true])
  }

  @Test("a folder that is not there yet is told when it appears, and then what happens in it")
  func appearing() async throws {
    let told = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path("a/b/c"))
      try folder.write("noise", "")
      try folder.makeFolder("a/noise")
      let count = reports.count
      return [
        count == 0, try await reports.follow { try folder.makeFolder("a/b/c") },
        try await reports.follow { try folder.write("a/b/c/file", "") },
      ]
    }
    #expect(told == [true, true, true])
  }

  @Test("what happens beside the way to a folder is not told")
  func noise() async throws {
    let count = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path("a/b"))
      // Each step is read in a turn of its own: the second watch reports, after the first has seen what it saw.
      let other = Reports(folder.path)
      _ = try await other.follow { try folder.write("noise", "") }
      _ = try await other.follow { try folder.makeFolder("a") }
      let inner = Reports(folder.path("a"))
      _ = try await inner.follow { try folder.write("a/noise", "") }
      _ = await other.follow { unlink(folder.path("noise")) }
      return reports.count
    }
    #expect(count == 0)
  }

  @Test("a folder that is removed is told, and followed when it is made again")
  func madeAgain() async throws {
    let told = try await onLoop { @AgentLoop [folder] in
      let path = try folder.makeFolder("a/b")
      let reports = Reports(path)
      return [
        await reports.follow { rmdir(path) },
        // The one above goes as well.
        try await reports.follow {
          rmdir(folder.path("a"))
          try folder.makeFolder("a/b")
        },
        try await reports.follow { try folder.write("a/b/file", "") },
      ]
    }
    #expect(told == [true, true, true])
  }

  @Test("another folder in its place is followed, and the one that was there no longer")
  func replaced() async throws {
    let (told, stale) = try await onLoop { @AgentLoop [folder] in
      let path = try folder.makeFolder("a")
      try folder.makeFolder("new")
      let reports = Reports(path)
      let told = [
        await reports.follow {
          rename(path, folder.path("old"))
          rename(folder.path("new"), path)
        },
        try await reports.follow { try folder.write("a/file", "") },
      ]
      let before = reports.count
      let old = Reports(folder.path("old"))
      _ = try await old.follow { try folder.write("old/file", "") }
      return (told, reports.count - before)
    }
    #expect(told == [true, true])
    #expect(stale == 0)
  }

  @Test("a file in the folder's place is none; the folder that follows is told")
  func fileInPlace() async throws {
    let told = try await onLoop { @AgentLoop [folder] in
      try folder.write("a", "")
      let reports = Reports(folder.path("a"))
      return await reports.follow {
        unlink(folder.path("a"))
        mkdir(folder.path("a"), 0o700)
      }
    }
    #expect(told)
  }

  @Test("a burst is one report")
  func burst() async throws {
    let (told, count) = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path)
      let told = try await reports.follow { for number in 0..<200 { try folder.write("\(number)", "") } }
      return (told, reports.count)
    }
    #expect(told)
    #expect(count == 1)
  }

  @Test("more events than the system keeps are one report too, and what follows is told")
  func overflow() async throws {
    let told = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path)
      let files = [try folder.write("a", ""), try folder.write("b", "")]
      // In turns, for the system makes one of two events that are alike.
      let burst = await reports.follow {
        for number in 0..<17_000 { close(open(files[number % 2], O_WRONLY | O_CLOEXEC)) }
      }
      // Whatever of the burst is still unread comes first.
      while await reports.isBusy() {}
      return [burst, try await reports.follow { try folder.write("c", "") }]
    }
    #expect(told == [true, true])
  }

  @Test("it may be let go of while it reports, and says nothing afterwards")
  func lettingGo() async throws {
    let (first, later) = try await onLoop { @AgentLoop [folder] in
      let reports = Reports(folder.path)
      let first = try await reports.follow { try folder.write("a", "") }
      reports.end()
      let other = Reports(folder.path)
      _ = try await other.follow { try folder.write("b", "") }
      return (first, reports.count)
    }
    #expect(first)
    #expect(later == 1)
  }
}
