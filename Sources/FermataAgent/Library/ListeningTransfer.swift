// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FileIO
import Glibc
import LibraryIO
import LibraryModel
import LibraryQuery
import ListeningModel
import MediaModel

// Writes everything that the listener said of the music into a file, and reads such a file.
extension LibraryService {
  /// The numbers of sounds and smart playlists that were written into a file.
  typealias Written = (sounds: Int, playlists: Int)

  /// Writes the listener's ratings, counts and notes and the smart playlists into a file; after an error or a crash there is no half-written file.
  /// Throws if the file exists already and must not be replaced. If the job is cancelled in time, no file is written.
  func export(to path: FilePath, replacing: Bool, _ job: BlockingJob) async throws(BusError) -> Written {
    var bytes = ListeningFile.header(at: Self.now)
    var written: Written = (0, 0)
    if isThere {
      let (lines, counts) = try await use { store -> ([UInt8], Written) in
        var (lines, counts): ([UInt8], Written) = ([], (0, 0))
        try store.exportListening(isInterrupted: { job.isCancelled }) { entry in
          lines += ListeningFile.bytes(entry)
          counts.sounds += 1
        }
        for playlist in try store.smartPlaylists() {
          lines += ListeningFile.bytes(playlist)
          counts.playlists += 1
        }
        return (lines, counts)
      }
      bytes += lines
      written = counts
    }
    guard written != (0, 0) else {
      throw AgentError.refused("there is nothing to export: nothing was rated, counted or noted yet")
    }
    try await onDisk(path, job) { [bytes] () -> Result<Void, BusError> in
      do throws(SystemError) {
        if let refusal = Self.refusal(toReplace: path) { return .failure(refusal) }
        return .success(try NewFile.write(bytes, at: path, replacing: replacing))
      } catch {
        guard error.code != EEXIST else {
          return .failure(
            AgentError.refused(
              "'\(path)' is there already; write over it with '--replace', or choose another name"))
        }
        return .failure(
          AgentError.cannotWrite(
            "'\(path)' can't be written: \(String(errno: error.code)); choose another folder or make room"))
      }
    }
    Process.returnMemory()
    return written
  }

  /// Why what has this name must not be written over; nil if nothing has it, or an earlier export or an empty file. A program that may ask for an export
  /// must not write over the user's other files by that.
  private nonisolated static func refusal(toReplace path: FilePath) -> BusError? {
    guard let held = try? HeldFile(path) else { return nil }
    guard held.kind == .file else {
      return AgentError.cannotWrite(
        "'\(path)' is \(held.kind.name); name a file, or write to standard output with '-'")
    }
    if held.stamp.size == 0 { return nil }
    let head = (try? held.openFile().head(ListeningFile.longestHeader)) ?? []
    return ListeningFile.isOne(beginning: head)
      ? nil : AgentError.cannotWrite("'\(path)' is there and is no export; choose another name")
  }

  /// Imports a file that `export` has written, all of it or nothing, and returns a report. Where the file and the library differ, the library's value
  /// is kept, or replaced by the file's if `replaces` is set. A smart playlist with the name of a plain one is left out. If the job is cancelled in
  /// time, nothing is imported.
  func take(from path: FilePath, replaces: Bool, _ job: BlockingJob) async throws(BusError) -> ImportReport {
    let (lines, read) = try await onDisk(path, job) { Self.read(path) }
    var (entries, playlists): ([ListeningEntry], [SmartPlaylist]) = ([], [])
    for line in lines {
      switch line {
      case .sound(let entry): entries.append(entry)
      case .playlist(let playlist): playlists.append(playlist)
      }
    }
    var report = ImportReport()
    if !lines.isEmpty {
      let names = playlists.isEmpty ? [:] : await smart.plain?.filesByName() ?? [:]
      report = try await use { [entries, playlists] store in
        let free = playlists.filter { names[$0.name] == nil }
        let count = Set(try store.smartPlaylists().map(\.name) + free.map(\.name)).count
        guard count <= AgentPlaylists.most || free.isEmpty else {
          throw AgentError.refused(
            "with those of the file there would be \(count) smart playlists, and \(AgentPlaylists.most) is the most; delete some"
          )
        }
        var report = try store.importListening(
          entries, free, preferring: replaces ? .theirs : .ours, isInterrupted: { job.isCancelled })
        report.different += playlists.count - free.count
        return report
      }
      smart.listsChanged()
      changed(ChangeCounts(changed: report.bySound + report.byPath))
    }
    (report.unreadable, report.problems) = (read.unreadable, read.problems)
    Process.returnMemory()
    return report
  }

  private nonisolated static func read(
    _ path: FilePath
  ) -> Result<(lines: [ListeningFile.Line], report: ImportReport), BusError> {
    let bytes: [UInt8]
    do throws(SystemError) {
      let held = try HeldFile(path)
      guard held.kind == .file else {
        return .failure(AgentError.refused("'\(path)' is \(held.kind.name); name a file"))
      }
      guard held.stamp.size <= AgentLibrary.largestImport else {
        return .failure(
          AgentError.nothingPlayable(
            "'\(path)' has more than \(AgentLibrary.largestImport >> 20) MiB; split it"))
      }
      bytes = try held.openFile().head(AgentLibrary.largestImport)
    } catch {
      let kind: AgentError = error.isMissing ? .noSuchFile : .refused
      return .failure(kind("'\(path)' can't be read: \(String(errno: error.code)); check its name"))
    }
    do throws(ListeningFile.Refusal) { return .success(try ListeningFile.read(bytes)) } catch {
      return .failure(AgentError.nothingPlayable("'\(path)': \(error)"))
    }
  }

  private func onDisk<Answer: Sendable>(
    _ path: FilePath, _ job: BlockingJob, _ body: @escaping @Sendable () -> Result<Answer, BusError>
  ) async throws(BusError) -> Answer {
    let result: Result<Answer, BusError>
    do throws(BlockingFailure) {
      result = try await orders.run(job) { job in
        job.looks(at: path.text)
        return body()
      }
    } catch { throw AgentError.tryAgain("\(error)") }
    return try result.get()
  }
}
