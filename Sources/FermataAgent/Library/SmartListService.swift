// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import LibraryIO
import LibraryQuery
import MediaModel
import PlaylistModel

/// The smart playlists of the library: stores them, and counts how many items each has as the library changes.
///
/// They are queried again when the library has not changed for a moment. Without smart playlists nothing is queried and no timer runs.
@AgentLoop
final class SmartListService {
  /// Called when a playlist came or went, or when its query or its items changed.
  var news: @AgentLoop () -> Void = {}
  /// The playlists with the numbers of their items, in any order.
  private(set) var lists: [SmartPlaylistFace] = [] {
    didSet { if lists != oldValue { news() } }
  }
  /// The plain playlists, which are files. They are listed and found by name beside the smart ones, and no new smart one gets a name of theirs. Nil if
  /// there is no folder for them.
  weak var plain: PlaylistCollection?

  /// The library that has the playlists. It owns this service; the reference is weak because an answer may still be under way when the library goes.
  private weak var library: LibraryService?
  private var reading: Task<Void, Never>?
  private var isStale = false
  /// Whether `lists` is what the library has: false until the library could be read for the first time.
  private var isRead = false
  private var refreshing: LoopTimer?
  /// The items of the plain playlist that is being read page by page, by their numbers in the library, and since when. To find them, the file has to be
  /// read, and each of its lines looked up.
  private var opened: (name: String, items: [Int64], since: Duration)?
  /// Counts what may make `opened` untrue, also while it is being read.
  private var changes = 0
  private static let openedStays = Duration.seconds(60)
  private var isStopped = false
  /// The waits before the first reading is tried again, if the library could not be read.
  private var retry = Backoff(first: .seconds(2), limit: .seconds(300))

  /// How long the library must be without changes before the playlists are queried: a scan writes several batches a second, so they wait until it is
  /// over.
  private static let quiet = Duration.seconds(2)

  init(_ library: LibraryService) { self.library = library }

  // MARK: Its life

  /// Reads the playlists. Does nothing without a library.
  func begin() { if isThere { refresh() } }

  func stop() {
    isStopped = true
    refreshing?.cancel()
  }

  /// Queries the playlists again soon, because items of the library have changed.
  func libraryChanged() {
    forgetOpened()
    guard !lists.isEmpty || !isRead else { return }
    refresh(in: Self.quiet)
  }

  private func refresh(in wait: Duration) {
    refreshing?.cancel()
    refreshing = AgentLoop.after(wait) { [weak self] in self?.refresh() }
  }

  /// Call when a plain playlist came, went or changed, and when the library's database was made anew.
  func forgetOpened() {
    opened = nil
    changes += 1
  }

  /// Reads the playlists again, because some were imported from a file.
  func listsChanged() { refresh() }

  /// Returns when the playlists that were stored at the time of the call are in `lists`.
  func untilRead() async { await reading?.value }

  private var isThere: Bool { library?.isThere ?? false }

  private func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer {
    guard let library else { throw AgentError.tryAgain("the library is closed") }
    return try await library.use(body)
  }

  private func refresh() {
    guard !isStopped else { return }
    refreshing?.cancel()
    refreshing = nil
    isStale = true
    guard reading == nil else { return }
    reading = AgentLoop.task { [weak self] in await self?.readUntilFresh() }
  }

  private func readUntilFresh() async {
    while isStale {
      isStale = false
      // If the library can't be read, the old lists stay; a caller that asks the library for something is told the reason then.
      if let read = try? await faces() { (lists, isRead) = (read, true) }
    }
    if !isRead, refreshing == nil { refresh(in: retry.next()) }
    reading = nil
  }

  // MARK: What can be asked

  /// Reads all smart playlists and counts their items. Empty without a library.
  func faces() async throws(BusError) -> [SmartPlaylistFace] {
    guard isThere else { return [] }
    var faces: [SmartPlaylistFace] = []
    // One at a time, so that the questions of others can be answered in between.
    for playlist in try await use({ try $0.smartPlaylists() }) {
      faces.append(
        try await use { store in
          let held = try store.extent(of: playlist, at: LibraryService.queryTime)
          return SmartPlaylistFace(playlist, count: held.count, duration: held.duration)
        })
    }
    return faces
  }

