// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import HealthModel
import PlaybackLogic

/// Collects the doctor's evidence from the session bus. It starts no program.
@AgentLoop
enum BusLook {
  private static let playerPrefix = "org.mpris.MediaPlayer2."
  private static let ownPlayer: BusName = "org.mpris.MediaPlayer2.fermata"
  /// The most other players that are asked.
  private static let mostPlayers = 16
  /// A player that doesn't answer within this time is listed by its name on the bus.
  private static let patience = Duration.milliseconds(500)

  /// The evidence from the bus, and the sink that the agent plays on.
  static func evidence() async -> (HealthEvidence.Answer<HealthEvidence.Bus>, ownSink: String?) {
    do throws(BusError) {
      let connection = try await BusConnection.open(.session)
      defer { connection.close() }
      var bus = HealthEvidence.Bus()
      let agent = try await connection.owner(of: AgentDescriptions.busName)
      bus.canStartAgent = try await connection.startableNames().contains(AgentDescriptions.busName.text)
      if let agent { bus.agent = try? await connection.processID(of: agent) }
      let player = try await connection.owner(of: ownPlayer)
      bus.hasPlayerName = player != nil && player == agent
      let status = agent == nil ? nil : await status(connection)
      if agent != nil { bus.notStored = await connection.notStored() }
      bus.state = status.map { PlainWords.state($0.state, $0.why) }
      bus.players = try await players(connection, except: agent)
      return (.found(bus), status?.route?.sink)
    } catch {
      return (.missing(error.message), nil)
    }
  }

  private static func status(_ connection: BusConnection) async -> StatusFace? {
    let target = BusTarget(
      AgentDescriptions.busName, AgentDescriptions.path, AgentCall.status.interface, AgentCall.status.member)
    let reply = try? await connection.call(target, timeout: patience)
    return reply?.first.flatMap { StatusFace(wire: $0) }
  }

  private static func players(
    _ connection: BusConnection, except agent: BusName?
  ) async throws(BusError) -> [HealthEvidence.OtherPlayer] {
    var players: [HealthEvidence.OtherPlayer] = []
    for name in try await connection.names().sorted() where name.hasPrefix(playerPrefix) {
      guard players.count < mostPlayers, let player = BusName(name) else { continue }
      if let owner = try await connection.owner(of: player), owner != agent {
        players.append(await look(at: player, connection))
      }
    }
    return players
  }

  private static func look(
    at player: BusName, _ connection: BusConnection
  ) async -> HealthEvidence.OtherPlayer {
    let name = await property("Identity", of: "org.mpris.MediaPlayer2", player, connection)
    let status = await property("PlaybackStatus", of: "org.mpris.MediaPlayer2.Player", player, connection)
    return HealthEvidence.OtherPlayer(
      name: name ?? String(player.text.dropFirst(playerPrefix.count)), isPlaying: status == "Playing")
  }

  private static func property(
    _ name: String, of interface: String, _ player: BusName, _ connection: BusConnection
  ) async -> String? {
    let target = BusTarget(
      player, "/org/mpris/MediaPlayer2", StandardInterfaces.properties.name, "Get")
    let reply = try? await connection.call(target, .arguments(interface, name), timeout: patience)
    guard case .variant(let value)? = reply?.first else { return nil }
    return String(wire: value)
  }
}
