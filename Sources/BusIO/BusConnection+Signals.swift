// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel

/// One subscriber: the signals it wants and the handler that gets them.
struct Listener {
  let id: UInt64
  let rule: MatchRule
  let handler: @AgentLoop (BusSignal) -> Void
}

/// The owner of a well-known name that listeners follow, and how many of them do.
struct OwnerRecord {
  var current: BusName?
  var listeners = 1
}

extension BusConnection {
  /// Calls `handler` for each signal that matches the rule, in order of arrival, for as long as the subscription is
  /// kept. Returns when the bus has accepted the rule; throws when it refuses.
  ///
  /// A rule with a well-known name matches the signals of its owner at the time. A
  /// signal larger than `limits` allows is left out.
  package func subscribe(
    _ rule: MatchRule, _ handler: @escaping @AgentLoop (BusSignal) -> Void
  ) async throws(BusError) -> BusSubscription {
    lastListener += 1
    let subscription = BusSubscription(self, lastListener)
    listeners.append(Listener(id: lastListener, rule: rule, handler: handler))
    try followOwner(of: rule)
    // If the bus refuses, this throws. The subscription is then released, and its deinit undoes the steps above.
    if count(rule.text) == 1 { _ = try await call(.bus("AddMatch"), .arguments(rule.text)) }
    return subscription
  }

  func removeListener(_ id: UInt64) {
    guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
    let rule = listeners.remove(at: index).rule
    forget(rule.text)
    unfollowOwner(of: rule)
  }

  /// Hands a signal to the listeners that want it. Its arguments are read only if a
  /// listener's rule matches the header, or if the bus itself sent it.
  func deliver(_ message: borrowing BusMessage) {
    guard var signal = message.signalHeader else { return }
    let wanting = listeners.filter { $0.rule.matches(header: signal) { owners[$0]?.current } }
    guard !wanting.isEmpty || signal.sender == .bus, let values = try? arguments(of: message) else { return }
    signal.arguments = values
    hear(signal)
    // A handler may cancel the listeners that come after it.
    for listener in wanting where listener.rule.matches(arguments: values) && isListening(listener.id) {
      listener.handler(signal)
    }
  }

  private func isListening(_ id: UInt64) -> Bool { listeners.contains { $0.id == id } }

  // MARK: Rules

  /// Counts a listener of this rule and returns how many there are now. Listeners with the same rule share one at the bus.
  private func count(_ text: String) -> Int {
    matchRules[text, default: 0] += 1
    return matchRules[text] ?? 1
  }

  private func forget(_ text: String) {
    guard let count = matchRules[text] else { return }
    matchRules[text] = count == 1 ? nil : count - 1
    guard count == 1, isOpen else { return }
    // If the bus had refused the rule, it has none to remove. Its error reply would be of no use, so none is asked for.
    _ = try? tell(.bus("RemoveMatch"), .arguments(text))
  }

  // MARK: Owners

  private static func nameToFollow(_ rule: MatchRule) -> BusName? {
    guard let name = rule.sender, !name.isUnique, name != .bus else { return nil }
    return name
  }

  /// The bus resolves the well-known name in a rule to its owner, but signals carry
  /// only the owner's unique name. So we have to know the owner too.
  private func followOwner(of rule: MatchRule) throws(BusError) {
    guard let name = Self.nameToFollow(rule) else { return }
    if owners[name] != nil {
      owners[name]?.listeners += 1
      return
    }
    owners[name] = OwnerRecord()
    let ownerRule = Self.ownerRule(name).text
    // Add the rule before asking for the owner, so that no later change of owner is missed.
    if count(ownerRule) == 1 { try tell(.bus("AddMatch"), .arguments(ownerRule)) }
    try call(.bus("GetNameOwner"), .arguments(name.text)) { [weak self] result in
      let owner = try? result.get().decoded(as: String.self)
      self?.owners[name]?.current = owner.flatMap { BusName($0) }
    }
  }

  private func unfollowOwner(of rule: MatchRule) {
    guard let name = Self.nameToFollow(rule), let record = owners[name] else { return }
    owners[name]?.listeners -= 1
    guard record.listeners == 1 else { return }
    owners[name] = nil
    forget(Self.ownerRule(name).text)
  }
}

/// One subscription to signals. It ends when it is cancelled or its last reference goes. Only the loop's thread may use it.
@AgentLoop
package final class BusSubscription {
  private weak let connection: BusConnection?
  private let listener: UInt64

  init(_ connection: BusConnection, _ listener: UInt64) {
    self.connection = connection
    self.listener = listener
  }

  isolated deinit { cancel() }

  /// Ends the subscription. The handler gets no further signal, not even one that has
  /// arrived already. Calling it again does nothing.
  package func cancel() { connection?.removeListener(listener) }
}
