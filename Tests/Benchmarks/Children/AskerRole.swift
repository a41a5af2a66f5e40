// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusModel
import FaceModel
import Glibc
import JobLogic
import MediaModel

/// A client of the agent's library. Does one thing several times, and writes how many microseconds each took, a line each.
///
///     add FOLDER       from the call to the end of its job
///     scan COUNT       the same, so often, of all folders
///     search TEXT…     each a search as you type it, with its first rows
///     group NAME…      each a grouping of everything, with its first collections
@AgentLoop
final class AskerRole {
  // It lives as long as the process.
  private static var only: AskerRole?

  /// As many rows as a tall terminal shows.
  private static let rows = 60
  private let agent: AgentClient
  private var news: (any AgentSubscription)?
  private var over: Set<JobID> = []
  private var waiting: (job: JobID, waiter: UnsafeContinuation<Void, Never>)?

  static func start(_ words: [String]) async {
    do {
      let asker = AskerRole(try await AgentClient.open(for: "bench") { write("\($0)\n", to: STDERR_FILENO) })
      only = asker
      asker.news = try await asker.agent.news { [weak asker] in asker?.hear($0) }
      try await asker.run(words[0], words.dropFirst())
      exit(0)
    } catch {
      write("\(error)\n", to: STDERR_FILENO)
      exit(69)
    }
  }

  private init(_ agent: AgentClient) { self.agent = agent }

  private func run(_ word: String, _ rest: ArraySlice<String>) async throws {
    switch word {
    case "add":
      guard let folder = FilePath(rest.first ?? "") else { throw BenchFailure("add needs a folder") }
      try await time { try await self.end(of: self.agent.add(libraryFolder: folder)) }
    case "scan":
      for _ in 0..<(rest.first.flatMap { Int($0) } ?? 1) {
        try await time { try await self.end(of: self.agent.scan([])) }
      }
    case "search":
      for text in rest {
        let request = LibraryRequest(count: Self.rows)
        try await time { try await self.agent.call(.search(text, request)) }
      }
    default:
      for name in rest {
        let request = LibraryRequest(group: name, count: Self.rows)
        try await time { try await self.agent.call(.query(request)) }
      }
    }
  }

  private func time<Answer>(_ body: @AgentLoop () async throws -> Answer) async throws {
    let start = AgentLoop.now
    _ = try await body()
    let microseconds = (AgentLoop.now - start) / .microseconds(1)
    write("\(Int(microseconds))\n", to: STDOUT_FILENO)
  }

  /// Waits for the end of a job, which may have come already.
  private func end(of job: JobID) async throws {
    if !over.contains(job) { await withUnsafeContinuation { waiting = (job, $0) } }
  }

  private func hear(_ news: [AgentNews]) {
    for case .job(let job) in news where job.state.isOver {
      over.insert(job.id)
      guard let waiting, waiting.job == job.id else { continue }
      self.waiting = nil
      waiting.waiter.resume()
    }
  }
}

/// Why a role cannot be played.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
