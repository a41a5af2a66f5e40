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

/// The library's databases. They are opened when somebody asks something of them, and closed when nobody has for a while, even if a scan is paused.
/// Owns the thread that alone uses them.
@AgentLoop
final class LibraryDatabases {
  /// The folder of the databases; nil if the environment names none.
  private let folder: FilePath?
  private let store: StoreThread<LibraryStore>
  private let damage: Damage
  private var closing: LoopTimer?
  /// Called when a damaged database was put aside, so that the one that is there has nothing of the music or is older.
  var madeAnew: @AgentLoop () -> Void = {}

  /// How long the databases stay open while nobody uses them.
  private static let idleTime = Duration.seconds(30)

  /// The damage that was found in the databases when their thread opened them. Safe on any thread.
  private final class Damage: Sendable {
    private let state = Mutex((text: String?.none, isNew: false, isDistrusted: false))

    var last: String? { state.withLock { $0.text } }
    func note(_ text: String) { state.withLock { ($0.text, $0.isNew) = (text, true) } }

    /// Whether damage was noted since the last call.
    func takeNew() -> Bool {
      state.withLock { state in
        defer { state.isNew = false }
        return state.isNew
      }
    }

    /// Makes the next opening check the whole databases.
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

  /// Whether the databases exist: they do once somebody has added a folder. Looked up only once, because only this agent can make them.
  private(set) lazy var areThere =
    folder.map { folder in
      // Either file is enough: `listening.db` has the folders and everything that only the listener knows, and `library.db` can be made from it.
      ["library.db", "listening.db"].contains { !folder.entry($0).isMissing }
    } ?? false

  /// The damage that was found when the databases were opened; nil if there was none.
  var trouble: String? { damage.last }

  /// Runs `body` with the databases. Opens them if they are closed, and creates them if they do not exist.
  func use<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore) throws -> Answer
  ) async throws(BusError) -> Answer { try await answer { try await $0.run(body) } }

  /// Like `use`, for what takes long and is not urgent; see `StoreThread.runPatiently`.
  func usePatiently<Answer: Sendable>(
    _ body: @escaping @Sendable (LibraryStore, _ isInterrupted: @escaping () -> Bool) throws -> Answer
  ) async throws(BusError) -> Answer { try await answer { try await $0.runPatiently(body) } }

  private func answer<Answer: Sendable>(
    _ run: @AgentLoop (StoreThread<LibraryStore>) async throws -> Answer
  ) async throws(BusError) -> Answer {
    guard folder?.exactText != nil else {
      throw AgentError.cannotWrite(
        folder.map { "the library can't be kept in '\($0)', which is no text in UTF-8" }
          ?? UserFolders.reason(noneSays: "where the library is kept", "XDG_DATA_HOME"))
    }
    defer { wasUsed() }
    do {
      let answer = try await run(store)
      areThere = true
      return answer
    } catch {
      if let error = error as? StoreError, error.isProofOfDamage {
        // The next use checks the databases while opening them, and sets damaged ones aside.
        damage.distrust()
        store.close()
      }
      throw Self.error(error)
    }
  }

  /// Asks the databases something from a thread that may block; nil if there is no answer in time. Call it only if they exist. Safe on any thread.
  nonisolated func ask<Answer: Sendable>(
    within time: Duration, _ body: @escaping @Sendable (LibraryStore) throws -> Answer?
  ) -> Answer? {
    defer { AgentLoop.task { [weak self] in self?.wasUsed() } }
    return store.ask(within: time, body)
  }

  /// Call this when the agent ends; its end closes the databases.
  func stop() {
    closing?.cancel()
    madeAnew = {}
  }

  /// Closes the databases, after all that was asked of them, and returns when that is done.
  func close() async {
    closing?.cancel()
    let isClosed = Promise<Void>()
    store.close { AgentLoop.task { isClosed.keep() } }
    await isClosed.get()
  }

  private func wasUsed() {
    closing?.cancel()
    closing = AgentLoop.after(Self.idleTime) { [weak self] in self?.store.close() }
    if damage.takeNew() { madeAnew() }
  }

  private static func error(_ error: any Error) -> BusError {
    switch error {
    case let error as BusError: error
    case let error as StoreError where error.isInterruption:
      AgentError.refused("a later search overtook this one, or its caller has left")
    case let error as StoreError where error.isBusy:
      AgentError.tryAgain("another program uses the library; end that one, or try again")
    case let error as StoreError: AgentError.cannotWrite(error.advice)
    default: AgentError.tryAgain("\(error)")
    }
  }
}
