// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic
import StoreIO

/// Stores the listener's place in the current track, in a file beside the queue. Owns that file. Loop only.
@AgentLoop
final class PlaceKeeper {
  private let folder: String
  private var file: PositionFile?
  private var last: PositionFile.Record?
  /// Whether the last place could be written.
  private(set) var isKept = true

  /// Opens the file in the folder, which this agent has locked. If the file cannot be made yet, each write tries again.
  init(in folder: String) {
    self.folder = folder
    file = try? PositionFile(in: folder)
  }

  /// Whether somebody deleted the file.
  var isGone: Bool { file?.isGone ?? false }

  /// The place that is stored for this entry; nil if the file has the place of another one, or none.
  func place(in entry: EntryID) -> Duration? {
    let record = file?.read()
    return record?.entry == entry ? record?.position : nil
  }

  /// Stores a place. While music plays, the place moves by itself and a few seconds of it may be lost, so it is written only now and
  /// then. With `atOnce`, for a place that stands still or has jumped, it is written now, unless it is stored already.
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
