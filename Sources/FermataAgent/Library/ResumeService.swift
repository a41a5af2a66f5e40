// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import LibraryIO
import LibraryModel
import MediaModel
import PlaybackLogic
import SourceIO

/// Takes the places where long tracks were left from the library, which stores them, to the player, which decides about them, and back.
///
/// Without a library, nothing is stored and nothing is asked. A track that is not in the library has no stored place.
@AgentLoop
final class ResumeService {
  private let service: PlayerService
  private let library: LibraryService
  private var loading: LoopTimer?

  /// How long the library must be without changes before the places are loaded again. A scan may have moved files, so they are loaded when it is
  /// over.
  private static let quiet = Duration.seconds(2)

  init(_ service: PlayerService, _ library: LibraryService) {
    (self.service, self.library) = (service, library)
    service.keepPlace = { [weak self] in self?.keep($0, $1) }
  }

  /// Loads the places that the library has stored into the player.
  func begin() { load() }

  func stop() { loading?.cancel() }

  /// Loads the places again soon, because items of the library have changed.
  func libraryChanged() {
    loading?.cancel()
    loading = AgentLoop.after(Self.quiet) { [weak self] in self?.load() }
  }

  private func load() {
    guard library.isThere else { return }
    AgentLoop.task { [service, library] in
      let stored = try? await library.use { try $0.resumePlaces() }
      guard let stored else { return }
      service.load(
        places: Dictionary(stored.map { ($0.path.location, $0.place) }) { first, _ in first })
    }
  }

  private func keep(_ location: String, _ place: Duration?) {
    guard library.isThere, let path = ItemService.path(location) else { return }
    AgentLoop.task { [library] in
      _ = try? await library.use { store in
        try store.item(at: path).map { try store.keepPlace(place, of: $0) }
      }
    }
  }
}
