// SPDX-License-Identifier: MIT
import BusModel
package import CommandModel
package import FaceModel
package import JobLogic
package import ListeningModel
package import MediaModel

/// What a client asks the agent about the library, and about the jobs that read it.
extension AgentClient {
  /// Adds a folder to the library, and returns the job that scans it.
  package func add(libraryFolder folder: FilePath) async throws(CommandError) -> JobID {
    try await job(.add(libraryFolder: folder))
  }

  /// Removes a folder from the library. With 100,000 tracks in it that takes a while.
  package func remove(libraryFolder folder: FilePath) async throws(CommandError) {
    try await call(.remove(libraryFolder: folder), timeout: Self.patience)
  }

  /// Scans these folders for changes, or all if there are none, and returns the job.
  package func scan(_ folders: [FilePath]) async throws(CommandError) -> JobID {
    try await job(.scan(folders))
  }

  /// Measures the loudness of the items that match an expression and have none in their tags, and returns the job. With `again`, also of those that
  /// were measured before.
  package func analyze(_ expression: String, again: Bool) async throws(CommandError) -> JobID {
    try await job(.analyze(expression, again: again))
  }

  private func job(_ call: AgentCall) async throws(CommandError) -> JobID {
    let reply = try await self.call(call, timeout: Self.patience)
    guard let number = try? reply.decoded(as: UInt32.self) else { throw unreadable }
    return JobID(rawValue: number)
  }

  package func libraryStatus() async throws(CommandError) -> LibraryStatus {
    let reply = try await call(.libraryStatus)
    guard let status = reply.first.flatMap(LibraryStatus.init(wire:)) else { throw unreadable }
    return status
  }

  /// All items that a request finds, and how many it would find without its own limit. If they don't fit into one answer, their IDs are read first, in
  /// one piece: between two pages of items a scan may change the library, and the second would begin at another item.
  package func items(_ request: LibraryRequest) async throws(CommandError) -> (items: [ItemFace], total: Int)
  {
    let first = try await itemPage(request)
    let wanted = min(first.total, request.limit ?? .max)
    if first.items.count >= wanted || first.items.isEmpty { return first }
    let numbers = try await numbers(request)
    var items: [ItemFace] = []
    items.reserveCapacity(numbers.count)
    for start in stride(from: 0, to: numbers.count, by: AgentLibrary.largestPage) {
      let part = numbers[start..<min(start + AgentLibrary.largestPage, numbers.count)]
      let known = try await known(part)
      // An item that was removed since then is left out.
      items += part.compactMap { known[$0] }
    }
    return (items, max(first.total, items.count))
  }

