// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic
import StoreIO

/// Keeps the listener's place on disk, beside the queue.
@AgentLoop
final class PlaceKeeper {
  private let folder: String
  private var file: PositionFile?
  private var last: PositionFile.Record?
  /// Whether the last place is on disk.
  private(set) var isKept = true

  /// Opens the file in the folder, which is held by this agent. Where it cannot be made yet, each write tries again.
  init(in folder: String) {
    self.folder = folder
    file = try? PositionFile(in: folder)
  }

  /// Whether somebody deleted the file.
  var isGone: Bool { file?.isGone ?? false }

  /// The place that was kept for this entry.
  func place(in entry: EntryID) -> Duration? {
    let record = file?.read()
    return record?.entry == entry ? record?.position : nil
  }

  /// While it plays the place moves by itself, and some seconds of it may be lost; when it stands, what stands is kept at once.
  func keep(_ record: PositionFile.Record, atOnce: Bool) {
    if atOnce, record == last, isKept { return }
    last = record
    if file == nil { file = try? PositionFile(in: folder) }
    do throws(StoreError) {
      if atOnce {
        try file?.write(record, now: AgentLoop.now)
      } else {
        try file?.refresh(record, now: AgentLoop.now)
      }
      isKept = file != nil
    } catch {
      isKept = false
    }
  }
}
