// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import AudioModel
import BusIO
import BusModel
import FaceModel
import FermataAgent
import FermataCommands
import FileIO
import Glibc
import HealthModel
import MediaModel
import PlaybackLogic
import PulseIO
import ReaderIO
import ReaderModel
import SQLiteIO
import UserFiles

/// Collects from the sound server what `fermata doctor` judges.
@AgentLoop
enum SoundLook {
  /// How long connecting to the sound server may take.
  private static let patience = Duration.seconds(3)

  static func evidence(ownSink: String?) async -> HealthEvidence.Answer<HealthEvidence.Sound> {
    let server = PulseServer(properties: StreamIdentity.application)
    defer { server.stop() }
    if let reason = await connect(server) { return .missing(reason) }
    do throws(PulseError) {
      let world = try await server.readWorld()
      return .found(
        HealthEvidence.Sound(
          world: world, modules: try await server.readModules(), wirePlumber: wirePlumber(in: world),
          ownSink: ownSink))
    } catch {
      return .missing(error.reason)
    }
  }

  /// Connects to the sound server. Returns nil on success, or else the reason for the failure.
  private static func connect(_ server: PulseServer) async -> String? {
    let failure = Promise<String?>()
    server.handler = { event in
      switch event {
      case .connected: failure.keep(nil)
      case .disconnected(let error, _): failure.keep(error.reason)
      case .changed: break
      }
    }
    server.start()
    AgentLoop.after(patience) { failure.keep("it takes the connection and says nothing") }
    return await failure.get()
  }

  private static func wirePlumber(in world: AudioWorld) -> WirePlumberVersion? {
    let client = world.clients.first { $0.properties["application.process.binary"] == "wireplumber" }
    guard let process = client?.processID, let path = FilePath("/proc/\(process)/maps"),
      let maps = try? HeldFile(path).openFile().head(1 << 22)
    else { return nil }
    return WirePlumberVersion(inMaps: String(decoding: maps, as: UTF8.self))
  }
}

/// Collects from the session bus what `fermata doctor` judges. It starts no program.
@AgentLoop
enum BusLook {
  private static let playerPrefix = "org.mpris.MediaPlayer2."
  private static let ownPlayer: BusName = "org.mpris.MediaPlayer2.fermata"
  /// The most other players that are asked for their name and whether they play.
  private static let mostPlayers = 16
  /// A player that doesn't answer within this time is listed by its name on the bus.
  private static let patience = Duration.milliseconds(500)
  /// An agent that doesn't answer within this time counts as halted.
  private static let ownPatience = Duration.seconds(3)

  /// The evidence from the bus, and the sink that the agent plays on.
  static func evidence() async -> (HealthEvidence.Answer<HealthEvidence.Bus>, ownSink: String?) {
    do throws(BusError) {
      let connection = try await BusConnection.open(.session)
      defer { connection.close() }
      var bus = HealthEvidence.Bus()
      let agent = try await connection.owner(of: AgentDescriptions.busName)
      bus.canStartAgent = try await connection.startableNames().contains(AgentDescriptions.busName.text)
      if let agent { bus.agent = try? await connection.processID(of: agent) }
      if let process = bus.agent {
        bus.isAgentReplaced = ProcessLook.isReplaced(process)
        bus.variables = ProcessLook.environment("\(process)").map {
          ($0, ProcessLook.environment("self") ?? [:])
        }
      }
      let player = try await connection.owner(of: ownPlayer)
      // Not by the number of its connection: the agent has one for itself and one for its player.
      let playerProcess = player == nil ? nil : try? await connection.processID(of: ownPlayer)
      bus.hasPlayerName = playerProcess != nil && playerProcess == bus.agent
      if let agent { bus.agentAnswers = await answers(agent, connection) }
      let client =
        agent != nil && bus.agentAnswers
        ? AgentClient(connection, for: "doctor", warn: Printer.complain) : nil
      let status = try? await client?.status(timeout: ownPatience)
      bus.notStored = await client?.notStored()
      bus.onlyGuards = status?.onlyGuards ?? false
      bus.state = status.map(PlainWords.state(of:))
      bus.agentServer = status.map(contact) ?? .unknown
      bus.players = try await players(connection, except: bus.agent)
      // The route names where the sound is heard. Before that there may be a filter, which is the output that the stream is on.
      let filter = status?.route?.filter == nil ? nil : try? await client?.outputs().first { $0.isCurrent }
      return (.found(bus), filter?.route.sink ?? status?.route?.sink)
    } catch {
      return (.missing(error.message), nil)
    }
  }

