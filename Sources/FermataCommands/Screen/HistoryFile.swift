// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import MediaModel
import ScreenModel

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
