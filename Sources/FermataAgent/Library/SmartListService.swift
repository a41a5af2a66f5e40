// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import LibraryIO
import LibraryQuery
import MediaModel
import PlaylistModel
import SourceIO

/// The smart playlists of the library: keeps them, and knows how much each holds as the library changes. Loop only.
///
/// They are asked anew when the library has been quiet for a moment. Without any, nothing is asked and no timer runs.
@AgentLoop
final class SmartListService {
  /// Called when a playlist came or went, asks something else, or has another answer.
  var news: @AgentLoop () -> Void = {}
  /// The playlists with what they hold, in any order.
  private(set) var lists: [SmartPlaylistFace] = [] {
    didSet { if lists != oldValue { news() } }
  }
  /// The plain playlists, which have their names from the same store of names; nil where there is no folder for them.
  weak var plain: PlaylistCollection?

  /// Whose playlists they are. It owns this service, which may be busy with an answer a little longer.
  private weak var library: LibraryService?
  private var reading: Task<Void, Never>?
  private var isStale = false
  private var refreshing: LoopTimer?

  /// A scan writes several batches a second. The answers are wanted when it is over.
  private static let quiet = Duration.seconds(2)

  init(_ library: LibraryService) { self.library = library }

  // MARK: Its life

  /// Looks up what there is. Does nothing without a library.
  func begin() { if isThere { refresh() } }

  func stop() { refreshing?.cancel() }

  /// Hears that items of the library have changed.
  func libraryChanged() {
    guard !lists.isEmpty else { return }
    refreshing?.cancel()
    refreshing = AgentLoop.after(Self.quiet) { [weak self] in self?.refresh() }
  }

  /// Hears that playlists were taken over from a file.
  func listsChanged() { refresh() }

  /// Returns when what was kept at the call is in `lists`.
  func untilRead() async { await reading?.value }

  private var isThere: Bool { library?.isThere ?? false }

  private func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer {
    guard let library else { throw AgentError.tryAgain("the library is closed") }
    return try await library.use(body)
  }

  private func refresh() {
    isStale = true
    guard reading == nil else { return }
    reading = AgentLoop.task { [weak self] in await self?.readUntilFresh() }
  }

  private func readUntilFresh() async {
    while isStale {
      isStale = false
      // A library that can't be read keeps what was known; whoever asks it for something is told why.
      if let read = try? await faces() { lists = read }
    }
    reading = nil
  }

  // MARK: What can be asked

  /// All of them, as they are now.
  func faces() async throws(BusError) -> [SmartPlaylistFace] {
    guard isThere else { return [] }
    return try await use { store in
      try store.smartPlaylists().map { playlist in
        let held = try store.extent(of: playlist, at: LibraryService.queryTime)
        return SmartPlaylistFace(playlist, count: held.count, duration: held.duration)
      }
    }
  }

  /// A page of a playlist's items, and how many it has in all. Throws if there is no such playlist.
  func items(of name: String, from first: Int, count: Int) async throws(BusError) -> [WireValue] {
    let rows = (first - 1)..<(first - 1 + count)
    return try await withList(name) { store, playlist in
      let time = LibraryService.queryTime
      let page = try store.page(of: playlist.query(rows: rows), at: time)
      return AgentLibrary.reply(page.items.map(ItemFace.init), total: playlist.count(ofAll: page.total))
    }
  }

  /// The playlists as collections, plain ones too, with what a query leaves of each.
  func collections(
    _ query: ItemQuery, isInterrupted: @escaping @Sendable () -> Bool
  ) async throws(BusError) -> CollectionPage {
    let files = await plain?.contents() ?? []
    return try await use { store in
      try store.playlists(
        query, beside: files, at: LibraryService.queryTime, isInterrupted: isInterrupted)
    }
  }

  /// What a playlist of this name is to the queue: its file, or the files of its items. Throws if there is none, if it is empty, and
  /// if two have that name.
  func files(named name: String) async throws(BusError) -> [FilePath] {
    let file = await plain?.file(named: name)
    let smart = isThere ? try await use { try $0.smartPlaylist(name) } : nil
    switch (file, smart) {
    case (let file?, nil): return [file]
    case (nil, let smart?):
      let ids = try await use { try $0.ids(of: smart.query(), at: LibraryService.queryTime) }
      guard !ids.isEmpty else {
        throw AgentError.nothingPlayable(
          "playlist '\(name)': nothing in the library is like that now; 'fermata playlist show' says what it asks"
        )
      }
      return try await library?.files(of: ids) ?? []
    case (let file?, .some):
      throw AgentError.refused(
        "playlist '\(name)': a smart playlist and '\(file)' both have that name; give the file another one")
    case (nil, nil): throw Self.unknown(name)
    }
  }

  /// Throws unless a new playlist may have this name.
  private func check(_ name: String) async throws(BusError) {
    guard PlaylistName.file(named: name) != nil else {
      throw AgentError.refused("a name has 1 to \(PlaylistName.longest - 5) bytes; give it another")
    }
    if let file = await plain?.file(named: name) {
      throw AgentError.refused(
        "playlist '\(name)': that name is taken by '\(file)'; delete that one, or choose another name")
    }
  }

  private func withList<Answer: Sendable>(
    _ name: String, _ body: @escaping @Sendable (LibraryStore, SmartPlaylist) throws -> Answer
  ) async throws(BusError) -> Answer {
    guard isThere,
      let answer = try await use({ store in try store.smartPlaylist(name).map { try body(store, $0) }
      })
    else { throw Self.unknown(name) }
    return answer
  }

  private static func unknown(_ name: String) -> BusError {
    AgentError.noSuchFile(
      "playlist '\(name.prefix(256))': there is none of that name; 'fermata playlist' lists them")
  }

  // MARK: Changes

  /// Keeps a query under a name. Throws if it is no query, or if the name is taken.
  func save(_ name: String, _ options: SmartOptions) async throws(BusError) {
    guard options.expression.utf8.count <= AgentLibrary.longestExpression else {
      throw .invalidArguments("an expression has at most \(AgentLibrary.longestExpression) bytes")
    }
    let playlist: SmartPlaylist
    do throws(PredicateError) {
      playlist = try SmartPlaylist(
        name, expression: options.expression, sort: options.sort.joined(separator: ","), limit: options.limit)
    } catch { throw .invalidArguments("\(error)") }
    try await check(name)
    let (isSaved, isFull) = try await use { store in
      let kept = try store.smartPlaylists()
      let isNew = !kept.contains { $0.name == name }
      if isNew, kept.count >= AgentPlaylists.most { return (false, true) }
      return (try store.save(playlist, replacing: options.replaces), false)
    }
    if isFull {
      throw AgentError.refused("there are \(AgentPlaylists.most) smart playlists already; delete some")
    }
    guard isSaved else {
      throw AgentError.refused(
        "playlist '\(name)': is there already; write over it with '--replace', or choose another name")
    }
    await refreshNow()
  }

  func delete(_ name: String) async throws(BusError) {
    guard isThere, try await use({ try $0.deleteSmartPlaylist(name) }) else {
      throw Self.unknown(name)
    }
    await refreshNow()
  }

  /// Whoever made a change finds it on the bus when he has the answer.
  private func refreshNow() async {
    refresh()
    await untilRead()
  }
}

extension SavedPlaylist {
  /// A smart playlist as MPRIS shows it.
  init(_ list: SmartPlaylistFace) {
    var hasher = Hasher()
    hasher.combine(list)
    self.init(smart: list.name, content: hasher.finalize())
  }
}