  private static func contact(_ status: StatusFace) -> HealthEvidence.ServerContact {
    if status.why == "server" { return .awaited }
    return status.route == nil ? .unknown : .there
  }

  /// Whether a program on the bus answers at all. One that is halted, for example by Ctrl-Z, keeps its names.
  private static func answers(_ program: BusName, _ connection: BusConnection) async -> Bool {
    do throws(BusError) {
      let target = BusTarget(program, "/", "org.freedesktop.DBus.Peer", "Ping")
      _ = try await connection.call(target, [], timeout: ownPatience)
      return true
    } catch {
      return error.name != .noReply
    }
  }

  private static func players(
    _ connection: BusConnection, except agent: UInt32?
  ) async throws(BusError) -> [HealthEvidence.OtherPlayer] {
    var players: [HealthEvidence.OtherPlayer] = []
    var seen: Set<String> = []
    for name in try await connection.names().sorted() where PlayerDirectory.isPlayer(name) {
      guard players.count < mostPlayers, let player = BusName(name) else { continue }
      let process = try? await connection.processID(of: player)
      if try await connection.owner(of: player) != nil, process == nil || process != agent {
        let other = await look(at: player, connection)
        // VLC has two names for one player, each with a connection of its own.
        if process.map({ seen.insert("\($0) \(other.name)").inserted }) ?? true { players.append(other) }
      }
    }
    return players
  }

  private static func look(
    at player: BusName, _ connection: BusConnection
  ) async -> HealthEvidence.OtherPlayer {
    let name = await property("Identity", of: MPRISDescriptions.root.name, player, connection)
    let status = await property("PlaybackStatus", of: MPRISDescriptions.player.name, player, connection)
    return HealthEvidence.OtherPlayer(
      name: name ?? String(player.text.dropFirst(playerPrefix.count)), isPlaying: status == "Playing")
  }

  private static func property(
    _ name: String, of interface: InterfaceName, _ player: BusName, _ connection: BusConnection
  ) async -> String? {
    let target = BusTarget(
      player, MPRISDescriptions.path, StandardInterfaces.properties.name, "Get")
    let reply = try? await connection.call(target, .arguments(interface.text, name), timeout: patience)
    guard case .variant(let value)? = reply?.first else { return nil }
    return String(wire: value)
  }
}

/// Reads what the kernel tells of a process.
private enum ProcessLook {
  /// Whether the file of a process's program was replaced or removed since it started.
  static func isReplaced(_ process: UInt32) -> Bool {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/\(process)/exe", &target, target.count)
    guard length > 0 else { return false }
    return String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).hasSuffix(
      " (deleted)")
  }

  /// The environment with which a process was started; nil if it cannot be read.
  static func environment(_ process: String) -> [String: String]? {
    guard let path = FilePath("/proc/\(process)/environ"),
      let bytes = try? HeldFile(path).openFile().head(1 << 21)
    else { return nil }
    var variables: [String: String] = [:]
    for line in bytes.split(separator: 0) {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      // If a name is there twice, getenv(3) finds the first.
      let name = String(decoding: line[..<equals], as: UTF8.self)
      if variables[name] == nil { variables[name] = String(decoding: line[(equals + 1)...], as: UTF8.self) }
    }
    return variables
  }
}

/// Collects what `fermata doctor` judges about other players and their processes. It asks the players for nothing but their names for people, and that
/// only if the settings name a player that is to be left alone.
@AgentLoop
enum GuardLook {
  /// The evidence about other players and the streams of this reading of the sound server; nil if the sound server or
  /// the bus does not answer.
  static func evidence(
    _ sound: HealthEvidence.Answer<HealthEvidence.Sound>, settings: GuardSettings
  ) async -> HealthEvidence.Guarding? {
    guard case .found(let sound) = sound, let connection = try? await BusConnection.open(.session) else {
      return nil
    }
    defer { connection.close() }
    let players = await PlayerDirectory.players(on: connection)
    let processes = await PlayerDirectory.records(
      of: GuardOutlook.processes(in: sound.world) + players.map(\.process))
    let identities =
      settings.exceptions.isEmpty ? [:] : await PlayerDirectory.identities(of: players, on: connection)
    return HealthEvidence.Guarding(
      settings: settings, players: players, identities: identities, processes: processes)
  }
}

