// SPDX-License-Identifier: MIT
package import AgentLoop
import BusModel

/// The listeners for signals on one connection. Listeners with the same rule share one rule at the bus.
@AgentLoop
final class SignalListeners {
  private struct Listener {
    let id: UInt64
    let rule: MatchRule
    let handler: @AgentLoop (BusSignal) -> Void
  }

  /// The owner of a well-known name that listeners follow, and how many of them do.
  private struct Owner {
    var current: BusName?
    var listeners = 1
  }

  private var listeners: [Listener] = []
  private var lastID: UInt64 = 0
  private var rules: [String: Int] = [:]
  private var owners: [BusName: Owner] = [:]

  /// How many match rules the bus keeps for this connection: each says which signals it wants.
  var rulesAtBus: Int { rules.count }

  /// Adds a listener. Also returns whether it is the first one with this rule, so that the bus has to be told the rule.
  func add(
    _ rule: MatchRule, _ handler: @escaping @AgentLoop (BusSignal) -> Void, on connection: BusConnection
  ) throws(BusError) -> (BusSubscription, isNewToBus: Bool) {
    lastID += 1
    let subscription = BusSubscription(self, lastID, on: connection)
    listeners.append(Listener(id: lastID, rule: rule, handler: handler))
    try followOwner(of: rule, on: connection)
    return (subscription, count(rule.text) == 1)
  }

  func remove(_ id: UInt64, on connection: BusConnection) {
    guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
    let rule = listeners.remove(at: index).rule
    forget(rule.text, on: connection)
    unfollowOwner(of: rule, on: connection)
  }

  func removeAll() { listeners = [] }

  /// Hands a signal to the listeners that want it. Its arguments are read only if a
  /// listener's rule matches the header, or if the bus itself sent it.
  func deliver(_ message: borrowing BusMessage, arguments: () throws(BusError) -> [WireValue]) {
    guard var signal = message.signalHeader else { return }
    let wanting = listeners.filter { $0.rule.matches(header: signal) { owners[$0]?.current } }
    guard !wanting.isEmpty || signal.sender == .bus, let values = try? arguments() else { return }
    signal.arguments = values
    // Only the bus itself says who owns a name.
    if let change = BusNameChange(signal) { owners[change.name]?.current = change.newOwner }
    // A handler may cancel the listeners that come after it.
    for listener in wanting where listener.rule.matches(arguments: values) && isListening(listener.id) {
      listener.handler(signal)
    }
  }

  private func isListening(_ id: UInt64) -> Bool { listeners.contains { $0.id == id } }

  // MARK: Rules

  /// Counts one more listener that has this rule, and returns how many have it now.
  private func count(_ text: String) -> Int {
    rules[text, default: 0] += 1
    return rules[text] ?? 1
  }

  private func forget(_ text: String, on connection: BusConnection) {
    guard let count = rules[text] else { return }
    rules[text] = count == 1 ? nil : count - 1
    guard count == 1, connection.isOpen else { return }
    // If the bus had refused the rule, it has none to remove. Its error reply would be of no use, so none is asked for.
    _ = try? connection.callWithoutReply(.bus("RemoveMatch"), .arguments(text))
  }

  // MARK: Owners

  private static func nameToFollow(_ rule: MatchRule) -> BusName? {
    guard let name = rule.sender, !name.isUnique, name != .bus else { return nil }
    return name
  }

  /// Begins to follow who owns the well-known name in a rule. We have to know the owner, because signals carry only the owner's unique name.
  private func followOwner(of rule: MatchRule, on connection: BusConnection) throws(BusError) {
    guard let name = Self.nameToFollow(rule) else { return }
    if owners[name] != nil {
      owners[name]?.listeners += 1
      return
    }
    owners[name] = Owner()
    let ownerRule = BusConnection.ownerRule(name).text
    // Add the rule before asking for the owner, so that no later change of owner is missed.
    if count(ownerRule) == 1 { try connection.callWithoutReply(.bus("AddMatch"), .arguments(ownerRule)) }
    try connection.call(.bus("GetNameOwner"), .arguments(name.text)) { [weak self] result in
      let owner = try? result.get().decoded(as: String.self)
      self?.owners[name]?.current = owner.flatMap { BusName($0) }
    }
  }

  private func unfollowOwner(of rule: MatchRule, on connection: BusConnection) {
    guard let name = Self.nameToFollow(rule), let record = owners[name] else { return }
    owners[name]?.listeners -= 1
    guard record.listeners == 1 else { return }
    owners[name] = nil
    forget(BusConnection.ownerRule(name).text, on: connection)
  }
}

/// One subscription to signals. It ends when it is cancelled or its last reference goes. Only the loop's thread may use it.
@AgentLoop
package final class BusSubscription {
  private weak let connection: BusConnection?
  private let listeners: SignalListeners
  private let id: UInt64

  init(_ listeners: SignalListeners, _ id: UInt64, on connection: BusConnection) {
    self.listeners = listeners
    self.id = id
    self.connection = connection
  }

  isolated deinit { cancel() }

  /// Ends the subscription. The handler gets no further signal, not even one that has
  /// arrived already. Calling it again does nothing.
  package func cancel() { if let connection { listeners.remove(id, on: connection) } }
}
