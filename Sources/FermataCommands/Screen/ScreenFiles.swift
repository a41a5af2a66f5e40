// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import FileIO
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

  /// The playlists in the folder and the agent's smart ones, by name. If the agent does not answer, the smart ones are missing.
  ///
  /// If the folder can't be read, `complain` gets the reason, and the playlists that were read from it before are listed. Nil if there are none of those
  /// and no smart ones.
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

  /// The file in which the plain playlist of this name is written.
  func place(ofList name: String) async throws(CommandError) -> FilePath {
    try await read { () throws(CommandError) in try KeptPlaylists.place(of: name) }
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

/// Finds the files and folders whose paths begin as somebody has typed.
enum PathOffers {
  /// How many names are kept: more are no help to a person, and a folder may have millions. The shell completes the letters with which all offered
  /// names begin. So a further name is still kept if it shortens these.
  private static let most = 1_000

  /// The paths, written as this one was begun; those of folders end in a slash. Hidden files are found only if the name begins with a dot. Blocks on
  /// the disk.
  static func paths(beginningWith begun: String) -> [String] {
    if begun == "~" { return ["~/"] }
    let cut = begun.lastIndex(of: "/").map(begun.index(after:)) ?? begun.startIndex
    let (folder, name) = (String(begun[..<cut]), String(begun[cut...]))
    return ((try? names(in: folder, beginningWith: name)) ?? []).sorted().map { folder + $0 }
  }

  private static func names(in folder: String, beginningWith start: String) throws -> [String] {
    guard let path = FilePath(folder.isEmpty ? "." : ChildCommand.expanded(folder)) else { return [] }
    var listing = try HeldFile(path).openFolder()
    var found: [String] = []
    var shared = Int.max
    while let (name, hint) = try listing.next() {
      guard let text = String(validating: name.bytes, as: UTF8.self), text.hasPrefix(start),
        text != ".", text != "..", start.hasPrefix(".") || !text.hasPrefix("."),
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      else { continue }
      let same = min(shared, found.first.map { zip($0, text).prefix { $0 == $1 }.count } ?? .max)
      guard found.count < most || same < shared else { continue }
      shared = same
      found.append(text + (isFolder(name, hint, in: listing) ? "/" : ""))
    }
    return found
  }

  private static func isFolder(_ name: FilePath, _ hint: Directory.Hint, in listing: borrowing Directory)
    -> Bool
  {
    switch hint {
    case .folder: true
    case .file, .other: false
    case .link, .unknown: (try? listing.status(of: name))?.kind == .folder
    }
  }
}

/// The file of the lines that were typed on the screen. Every call blocks on the disk, and any thread may call.
///
/// If the file holds anything else, the next line that is added replaces it. No line is lost when two screens are open: each adds its line to what
/// the file holds at that time. Errors are not reported, because the loss of such a line is no reason to disturb the user.
struct HistoryFile: Sendable {
  private let path: FilePath

  /// The history in the file at this path, which need not exist.
  init(_ path: FilePath) { self.path = path }

  func read() -> TypedHistory {
    guard let held = try? HeldFile(path), held.kind == .file,
      let bytes = try? held.openFile().head(TypedHistory.largestFile + 1)
    else { return TypedHistory() }
    return TypedHistory(bytes) ?? TypedHistory()
  }

  func add(_ line: KeptLine) {
    guard let folder = path.parent else { return }
    try? NewFolder.make(folder)
    guard let lock = try? FolderLock(folder) else { return }
    var history = read()
    history.add(line)
    try? write(history.file)
    _ = consume lock
  }

  // Only the user may read what they typed, whoever may read the folder.
  private func write(_ bytes: [UInt8]) throws(SystemError) {
    let file = try NewFile(besides: path, mode: 0o600)
    try file.write(bytes)
    try file.publish(as: path, survivesPowerLoss: false)
  }
}

/// Reads and adds to the file of typed lines without holding up the screen. Only on the loop; its thread begins with the first use.
@AgentLoop
final class ScreenHistory {
  /// How long the screen, when it is closed, waits for a disk that does not answer.
  private static let patience = Duration.milliseconds(500)

  private let file: HistoryFile?
  private let thread = BlockingThread("history")
  private var waiting = 0

  init(_ file: HistoryFile?) { self.file = file }

  func read() async -> TypedHistory {
    guard let file else { return TypedHistory() }
    return (try? await thread.run { _ in file.read() }) ?? TypedHistory()
  }

  func add(_ line: KeptLine) {
    guard let file else { return }
    waiting += 1
    AgentLoop.task { [self] in
      try? await thread.run { _ in file.add(line) }
      waiting -= 1
    }
  }

  /// Waits until the lines that were added are written to the file, but at most half a second.
  func end() async {
    let end = AgentLoop.now + Self.patience
    while waiting > 0, AgentLoop.now < end {
      await AgentLoop.pause(.milliseconds(1))
    }
  }
}
