// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import MediaModel
import ScreenModel
import SourceIO
import UserFiles

/// The user's playlists as the screen lists and plays them: the plain ones are files in a folder, the smart ones are the agent's.
///
/// Owns the thread that reads the folder, on whatever disk. Only on the loop.
@AgentLoop
final class ScreenLists {
  private let thread = BlockingThread("playlists")
  /// The plain playlists as they were read last.
  private var plain: [KeptList] = []
  /// Why the folder could not be read the last time; nil if it could.
  private var failure: String?

  /// All playlists by name; nil if the folder cannot be read and there are none to list otherwise. If the agent cannot tell the smart ones, the plain
  /// ones are listed all the same. If the folder cannot be read, those are listed that were read last, and `complain` gets the reason.
  func all(
    _ client: AgentClient, complain: @AgentLoop (_ reason: String) -> Void
  ) async -> [KeptList]? {
    var mayHaveSmart = true
    do throws(CommandError) {
      (plain, mayHaveSmart) = try await read { () throws(CommandError) in
        (try KeptPlaylists.items().map { KeptList($0.name) }, KeptPlaylists.mayHaveSmart)
      }
      failure = nil
    } catch {
      // While a scan goes on the screen asks several times a second, and the same reason is said once.
      if failure != error.reason || plain.isEmpty { complain(error.reason) }
      failure = error.reason
    }
    let smart = mayHaveSmart ? (try? await client.smartPlaylists()) ?? [] : []
    let all = plain + smart.map { KeptList($0.name, count: $0.count, isSmart: true) }
    if failure != nil, all.isEmpty { return nil }
    return all.sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  /// The playlist of this name as a source. If there may be smart ones, the agent finds out which is meant.
  func sources(ofList name: String) async throws(CommandError) -> [MediaSource] {
    try await read { () throws(CommandError) in
      let written = Array("\(KeptPlaylists.scheme):\(name)".utf8)
      if let name = KeptPlaylists.nameForAgent(ofSource: written) { return [.playlist(name)] }
      return try KeptPlaylists.file(ofSource: written).map { [.file($0)] } ?? []
    }
  }

  private func read<Answer: Sendable>(
    _ body: @escaping @Sendable () throws(CommandError) -> Answer
  ) async throws(CommandError) -> Answer {
    let answer: Result<Answer, CommandError>
    do throws(BlockingFailure) {
      answer = try await thread.run { _ in Result { () throws(CommandError) in try body() } }
    } catch { throw CommandError(.unavailable, "playlists", "\(error)") }
    return try answer.get()
  }
}
