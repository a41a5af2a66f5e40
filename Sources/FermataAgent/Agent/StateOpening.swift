// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import Glibc
import MediaModel
import StoreIO

/// What came of taking the state folder, which decides whether there is anything for this agent to do.
@AgentLoop
enum StateOpening {
  /// The agent can begin, with what was kept, or with nothing where no place for it is known.
  case open(StateKeeper?)
  /// It cannot, or need not: this is the status to end with.
  case over(Int32)

  /// As long as an agent that ends may need for it, and a little more.
  private static let patience = Duration.seconds(6)
  private static let pause = Duration.milliseconds(50)

  /// Takes the folder. With `unlessRunning` one that is held is no error where its holder is on the bus, or comes there; and one whose
  /// holder is about to end is waited for.
  static func take(_ log: Log, unlessRunning: Bool) async -> StateOpening {
    guard let path = Surroundings.stateFolder else {
      log(
        .warning,
        "neither XDG_STATE_HOME nor HOME says where the queue could be kept: it is gone with this process")
      return .open(nil)
    }
    let folder: String
    do throws(StoreError) { folder = try text(of: path) } catch { return refused(log, error) }
    let deadline = AgentLoop.now + patience
    while true {
      do throws(StoreError) {
        return .open(try await StateKeeper.open(folder, log))
      } catch {
        guard unlessRunning, error.isHeldByAnother else { return refused(log, error) }
        if await BusService.isAgentThere() == true {
          log(.info, "an agent runs already: this one is not needed")
          return .over(0)
        }
        guard AgentLoop.now < deadline else { return refused(log, error) }
      }
      await rest()
    }
  }

  /// The folder as a text. Where its name is none the text leads there by way of a descriptor, which stays open as long as the
  /// process: the store takes paths as text.
  private static func text(of folder: FilePath) throws(StoreError) -> String {
    if let text = folder.exactText { return text }
    do throws(SystemError) { try NewFolder.make(folder) } catch {
      throw StoreError(code: error.code, .makeFolder, file: folder.text, reason: String(errno: error.code))
    }
    let held = folder.withCString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard held >= 0 else {
      throw StoreError(code: errno, .open, file: folder.text, reason: String(errno: errno))
    }
    return "/proc/self/fd/\(held)"
  }

  private static func refused(_ log: Log, _ error: StoreError) -> StateOpening {
    log(.error, "\(error)")
    return .over(1)
  }

  private static func rest() async {
    await withUnsafeContinuation { (done: UnsafeContinuation<Void, Never>) in
      AgentLoop.after(pause) { done.resume() }
    }
  }
}