/// Starts the process that reads tags, for a moment, so that `fermata doctor` can say which parts of its sandbox the kernel gives it.
enum ReaderLook {
  static func evidence() -> HealthEvidence.Answer<ReaderFence> {
    do throws(ReadFailure) { return .found(try ReaderClient(atOnce: 1).check()) } catch {
      guard case .readerMissing(let reason) = error else { return .missing("\(error)") }
      return .missing(reason)
    }
  }
}

/// Starts the process that decodes with FFmpeg, for a moment, to learn whether it can.
enum DecoderLook {
  static func evidence() -> HealthEvidence.Answer<String> {
    do throws(DecodeFailure) { return .found(try DecoderClient().check()) } catch {
      return .missing(error.reason)
    }
  }
}

/// Collects what `fermata doctor` judges about the folders that the agent writes to, without creating them.
enum FolderLook {
  static func evidence() -> [HealthEvidence.Folder] {
    [
      look("state", UserFolders.stateFolder, files: ["state.db", "position"]),
      look("library", UserFolders.dataFolder, files: ["library.db", "listening.db"]),
      look("pictures", UserFolders.artFolder, files: []),
    ]
  }

  private static func look(
    _ purpose: String, _ path: FilePath?, files: [FilePath]
  ) -> HealthEvidence.Folder {
    guard let path else { return HealthEvidence.Folder(purpose: purpose, path: nil) }
    if let (code, place) = trouble(at: path) {
      let remedy =
        code == ENOTDIR
        ? "move '\(place)' away, which is no folder" : SystemError(code: code).remedy(to: "write there")
      return HealthEvidence.Folder(
        purpose: purpose, path: path.location, trouble: String(errno: code), remedy: remedy)
    }
    for file in files.map({ path.entry($0) }) where !file.isMissing {
      guard file.withCString({ access($0, R_OK | W_OK) }) != 0 else { continue }
      let code = errno
      return HealthEvidence.Folder(
        purpose: purpose, path: file.location, trouble: String(errno: code),
        remedy: SystemError(code: code).remedy(to: "read and write it"))
    }
    if isFull(path) {
      return HealthEvidence.Folder(
        purpose: purpose, path: path.location, trouble: "its disk is full", remedy: "make room")
    }
    var folder = HealthEvidence.Folder(purpose: purpose, path: path.location)
    let names = (try? names(in: path)) ?? []
    folder.damaged = names.filter(DamagedFile.isName)
    folder.newer = names.filter(DamagedFile.isNewerName)
    return folder
  }

  /// Whether the disk of a folder, or of the nearest folder above it that exists, has no room for even a small change.
  private static func isFull(_ path: FilePath) -> Bool {
    var disk = statvfs()
    guard path.withCString({ statvfs($0, &disk) }) == 0 else {
      return path.parent.map(isFull) ?? false
    }
    return disk.f_blocks > 0 && UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < leastRoom
  }

  private static let leastRoom: UInt64 = 32 << 10

  private static func names(in path: FilePath) throws -> [String] {
    var folder = try HeldFile(path).openFolder()
    var names: [String] = []
    while let (name, _) = try folder.next() { names.append(name.text) }
    return names.sorted()
  }

  /// Why the folder can't be used, and which one above it is the reason; nil if it can. If it doesn't exist yet, the nearest existing folder above
  /// it has to be writable.
  private static func trouble(at path: FilePath) -> (code: Int32, place: FilePath)? {
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if isThere, status.st_mode & S_IFMT != S_IFDIR { return (ENOTDIR, path) }
    if path.withCString({ access($0, R_OK | W_OK | X_OK) }) == 0 { return nil }
    let code = errno
    guard code == ENOENT || code == ENOTDIR, let above = path.parent else { return (code, path) }
    return trouble(at: above)
  }
}
