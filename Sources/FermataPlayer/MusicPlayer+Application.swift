// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
import BusModel
import CommandModel
import FaceModel
public import Fermata
package import FermataAgent
import MediaModel

extension MusicPlayer {
  /// A player inside this process. It does not touch the player of the desktop session, and ends with the process.
  ///
  /// It has its own queue, which is not stored. It follows the user's settings, pauses when headphones disappear, and yields to calls. Media keys
  /// reach it like any other player, by the name of the program. Items of the session's library can be put into its queue.
  public static let application = MusicPlayer(inside: ProcessPlayer.Surroundings())

  /// A player inside this process; `surroundings` are what it uses outside itself, such as the sound server and the settings file.
  package init(inside surroundings: ProcessPlayer.Surroundings) {
    let player = ApplicationPlayer(surroundings)
    self.init(PlayerCore { .success(player.transport) })
  }
}

extension AudioSession {
  /// The session of the player inside this process.
  public static let application = AudioSession(of: .application)
}

extension SoundPads {
  /// The pads of the player inside this process.
  public static let application = SoundPads(of: .application)
}

/// Holds the player that runs inside this process, without an agent. The player is created when it is first used.
@AgentLoop
private final class ApplicationPlayer {
  private let surroundings: ProcessPlayer.Surroundings
  private var made: InnerTransport?

  nonisolated init(_ surroundings: ProcessPlayer.Surroundings) { self.surroundings = surroundings }

  /// The connection to the player, which is created if there is none yet.
  var transport: InnerTransport {
    if let made { return made }
    let library = SessionLibrary(surroundings.bus)
    let transport = InnerTransport(
      to: ProcessPlayer(in: surroundings) { await library.files(of: $0) })
    made = transport
    return transport
  }
}

/// A connection to a player inside this process.
@AgentLoop
private final class InnerTransport: AgentTransport {
  private let player: ProcessPlayer

  init(to player: ProcessPlayer) {
    self.player = player
    player.start()
  }

  var isOpen: Bool { true }
  var isOfSession: Bool { false }

  /// Calls the player. It is in the same process, so no answer can be lost, and nothing has to be started.
  func call(_ call: AgentCall, timeout: Duration, mayStart: Bool) async throws(BusError) -> [WireValue] {
    try await player.call(call)
  }

  func isAgentThere() async throws(BusError) -> Bool { true }

  func startAgent() async throws(CommandError) {}

  func listen(
    _ handler: @escaping @AgentLoop (BusSignal) -> Void
  ) async throws(BusError) -> any AgentSubscription { player.inside.listen(handler) }

  /// A subscription whose handler is never called, because the player exists before anyone can ask and lives as long as the process.
  func presence(
    _ handler: @escaping @AgentLoop (AgentPresence) -> Void
  ) async throws(BusError) -> any AgentSubscription { Constant() }

  /// A subscription to something that never happens.
  private final class Constant: AgentSubscription {
    func cancel() {}
  }
}

extension InnerSubscription: AgentSubscription {}

/// Asks the library of the desktop session's player for the files of items.
@AgentLoop
private final class SessionLibrary {
  private let bus: BusEndpoint
  private var client: AgentClient?

  nonisolated init(_ bus: BusEndpoint) { self.bus = bus }

  func files(of ids: [MediaModel.MediaItem.ID]) async -> Result<[ItemSource], BusError> {
    do throws(CommandError) {
      let client = try await connected()
      var files: [ItemSource] = []
      for start in stride(from: 0, to: ids.count, by: AgentLibrary.largestPage) {
        let part = ids[start..<min(start + AgentLibrary.largestPage, ids.count)]
        // One answer for many. It has no pictures, which would have to be read from the files.
        let known = try await client.known(part)
        for id in part {
          // A query finds no file that is missing at the moment.
          var file = known[id]?.item.source
          if file == nil { file = try await client.item(id).item.source }
          guard let file else { throw CommandError(.refused, "item:\(id.rawValue)", "it is no file") }
          files.append(file)
        }
      }
      return .success(files)
    } catch {
      let kind: AgentError = error.isOfMissingItem ? .noSuchItem : .refused
      return .failure(kind("\(error.subject): \(error.reason)"))
    }
  }

  private func connected() async throws(CommandError) -> AgentClient {
    if let client, client.transport.isOpen { return client }
    let opened = AgentClient(try await BusTransport.open(bus), for: "library")
    client = opened
    return opened
  }
}