  /// A page of a playlist's items, and the number of all its items; of a plain playlist those that are in the library. Throws if there is no such
  /// playlist.
  func items(of name: String, from first: Int, count: Int) async throws(BusError) -> [WireValue] {
    let rows = (first - 1)..<(first - 1 + count)
    if first > 1, let opened, opened.name == name, AgentLoop.now - opened.since < Self.openedStays {
      return try await use { AgentLibrary.reply(try $0.page(of: opened.items, rows: rows)) }
    }
    let before = changes
    if let files = try await plain?.files(named: name) {
      guard isThere else { return AgentLibrary.reply([ItemFace](), total: 0) }
      try await checkIsPlainOnly(name)
      opened = nil
      let (items, reply) = try await use { store in
        let items = try store.ids(at: files)
        return (items, AgentLibrary.reply(try store.page(of: items, rows: rows)))
      }
      if items.count > count, changes == before { opened = (name, items, AgentLoop.now) }
      return reply
    }
    return try await withList(name) { store, playlist in
      let time = LibraryService.queryTime
      let page = try store.page(of: playlist.query(rows: rows), at: time)
      return AgentLibrary.reply(page.items.map(ItemFace.init), total: playlist.count(ofAll: page.total))
    }
  }

  /// All playlists, plain ones too, as collections; each is counted with only the items that `query` finds.
  func collections(
    _ query: ItemQuery, isInterrupted: @escaping @Sendable () -> Bool
  ) async throws(BusError) -> CollectionPage {
    let files = await plain?.contents() ?? []
    guard isThere else { return LibraryStore.playlists(query, withoutLibrary: files) }
    return try await use { store in
      try store.playlists(
        query, beside: files, at: LibraryService.queryTime, isInterrupted: isInterrupted)
    }
  }

  /// What a playlist of this name is to the queue: its file, or the files of its items. Throws if there is none, if it is empty, and
  /// if two have that name.
  func files(named name: String) async throws(BusError) -> [ItemSource] {
    let file = await plain?.file(named: name)
    let smart: SmartPlaylist?
    do throws(BusError) {
      smart = isThere ? try await use { try $0.smartPlaylist(name) } : nil
    } catch {
      // A file plays, whatever is wrong with the library.
      guard let file else { throw error }
      return [ItemSource(file)]
    }
    switch (file, smart) {
    case (let file?, nil): return [ItemSource(file)]
    case (nil, let smart?):
      let ids = try await use { try $0.ids(of: smart.query(), at: LibraryService.queryTime) }
      guard !ids.isEmpty else {
        throw AgentError.nothingPlayable(
          "playlist '\(name)': nothing in the library is like that now; 'fermata playlist show' says what it asks"
        )
      }
      return try await library?.files(of: ids) ?? []
    case (let file?, .some): throw Self.twofold(name, file)
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

  /// Throws if there is a file and a smart playlist of this name, because nobody can tell then which one is meant.
  private func checkIsPlainOnly(_ name: String) async throws(BusError) {
    guard let file = await plain?.file(named: name) else { return }
    if isThere, try await use({ try $0.smartPlaylist(name) }) != nil { throw Self.twofold(name, file) }
  }

  private static func twofold(_ name: String, _ file: FilePath) -> BusError {
    AgentError.refused(
      "playlist '\(name)': a smart playlist and '\(file)' both have that name; give the file another one")
  }

  private static func unknown(_ name: String) -> BusError {
    AgentError.noSuchFile(
      "playlist '\(name.prefix(256))': there is none of that name; 'fermata playlist' lists them")
  }

  // MARK: Changes

  /// Stores a query under a name. Throws if it is not a valid query, or if the name is taken.
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
    let refusal = try await use { try $0.refusal(of: playlist.query(), at: LibraryService.queryTime) }
    if let refusal { throw .invalidArguments(refusal) }
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
    try await checkIsPlainOnly(name)
    guard isThere, try await use({ try $0.deleteSmartPlaylist(name) }) else {
      throw Self.unknown(name)
    }
    await refreshNow()
  }

  /// Reads the playlists before a change is answered, so that its caller then finds it on the bus.
  private func refreshNow() async {
    refresh()
    await untilRead()
  }
}

extension AgentLibrary {
  fileprivate static func reply(_ page: ItemPage) -> [WireValue] {
    reply(page.items.map(ItemFace.init), total: page.total)
  }
}

extension SavedPlaylist {
  /// A smart playlist in the form in which MPRIS shows it.
  init(_ list: SmartPlaylistFace) {
    var hasher = Hasher()
    hasher.combine(list)
    self.init(smart: list.name, content: hasher.finalize())
  }
}
