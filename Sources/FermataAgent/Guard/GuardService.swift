// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
import FaceModel
package import PlaybackLogic
import ProcessIO

/// Asks other players on the bus to pause, as `Guard` decides.
///
/// While no device is lost it asks nobody, and the bus sends it nothing.
@AgentLoop
final class GuardService {
  private static let player = MPRISDescriptions.player.name
  private static let root = MPRISDescriptions.root.name
  /// How long to wait for the answer of another program's player. It is longer than `Guard` waits, so that only `Guard` decides what is too late.
  private static let patience = Guard.patience * 2

  /// Called with the players' answers and signals.
  private let report: @AgentLoop (GuardEvent) -> Void
  private var connection: BusConnection?
  /// The players whose signals we want, by the names of their connections; the value is nil until the bus has accepted the subscription.
  private var watched: [String: BusSubscription?] = [:]

  /// A service that has no bus yet. Until it has one, it finds no player.
  init(report: @escaping @AgentLoop (GuardEvent) -> Void) { self.report = report }

  /// Uses this connection to the bus from now on.
  func join(_ connection: BusConnection) { self.connection = connection }

  /// Call this when the bus is gone.
  func leave() {
    connection = nil
    watched = [:]
  }

  /// Carries out what `Guard` has decided.
  func perform(_ effect: GuardEffect) {
    switch effect {
    case .find(let number, let processes): find(number, processes)
    case .ask(let player): ask(player)
    case .pause(let player): pause(player)
    case .readStatus(let player): readStatus(player)
    case .leave(let player): watched[player.owner] = nil
    case .readWorld, .timer, .tell: break  // `Playback` does these
    }
  }

  private func find(_ number: Int, _ processes: [Int32]) {
    AgentLoop.task { [weak self, connection] in
      let players = if let connection { await PlayerDirectory.players(on: connection) } else { [BusPlayer]() }
      let records = await PlayerDirectory.records(of: processes + players.map(\.process))
      self?.report(.found(number, players, records))
    }
  }

  private func ask(_ player: BusPlayer) {
    guard let connection, let owner = BusName(player.owner) else {
      return report(.answered(player.owner, PlayerAnswer(isGone: true)))
    }
    watched[player.owner] = .some(nil)
    watch(player.owner, owner, on: connection)
    AgentLoop.task { [weak self] in
      let questions: [(InterfaceName, String)] = [
        (Self.player, "PlaybackStatus"), (Self.player, "CanPause"), (Self.root, "Identity"),
      ]
      let answers = await eachAtOnce(questions) { [weak self] interface, property in
        let answer = await Self.read(property, of: interface, owner, connection)
        if interface == Self.root, let identity = (try? answer.get()).flatMap({ String(wire: $0) }) {
          self?.report(.identified(player.owner, identity))
        }
        return answer
      }
      let texts = answers.map { (try? $0.get()).flatMap { String(wire: $0) } }
      let answer = PlayerAnswer(
        status: texts[0], canPause: (try? answers[1].get()).flatMap { Bool(wire: $0) }, identity: texts[2],
        isGone: answers.allSatisfy { $0.isGone })
      self?.report(.answered(player.owner, answer))
    }
  }

  private func watch(_ name: String, _ owner: BusName, on connection: BusConnection) {
    let rule = MatchRule(
      sender: owner, path: MPRISDescriptions.path, interface: StandardInterfaces.properties.name,
      member: "PropertiesChanged", firstArgument: Self.player.text)
    AgentLoop.task { [weak self] in
      let subscription = try? await connection.subscribe(rule) { signal in
        if let status = Self.status(in: signal) { self?.report(.status(name, status)) }
      }
      // The guard may have stopped watching the player before the bus accepted the subscription.
      if self?.watched[name] != nil { self?.watched[name] = .some(subscription) }
    }
  }

  private static func status(in signal: BusSignal) -> String? {
    guard
      let (_, changed, _) = try? signal.arguments.decoded(
        as: String.self, [String: WireValue].self, [String].self)
    else { return nil }
    return changed["PlaybackStatus"].flatMap { String(wire: $0) }
  }

  private func pause(_ player: BusPlayer) {
    guard let connection, let owner = BusName(player.owner) else {
      return report(.obeyed(player.owner, .gone))
    }
    AgentLoop.task { [weak self] in
      let failure = await Self.order("Pause", owner, connection)
      self?.report(.obeyed(player.owner, failure))
    }
  }

  private static func order(
    _ method: MemberName, _ owner: BusName, _ connection: BusConnection
  ) async -> PlayerFailure? {
    do throws(BusError) {
      _ = try await connection.call(
        BusTarget(owner, MPRISDescriptions.path, player, method), timeout: patience)
      return nil
    } catch {
      return error.saysGone ? .gone : .refused
    }
  }

  private func readStatus(_ player: BusPlayer) {
    guard let connection, let owner = BusName(player.owner) else {
      return report(.status(player.owner, nil))
    }
    AgentLoop.task { [weak self] in
      let answer = await Self.read("PlaybackStatus", of: Self.player, owner, connection)
      self?.report(.status(player.owner, (try? answer.get()).flatMap { String(wire: $0) }))
    }
  }

