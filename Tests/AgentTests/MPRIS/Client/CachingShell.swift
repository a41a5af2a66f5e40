// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import FermataTestKit
import Synchronization

/// A desktop's shell: it waits for the player's name, asks for all of its properties in the same instant, and from then on believes
/// its signals alone.
final class CachingShell: Sendable {
  /// What a shell knows of a player.
  struct Knowledge: Sendable {
    /// Whether somebody has the name.
    var isThere = false
    /// What was answered in the instant of each appearance; nil where that failed.
    var firstAnswers: [[String: WireValue]?] = []
    /// What it would draw now.
    var properties: [String: WireValue] = [:]
    /// How often it was told.
    var updates = 0

    /// GNOME shows a player only while it can play.
    var isShown: Bool { isThere && properties["CanPlay"] == .boolean(true) }
    func metadata(_ key: String) -> WireValue? {
      properties["Metadata"].flatMap { [String: WireValue](wire: $0) }?[key]
    }
  }

  private let knowledge = Mutex(Knowledge())
  private let bell = CountedBell()
  private let player: BusName
  private let connection: BusConnection
  private let subscriptions = Mutex<[BusSubscription]>([])

  init(_ bus: PrivateBus, player: BusName = MPRISClient.playerName) throws {
    let address = bus.address
    self.player = player
    connection = try onLoopBlocking("shell") {
      try await BusConnection.open(.address(address), timeout: .patience)
    }
    let subscriptions = try onLoopBlocking("the shell's rules") { [connection, weak self] in
      var rule = MatchRule(sender: player)
      rule.path = MPRISDescriptions.path
      rule.interface = StandardInterfaces.properties.name
      let changes = try await connection.subscribe(rule) { self?.hear($0) }
      let names = try await connection.nameOwnerChanges(of: player) { self?.hear($0) }
      return [changes, names]
    }
    self.subscriptions.withLock { $0 = subscriptions }
  }

  var now: Knowledge { knowledge.withLock { $0 } }

  /// Blocks until it knows something.
  func wait(for what: String, _ check: (Knowledge) -> Bool) throws {
    let deadline = Deadline.patient
    while !check(now) {
      guard bell.wait(until: deadline) else { throw KitError("the shell never saw \(what): \(now)") }
    }
  }

  @AgentLoop private func hear(_ change: BusNameChange) {
    knowledge.withLock {
      $0.isThere = change.newOwner != nil
      $0.properties = [:]
    }
    bell.ring()
    guard change.newOwner != nil else { return }
    let target = BusTarget(player, MPRISDescriptions.path, StandardInterfaces.properties.name, "GetAll")
    AgentLoop.task { [connection, weak self] in
      let reply = try? await connection.call(target, .arguments(MPRISDescriptions.player.name.text))
      self?.take(try? reply?.decoded(as: [String: WireValue].self))
    }
  }

  private func take(_ all: [String: WireValue]?) {
    knowledge.withLock {
      $0.firstAnswers.append(all)
      $0.properties = all ?? [:]
    }
    bell.ring()
  }

  @AgentLoop private func hear(_ signal: BusSignal) {
    guard let changes = signal.changes, changes.interface == MPRISDescriptions.player.name.text else {
      return
    }
    knowledge.withLock {
      $0.properties.merge(changes.changed) { $1 }
      for name in changes.invalidated { $0.properties[name] = nil }
      $0.updates += 1
    }
    bell.ring()
  }
}