  /// Those of these items that the library shows, at most as many as fit into a page.
  package func known(
    _ items: some Sequence<MediaItem.ID>
  ) async throws(CommandError) -> [MediaItem.ID: ItemFace] {
    let numbers = items.map { "\($0.rawValue)" }.joined(separator: ", ")
    var (known, request) = ([ItemFace](), LibraryRequest("id in [\(numbers)]"))
    repeat {
      request.first = known.count + 1
      let page = try await itemPage(request)
      known += page.items
      if page.items.isEmpty || known.count >= page.total { break }
    } while true
    let pairs = known.compactMap { face in face.item.id.map { ($0, face) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  private func itemPage(
    _ request: LibraryRequest
  ) async throws(CommandError) -> (items: [ItemFace], total: Int) {
    let reply = try await call(.query(request), timeout: Self.patience)
    guard let page = try? AgentLibrary.items(reply: reply) else { throw unreadable }
    return page
  }

  /// All collections that a request finds, and how many it would find without its own limit. If their number changes between two pages they are read
  /// again, at most four times in all: a scan that goes on may change it all the time.
  package func collections(
    _ request: LibraryRequest
  ) async throws(CommandError) -> (collections: [CollectionFace], total: Int) {
    var answer = try await collectionsAtOnce(request)
    for _ in 1..<4 where answer.isTorn { answer = try await collectionsAtOnce(request) }
    return (answer.collections, answer.total)
  }

  private func collectionsAtOnce(
    _ request: LibraryRequest
  ) async throws(CommandError) -> (collections: [CollectionFace], total: Int, isTorn: Bool) {
    var (all, total, request, isTorn) = ([CollectionFace](), 0, request, false)
    repeat {
      request.first = all.count + 1
      let reply = try await call(.query(request), timeout: Self.patience)
      guard let page = try? AgentLibrary.collections(reply: reply) else { throw unreadable }
      isTorn = isTorn || !all.isEmpty && page.total != total
      total = page.total
      if page.collections.isEmpty { break }
      all += page.collections
    } while all.count < min(total, request.limit ?? .max)
    return (all, total, isTorn)
  }

  /// The IDs of the items that a request finds, from its first row on.
  package func numbers(_ request: LibraryRequest) async throws(CommandError) -> [MediaItem.ID] {
    var (numbers, request) = ([MediaItem.ID](), request)
    let before = request.first - 1
    request.count = AgentLibrary.largestNumbers
    while true {
      request.first = before + numbers.count + 1
      let reply = try await call(.numbers(request), timeout: Self.patience)
      guard let page = try? AgentLibrary.numbers(reply: reply) else { throw unreadable }
      numbers += page.items
      if page.items.isEmpty || before + numbers.count >= min(page.total, request.limit ?? .max) {
        return numbers
      }
    }
  }

  /// Everything that is known of an item.
  package func item(_ item: MediaItem.ID) async throws(CommandError) -> ItemFace {
    let reply = try await call(.item(item))
    guard let face = reply.first.flatMap(ItemFace.init(wire:)) else { throw unreadable }
    return face
  }

  /// The library's number of the file with this URI, or of the part of that file that begins where `part` does; nil if the library does not have it. A
  /// part that is no item itself, such as a chapter of a book, belongs to the item of the whole file.
  package func item(at uri: String, part: FilePart? = nil) async throws(CommandError) -> MediaItem.ID? {
    // If the file is shown as its parts, several items have this URI.
    let found = try await items(LibraryRequest("url == \(LibraryRequest.quoted(uri))")).items
    let exact = found.first { $0.item.part?.start == part?.start }
    return (exact ?? found.first { $0.item.part == nil })?.item.id
  }

  package func rate(_ item: MediaItem.ID, _ rating: Int) async throws(CommandError) {
    try await call(.rate(item, rating))
  }

  /// The text that a user has stored under a key for an item, such as a mood; empty if there is none.
  package func note(_ item: MediaItem.ID, key: String) async throws(CommandError) -> String {
    let reply = try await call(.note(item, key: key))
    guard let note = try? reply.decoded(as: String.self) else { throw unreadable }
    return note
  }

  package func setNote(_ item: MediaItem.ID, key: String, _ text: String) async throws(CommandError) {
    try await call(.setNote(item, key: key, text))
  }

  /// The jobs that are not over, and those that ended most recently.
  package func jobs() async throws(CommandError) -> [Job] {
    let reply = try await call(.jobs)
    guard let jobs = try? AgentJobs.jobs(reply: reply) else { throw unreadable }
    return jobs
  }

  package func order(_ order: JobBoard.Order, _ job: JobID) async throws(CommandError) {
    try await call(.order(order, job))
  }
}

extension AgentClient {
  /// Makes the agent write the user's ratings, counts, notes and smart playlists into a file. Returns the numbers of tracks and of smart playlists in
  /// the file.
  package func export(
    to file: FilePath, replacing: Bool
  ) async throws(CommandError) -> (sounds: Int, playlists: Int) {
    let reply = try await call(.export(file, replacing: replacing), timeout: Self.patience)
    guard let (sounds, playlists) = try? reply.decoded(as: UInt32.self, UInt32.self) else { throw unreadable }
    return (Int(sounds), Int(playlists))
  }

  package func take(from file: FilePath, replacing: Bool) async throws(CommandError) -> ImportReport {
    let reply = try await call(.take(from: file, replacing: replacing), timeout: Self.patience)
    guard let report = reply.first.flatMap(ImportReport.init(wire:)) else { throw unreadable }
    return report
  }
}

// The smart playlists.
extension AgentClient {
  package func smartPlaylists() async throws(CommandError) -> [SmartPlaylistFace] {
    let reply = try await call(.smartPlaylists, timeout: Self.patience)
    guard let lists = try? AgentPlaylists.playlists(reply: reply) else { throw unreadable }
    return lists
  }

  /// Saves a query as a smart playlist under a name.
  package func save(smart name: String, _ options: SmartOptions) async throws(CommandError) {
    try await call(.save(smart: name, options), timeout: Self.patience)
  }

  package func delete(smart name: String) async throws(CommandError) {
    try await call(.delete(smart: name), timeout: Self.patience)
  }

  /// All items of a playlist, in its order; of a plain one those that are in the library.
  package func items(ofPlaylist name: String) async throws(CommandError) -> [ItemFace] {
    var items: [ItemFace] = []
    while true {
      let reply = try await call(.items(ofPlaylist: name, from: items.count + 1), timeout: Self.patience)
      guard let page = try? AgentLibrary.items(reply: reply) else { throw unreadable }
      items += page.items
      if page.items.isEmpty || items.count >= page.total { return items }
    }
  }
}
