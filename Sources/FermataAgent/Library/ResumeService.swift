// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import LibraryIO
import MediaModel

/// Takes the places where long tracks were left from the library, which stores them, to the player, which decides about them, and back.
///
/// Without a library, nothing is stored and nothing is asked. A track that is not in the library has a stored place only if it was there before, or its
/// place was imported.
@AgentLoop
final class ResumeService {
  private let service: PlayerService
  private let library: LibraryService
  private let log: Log
  /// The number that a file had in the library when it was current, if that was lately.
  var number: @AgentLoop (FilePath) -> MediaItem.ID? = { _ in nil }
  private var timer: LoopTimer?
  private var isLoaded = false
  /// Those who wait until the places are loaded.
  private let waiting = WaitingCallers()
  /// The places that the library has not stored yet, by the locations of the files; a nil value deletes the stored one.
  private var unstored: [String: Duration?] = [:]
  private var storing: Task<Bool, Never>?
  private var backoff = Backoff(first: .seconds(1), limit: .seconds(600))
  private var isStopped = false
  /// What was last logged, so that the same is not logged at each try.
  private var trouble: String?

  /// How long the library must be without changes before the places are loaded again. A scan may have moved files, so they are loaded when it is
  /// over.
  private static let quiet = Duration.seconds(2)

  init(_ service: PlayerService, _ library: LibraryService, _ log: Log) {
    (self.service, self.library, self.log) = (service, library, log)
    service.keepPlace = { [weak self] in self?.keep($0, $1) }
  }

  /// Begins to load the places that the library has stored into the player.
  func begin() {
    guard library.isThere else { return }
    service.load(places: nil)
    AgentLoop.task { await self.load() }
  }

  /// Tries nothing again any more.
  func stop() {
    isStopped = true
    timer?.cancel()
  }

  /// Has the library store what it has not stored yet, once more. Returns when that has succeeded or failed.
  func finish() async {
    _ = await storing?.value
    _ = await store()
  }

  /// How long others wait for the places at the start.
  private static let patience = Duration.milliseconds(250)

  /// Returns when the places are loaded, so that whatever is ordered next begins where it was left; a little later without them if the disk is slow.
  func untilLoaded() async {
    guard library.isThere, !isLoaded else { return }
    await waiting.wait(atMost: Self.patience)
  }

  /// Loads the places again soon, because items of the library have changed.
  func libraryChanged() { work(after: Self.quiet) }

  private func work(after delay: Duration) {
    timer?.cancel()
    guard !isStopped else { return }
    timer = AgentLoop.after(delay) { [weak self] in
      AgentLoop.task {
        // What is read must be newer than what was decided here.
        if await self?.store() == true { await self?.load() }
      }
    }
  }

  private func load() async {
    guard library.isThere else { return }
    do throws(BusError) {
      let stored = try await library.use { try $0.resumePlaces() }
      var places = Dictionary(stored.map { ($0.path.location, $0.place) }) { first, _ in first }
      var books = Set(stored.lazy.filter(\.isBook).map(\.path.location))
      // A file may be played by its real path, where its folder was added by a link.
      for (path, place, isBook) in stored {
        guard let real = library.folderPlaces.realPath(of: path)?.location, places[real] == nil else {
          continue
        }
        places[real] = place
        if isBook { books.insert(real) }
      }
      for (location, place) in unstored { places[location] = place }
      service.load(places: places, ofBooks: books)
      isLoaded = true
      waiting.resume()
      worked()
    } catch {
      failed("where long tracks were left is not known", error)
    }
  }

  private func keep(_ location: String, _ place: Duration?) {
    guard library.isThere, ItemService.path(location) != nil else { return }
    unstored[location] = .some(place)
    AgentLoop.task { await self.store() }
  }

  /// Has the library store the places that it does not have yet. Returns false if that fails.
  @discardableResult
  private func store() async -> Bool {
    guard storing == nil, !unstored.isEmpty else { return true }
    let task = AgentLoop.task { [self] in
      defer { storing = nil }
      return await storeAll()
    }
    storing = task
    return await task.value
  }

  private func storeAll() async -> Bool {
    while !unstored.isEmpty {
      let batch = unstored
      let numbers = batch.keys.compactMap { key in
        ItemService.path(key).map { (location: key, path: $0, known: number($0)) }
      }
      do throws(BusError) {
        try await library.use { store in
          for (location, path, known) in numbers {
            guard let place = batch[location] else { continue }
            try store.keepPlace(place, at: path, known: known, at: LibraryService.now)
          }
        }
        worked()
        unstored = unstored.filter { batch[$0.key] != .some($0.value) }
      } catch {
        failed("where long tracks were left is not stored", error)
        return false
      }
    }
    return true
  }

  private func worked() {
    backoff.reset()
    trouble = nil
  }

  /// Says what is not done, and tries again later.
  private func failed(_ trouble: String, _ error: BusError) {
    if self.trouble != trouble { log(.warning, "\(trouble): \(error.message)") }
    self.trouble = trouble
    work(after: backoff.next())
  }
}
