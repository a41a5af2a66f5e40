// SPDX-License-Identifier: MIT
package import AgentLoop
import FaceModel
import MediaModel
import PlaybackLogic
package import SourceIO
import WatchIO

/// The saved playlists as they are on disk, whoever changes them there. Loop only.
///
/// The folder is read on a thread that may block, when the agent starts and when something in it changes.
@AgentLoop
package final class PlaylistCollection {
  /// Called when the playlists have changed, or another one is active.
  var news: @AgentLoop () -> Void = {}
  /// The playlists as the bus shows them.
  private(set) var face = PlaylistsFace() {
    didSet { if face != oldValue { news() } }
  }

  /// Called with the reason when the folder can't be followed or read.
  private let report: @AgentLoop (String) -> Void
  private let folder: PlaylistFolder
  private let thread: BlockingThread
  private var watch: FolderWatch?
  private var reading: Task<Void, Never>?
  private var isStale = false

  /// Begins to read and follow a folder, which need not exist. `report` is called with the reason if that fails, now or later.
  package init(
    _ folder: PlaylistFolder, thread: BlockingThread, report: @escaping @AgentLoop (String) -> Void
  ) {
    self.report = report
    self.folder = folder
    self.thread = thread
    watch = FolderWatch(folder.path) { [weak self] in self?.read() }
    if let trouble = watch?.trouble { report("their changes are not noticed: \(trouble)") }
    read()
  }

  /// Returns when what was on the disk at the call has been read.
  func untilRead() async { await reading?.value }

  private func read() {
    isStale = true
    guard reading == nil else { return }
    // If the folder is known not to exist, no thread is needed to look for it.
    if let watch, watch.trouble == nil, !watch.isThere { return face.playlists = [] }
    reading = AgentLoop.task { [weak self] in await self?.readUntilFresh() }
  }

  private func readUntilFresh() async {
    while isStale {
      isStale = false
      do {
        let items = try await thread.run { [folder] job in
          job.looks(at: folder.path.text)
          return Result { () throws(PlaylistFileError) in try folder.items() }
        }.get()
        face.playlists = items.map { SavedPlaylist(file: $0.file, name: $0.name, modified: $0.modified) }
      } catch {
        report("they can't be read: \(error)")
      }
    }
    reading = nil
  }

  // MARK: The one that plays

  /// Says that the queue now holds this playlist.
  func activated(_ file: FilePath) { face.active = file }

  /// Hears of changes of the queue. After an edit the queue is no longer the playlist, so none is active until one is put into it
  /// again.
  func hear(_ change: QueueChange) { if !change.edits.isEmpty { face.active = nil } }
}
