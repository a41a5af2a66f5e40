// SPDX-License-Identifier: MIT
package import AgentLoop
import BusModel
import FaceModel
import LibraryIO
import MediaModel
import PlaybackLogic
import PlaylistModel
package import SourceIO
import WatchIO

/// The saved playlists: the plain ones, which are files in a folder that any program may change, and the smart ones, which are queries of the
/// library.
///
/// The folder is read on a thread that may block, when the agent starts and when something in it changes.
@AgentLoop
package final class PlaylistCollection {
  /// Called when the playlists have changed, or when the one that the queue holds (`face.active`) has.
  var news: @AgentLoop () -> Void = {}
  /// The playlists as the bus shows them.
  private(set) var face = PlaylistsFace() {
    didSet { if face != oldValue { news() } }
  }

  /// Called with the reason when the folder can't be followed or read.
  private let report: @AgentLoop (String) -> Void
  private let folder: PlaylistFolder
  /// The playlists that are files in the folder, as it was read last.
  private var plain: [SavedPlaylist] = []
  private var smart: SmartListService?
  private let thread: BlockingThread
  private var watch: FolderWatch?
  private var reading: Task<Void, Never>?
  private var isStale = false
  /// Whether the queue was edited in this turn, and no playlist was loaded since.
  private var isEdited = false

  /// Begins to read and follow a folder, which need not exist. `report` is called with the reason whenever that fails, now or later.
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

  /// Shows the smart playlists as well.
  func add(_ smart: SmartListService) {
    self.smart = smart
    smart.plain = self
    smart.news = { [weak self] in self?.show() }
    show()
  }

  /// Returns when the playlist folder has been read as it was at the time of the call.
  func untilRead() async {
    await reading?.value
    await smart?.untilRead()
  }

  private func show() { face.playlists = plain + (smart?.lists ?? []).map(SavedPlaylist.init) }

  /// The files of the plain playlists by their names, as the folder is now.
  func filesByName() async -> [String: FilePath] {
    Dictionary(await items().map { ($0.name, $0.file) }, uniquingKeysWith: { first, _ in first })
  }

  /// The file of the playlist of this name, as the folder is now; nil if there is none. Smart playlists do not count.
  func file(named name: String) async -> FilePath? {
    let item = try? await thread.run { [folder] job in
      job.looks(at: folder.path.text)
      return try? folder.item(named: name)
    }
    return item?.file
  }

  private func items() async -> [PlaylistFolder.Item] {
    let items = try? await thread.run { [folder] job in
      job.looks(at: folder.path.text)
      return (try? folder.items()) ?? []
    }
    return items ?? []
  }

  /// The files of the plain playlist with this name, or why they can't be read; nil if there is none.
  func files(named name: String) async throws(BusError) -> [ItemSource]? {
    guard let file = await file(named: name) else { return nil }
    let read = try? await thread.run { [folder] job -> Result<[ItemSource], PlaylistFileError> in
      job.looks(at: file.text)
      do throws(PlaylistFileError) { return .success(try folder.playlist(in: file).files) } catch {
        return .failure(error)
      }
    }
    switch read {
    case .success(let files): return files
    case .failure(let error): throw AgentError.nothingPlayable("\(error.path.text): \(error.explanation)")
    case nil: throw AgentError.tryAgain("'\(file.text)' does not answer; try again when its disk does")
    }
  }

  /// The plain playlists with the files that they name. Those that can't be read are left out.
  func contents() async -> [PlainPlaylist] {
    let found = try? await thread.run { [folder] job in
      job.looks(at: folder.path.text)
      let items = (try? folder.items()) ?? []
      return items.prefix(PlaylistsFace.largestPage).compactMap { item in
        (try? folder.playlist(in: item.file)).map { PlainPlaylist(item.name, $0.files) }
      }
    }
    return found ?? []
  }

  private func read() {
    isStale = true
    guard reading == nil else { return }
    // If the folder is known not to exist, no thread is needed to look for it.
    if let watch, watch.trouble == nil, !watch.isThere {
      plain = []
      smart?.forgetOpened()
      return show()
    }
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
        plain = items.map { SavedPlaylist(file: $0.file, name: $0.name, modified: $0.modified) }
        smart?.forgetOpened()
        show()
      } catch {
        report("they can't be read: \(error)")
      }
    }
    reading = nil
  }

  // MARK: The one that plays

  /// Notes that the queue now holds this playlist, so that the bus shows it as the active one.
  func activated(_ playlist: SavedPlaylist.Key) {
    isEdited = false
    face.active = playlist
  }

  /// Takes in a report of the player. After an edit the queue is no longer the same as the playlist, so no playlist is active until one is loaded
  /// again. Loading one is an edit too, in the same turn, so the end of the turn is waited for.
  func hear(_ news: PlayerNews) {
    switch news {
    case .queue(let change): isEdited = isEdited || !change.edits.isEmpty
    case .turn:
      if isEdited { face.active = nil }
      isEdited = false
    default: break
    }
  }
}

extension Playlist {
  /// The files that it names, in order; what it names on the net is left out.
  fileprivate var files: [ItemSource] {
    entries.compactMap { entry in
      guard case .file(let path) = entry.location else { return nil }
      return ItemSource(path, part: entry.part)
    }
  }
}