  /// The name for people that a player gives itself; nil if it does not answer.
  static func identity(of owner: BusName, _ connection: BusConnection) async -> String? {
    (try? await read("Identity", of: root, owner, connection).get()).flatMap { String(wire: $0) }
  }

  private static func read(
    _ property: String, of interface: InterfaceName, _ owner: BusName, _ connection: BusConnection
  ) async -> Result<WireValue, BusError> {
    let target = BusTarget(owner, MPRISDescriptions.path, StandardInterfaces.properties.name, "Get")
    do throws(BusError) {
      let reply = try await connection.call(
        target, .arguments(interface.text, property), timeout: patience)
      return .success(try reply.decoded(as: WireValue.self))
    } catch {
      return .failure(error)
    }
  }
}

extension BusError {
  /// Whether the error means that the player is gone. The bus answers `NoReply` when a program leaves without having answered a call.
  fileprivate var saysGone: Bool {
    [.noReply, .serviceUnknown, .nameHasNoOwner, .disconnected].contains(name)
  }
}

extension Result where Failure == BusError {
  fileprivate var isGone: Bool { if case .failure(let error) = self { error.saysGone } else { false } }
}

/// Finds the players that are on the bus, and the processes behind them. Asks no player anything but its name for people, and that only on request.
@AgentLoop
package enum PlayerDirectory {
  private static let prefix = "org.mpris.MediaPlayer2."
  /// At most this many players are looked at.
  private static let most = 64
  /// At most this many names are looked up.
  private static let mostNames = 1_024
  /// At most this many names of one program are kept, so that a program with hundreds of names leaves room for the other players.
  private static let mostNamesEach = 4
  /// This name stands for whichever player was heard last, which may be ourselves: playerctl's daemon passes on to that one what it is told.
  private static let deputy = prefix + "playerctld"

  /// Whether a bus name belongs to a program that plays music. playerctl's daemon has a name of this form too, but plays nothing itself.
  package static func isPlayer(_ name: String) -> Bool { name.hasPrefix(prefix) && name != deputy }

  /// The players on the bus, our own connection's left out; none if the bus does not answer.
  package static func players(on connection: BusConnection) async -> [BusPlayer] {
    let names = (try? await connection.names()) ?? []
    let found = names.filter(isPlayer).sorted().prefix(mostNames)
    let players = await eachAtOnce(Array(found)) { name in await player(named: name, on: connection) }
    return kept(players.compactMap(\.self))
  }

  /// The first few names of each program.
  private static func kept(_ players: [BusPlayer]) -> [BusPlayer] {
    var counts: [String: Int] = [:]
    let kept = players.filter { player in
      counts[player.owner, default: 0] += 1
      return counts[player.owner, default: 0] <= mostNamesEach
    }
    return Array(kept.prefix(most))
  }

  private static func player(named name: String, on connection: BusConnection) async -> BusPlayer? {
    guard let valid = BusName(name), let owner = try? await connection.owner(of: valid),
      owner != connection.uniqueName, let process = try? await connection.processID(of: owner),
      let id = Int32(exactly: process)
    else { return nil }
    return BusPlayer(busName: name, owner: owner.text, process: id)
  }

  /// The names for people that these players give themselves, by the players' owners. A player that does not answer is left out.
  package static func identities(
    of players: [BusPlayer], on connection: BusConnection
  ) async -> [String: String] {
    let answers = await eachAtOnce(players) { player -> (String, String)? in
      guard let owner = BusName(player.owner),
        let identity = await GuardService.identity(of: owner, connection)
      else { return nil }
      return (player.owner, identity)
    }
    return Dictionary(answers.compactMap(\.self)) { first, _ in first }
  }

  /// The kernel's records of these processes and of their ancestors. A sandbox is looked into through its own file systems, one of which may not answer.
  /// Nobody waits for that for longer than `patience`: then it is not known which of the processes are in one.
  package static func records(of processes: [Int32]) async -> [Int32: ProcessRecord] {
    let found = try? await looking.run { job in
      job.looks(at: "/proc")
      return ProcessTable.records(of: processes)
    }
    guard let found else { return [:] }
    let sandboxes = try? await lookingInside.run { job in
      ProcessTable.flatpaks(of: processes.filter { found[$0] != nil }) { job.looks(at: "/proc/\($0)/root") }
    }
    return found.merging(
      (sandboxes ?? [:]).compactMap { id, name in found[id].map { (id, $0.inside(name)) } }
    ) { $1 }
  }

  private static let patience = Duration.milliseconds(300)
  private static let looking = BlockingThread("processes")
  private static let lookingInside = BlockingThread(
    "sandboxes", yieldsAfter: patience / 3, givesUpAfter: patience)
}

/// Runs a body for each value, all at the same time, and returns the results in the values' order.
@AgentLoop
func eachAtOnce<Value, Answer: Sendable>(
  _ values: [Value], _ body: @escaping @AgentLoop (Value) async -> Answer
) async -> [Answer] {
  let tasks = values.map { value in AgentLoop.task { await body(value) } }
  var answers: [Answer] = []
  for task in tasks { answers.append(await task.value) }
  return answers
}
