// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FileIO
import LibraryIO
import MediaModel
import SQLiteIO
import Synchronization
import UserFiles

/// The library's databases: opened when something is asked of them, and closed when nobody has asked for a while, also if a scan is
/// suspended. Owns the thread that alone uses them. Loop only.
@AgentLoop
final class LibraryDatabases {
  /// Where they are; nil if the environment names no such place.
  private let folder: FilePath?
  private let store: StoreThread<LibraryStore>
  private let damage: Damage
  private var closing: LoopTimer?

  /// How long they stay open while nobody uses them.
  private static let idleTime = Duration.seconds(30)

  /// What was wrong with the databases. Their thread tells it. Any thread.
  private final class Damage: Sendable {
    private let state = Mutex((text: String?.none, isDistrusted: false))

    var last: String? { state.withLock { $0.text } }
    func note(_ text: String) { state.withLock { $0.text = text } }

    /// Has everything checked when the databases are opened the next time.
    func distrust() { state.withLock { $0.isDistrusted = true } }
    func takeDistrust() -> Bool {
      state.withLock { state in
        defer { state.isDistrusted = false }
        return state.isDistrusted
      }
    }
  }

  init(in folder: FilePath?, _ log: Log) {
    self.folder = folder
    let damage = Damage()
    self.damage = damage
    store = StoreThread("library-store") {
      let (store, found) = try LibraryStore.open(
        in: folder?.exactText ?? "", distrusted: damage.takeDistrust()
      ) {
        log(.warning, "library: \($0)")
      }
      for file in found {
        log(.warning, "library: \(file)")
        damage.note("\(file)")
      }
      return store
    }
  }

  /// Whether there are any: somebody has added a folder once. Looked up once, as only this agent can make them.
  private(set) lazy var areThere =
    folder.map { folder in
      // The second one has the folders and what only the listener knows; the first can be made again from that.
      ["library.db", "listening.db"].contains { !folder.entry($0).isMissing }
    } ?? false

  /// What was wrong with them when they were opened; nil if nothing was.
  var trouble: String? { damage.last }

  /// Uses them. Opens them if they are not open, and makes them if there are none.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer {
    guard folder?.exactText != nil else {
      throw AgentError.cannotWrite(
        folder.map { "the library can't be kept in '\($0)', which is no text in UTF-8" }
          ?? UserFolders.reason(noneSays: "where the library is kept", "XDG_DATA_HOME"))
    }
    defer { closeLater() }
    do {
      let answer = try await store.run(body)
      areThere = true
      return answer
    } catch {
      if let error = error as? StoreError, error.isProofOfDamage {
        // The next use opens them anew, and sets aside what is damaged.
        damage.distrust()
        store.close()
      }
      throw Self.error(error)
    }
  }

  /// Asks them on a thread that may block; nil if there is no answer soon. Only for where there are any. Any thread.
  nonisolated func ask<Answer: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (LibraryStore) throws -> Answer?
  ) -> Answer? {
    defer { AgentLoop.task { [weak self] in self?.closeLater() } }
    return store.ask(within: time, body)
  }

  /// The agent ends, and with it whatever is open.
  func stop() { closing?.cancel() }

  private func closeLater() {
    closing?.cancel()
    closing = AgentLoop.after(Self.idleTime) { [weak self] in self?.store.close() }
  }

  private static func error(_ error: any Error) -> BusError {
    switch error {
    case let error as BusError: error
    case let error as StoreError where error.isInterruption:
      AgentError.refused("a later search overtook this one")
    case let error as StoreError where error.isBusy:
      AgentError.tryAgain("another program uses the library; end that one, or try again")
    case let error as StoreError: AgentError.cannotWrite(error.advice)
    default: AgentError.tryAgain("\(error)")
    }
  }
}
