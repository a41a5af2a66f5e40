// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// Somebody who wants signals.
struct Listener {
  let id: UInt64
  let rule: MatchRule
  let handler: @AgentLoop (BusSignal) -> Void
}

/// Which connection has a name that somebody listens to, and how many do.
struct OwnerRecord {
  var current: BusName?
  var listeners = 1
}

extension BusConnection {
  /// Calls `handler` for each signal that agrees with the rule, in the order of their coming, for as long as the subscription is
  /// kept. Returns when the bus has taken the rule; throws when it refuses.
  ///
  /// Signals of a well-known name are those of whoever has it at the time. A signal too large for `limits` is left out.
  package func subscribe(
    _ rule: MatchRule, _ handler: @escaping @AgentLoop (BusSignal) -> Void
  ) async throws(BusError) -> BusSubscription {
    lastListener += 1
    let subscription = BusSubscription(self, lastListener)
    listeners.append(Listener(id: lastListener, rule: rule, handler: handler))
    try followOwner(of: rule)
    // A refusal throws, and the end of the subscription then takes everything back.
    if count(rule.text) == 1 { _ = try await call(.bus("AddMatch"), .arguments(rule.text)) }
    return subscription
  }

  func removeListener(_ id: UInt64) {
    guard let index = listeners.firstIndex(where: { $0.id == id }) else { return }
    let rule = listeners.remove(at: index).rule
    forget(rule.text)
    unfollowOwner(of: rule)
  }

  /// Hands a signal to those who want it. Its arguments are read only if somebody may.
  func deliver(_ message: borrowing BusMessage) {
    guard var signal = message.signalHeader else { return }
    let wanting = listeners.filter { $0.rule.matches(header: signal) { owners[$0]?.current } }
    guard !wanting.isEmpty || signal.sender == .bus, let values = try? arguments(of: message) else { return }
    signal.arguments = values
    hear(signal)
    // A handler may cancel those after it.
    for listener in wanting where listener.rule.matches(arguments: values) && isListening(listener.id) {
      listener.handler(signal)
    }
  }

  private func isListening(_ id: UInt64) -> Bool { listeners.contains { $0.id == id } }

  // MARK: Rules

  /// One rule at the bus serves all listeners with the same one. Answers how many there are now.
  private func count(_ text: String) -> Int {
    matchRules[text, default: 0] += 1
    return matchRules[text] ?? 1
  }

  private func forget(_ text: String) {
    guard let count = matchRules[text] else { return }
    matchRules[text] = count == 1 ? nil : count - 1
    guard count == 1, isOpen else { return }
    // The bus may have refused the rule; then it has none to remove, and nobody waits for it to say so.
    _ = try? tell(.bus("RemoveMatch"), .arguments(text))
  }

  // MARK: Owners

  private static func nameToFollow(_ rule: MatchRule) -> BusName? {
    guard let name = rule.sender, !name.isUnique, name != .bus else { return nil }
    return name
  }

  /// The bus compares a rule's well-known name with its owner; signals carry the owner only. So we have to know it as well.
  private func followOwner(of rule: MatchRule) throws(BusError) {
    guard let name = Self.nameToFollow(rule) else { return }
    if owners[name] != nil {
      owners[name]?.listeners += 1
      return
    }
    owners[name] = OwnerRecord()
    let ownerRule = Self.ownerRule(name).text
    // First the rule, then the question: a change in between comes after the answer.
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
