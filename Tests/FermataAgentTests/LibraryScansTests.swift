// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import LibraryModel
import MediaModel
import Synchronization
import Testing

@testable import FermataAgent

@Suite("Scans of a library", .serialized, .timeLimit(.minutes(5)))
struct LibraryScansTests {
  private let folder: TemporaryDirectory
  private let log: Int32
  private let reader = PlantedReader()

  init() throws {
    folder = try TemporaryDirectory()
    log = open(try folder.write("log", ""), O_WRONLY | O_APPEND | O_CLOEXEC)
    for number in 0..<10 { try folder.write("m/\(number).wav", "") }
  }

  /// Reads nothing, or says that it can't.
  private final class PlantedReader: Sendable {
    private let state = Mutex((isMissing: false, count: 0))
    var count: Int { state.withLock { $0.count } }
    func set(missing: Bool) { state.withLock { $0.isMissing = missing } }

    func read(_ files: [FilePath]) throws(LibraryScan.NoReader) -> [Result<FileRecord, ReadingFailure>] {
      let isMissing = state.withLock { state in
        if !state.isMissing { state.count += files.count }
        return state.isMissing
      }
      if isMissing { throw LibraryScan.NoReader(reason: "it is not installed") }
      return files.map { _ in .success(FileRecord(tags: MediaTags())) }
    }
  }

  private var music: FilePath { get throws { try #require(FilePath(folder.path("m"))) } }

  @AgentLoop
  private func library() throws -> LibraryService {
    let data = try #require(FilePath(folder.path("data")))
    return LibraryService(
      in: data, jobs: JobService(), orders: BlockingThread("orders"),
      log: Log(isVerbose: false, to: LineStream(log)),
      read: { [reader] (files, _) throws(LibraryScan.NoReader) in try reader.read(files) })
  }

  @Test("a scan that fails is a failed job, stands in the status, and is logged once")
  func failing() async throws {
    reader.set(missing: true)
    try await onLoop { @AgentLoop in
      let library = try library()
      for _ in 0..<3 {
        let id = try await library.folders().isEmpty ? library.add(try music) : library.scan([])
        await library.jobs.untilOver(id)
        #expect(library.jobs.job(id)?.state == .failed && library.jobs.job(id)?.why == "it is not installed")
      }
      let why = try await library.status().why
      #expect(why == "the last scan failed: it is not installed; it is tried again by itself")
      let lines = String(decoding: try folder.bytes("log"), as: UTF8.self).split(separator: "\n")
      #expect(lines.count { $0.contains("a scan failed: it is not installed") } == 1, "\(lines)")
      reader.set(missing: false)
      let id = try await library.scan([])
      await library.jobs.untilOver(id)
      #expect(try await library.status().why == nil)
      #expect(try await library.status().tracks == 10)
      library.stop()
    }
  }

  @Test("folders are called by any path that leads to them through their parents, also when they are gone")
  func parents() async throws {
    try folder.makeFolder("other")
    try await onLoop { @AgentLoop in
      let library = try library()
      let winding = try #require(FilePath(folder.path("other/../m/")))
      await library.jobs.untilOver(try await library.add(winding))
      #expect(try await library.folders() == [try music])
      await library.jobs.untilOver(try await library.scan([winding, try music]))
      #expect(library.jobs.jobs.count == 2)
      try await library.remove(winding)
      #expect(try await library.folders().isEmpty)
      library.stop()
    }
  }

  @Test("a folder that is taken out while it is scanned leaves nothing behind, whenever that is")
  func removal() async throws {
    for number in 10..<2_000 { try folder.write("m/\(number % 20)/\(number).wav", "") }
    try await onLoop { @AgentLoop in
      let library = try library()
      for round in 0..<30 {
        let id = try await library.add(try music)
        // Both are under way at once; the second one may have asked for the folders already.
        AgentLoop.task { _ = try? await library.scan([]) }
        for _ in 0..<round { await AgentLoop.task {}.value }
        try await library.remove(try music)
        for job in library.jobs.jobs { await library.jobs.untilOver(job.id) }
        #expect(library.jobs.job(id)?.state.isOver == true)
        let status = try await library.status()
        #expect(status.tracks == 0 && status.folders.isEmpty, "round \(round)")
      }
      library.stop()
    }
  }
}

extension LibraryService {
  fileprivate func folders() async throws -> [FilePath] { try await status().folders.map(\.path) }
}
