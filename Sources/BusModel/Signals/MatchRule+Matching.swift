// SPDX-License-Identifier: MIT

extension MatchRule {
  /// Whether the signal's header matches the rule. `owner` returns the connection that has a well-known name now.
  ///
  /// The bus sends a connection every signal that any of its rules asks for, so each listener has to pick its own.
  package func matches(header signal: BusSignal, owner: (BusName) -> BusName?) -> Bool {
    if let member, member != signal.member { return false }
    if let interface, interface != signal.interface { return false }
    if let path, path != signal.path { return false }
    if let pathNamespace, !signal.path.isWithin(pathNamespace) { return false }
    guard let sender else { return true }
    return sender == signal.sender || owner(sender).map { $0 == signal.sender } ?? false
  }

  /// Whether the signal's arguments match the rule.
  package func matches(arguments: [WireValue]) -> Bool {
    if let firstArgumentNamespace {
      guard case .string(let text)? = arguments.first, Self.isName(text, within: firstArgumentNamespace)
      else {
        return false
      }
    }
    return self.arguments.allSatisfy { index, demand in
      arguments.indices.contains(index) && demand.accepts(arguments[index])
    }
  }

  private static func isName(_ text: String, within namespace: String) -> Bool {
    text == namespace || text.hasPrefix(namespace + ".")
  }
}

extension MatchRule.Argument {
  fileprivate func accepts(_ value: WireValue) -> Bool {
    switch (self, value) {
    case (.text(let wanted), .string(let text)): return wanted == text
    case (.path(let wanted), .string(let text)): return Self.meets(wanted, text)
    case (.path(let wanted), .objectPath(let path)): return Self.meets(wanted, path.text)
    default: return false
    }
  }

  private static func meets(_ one: String, _ other: String) -> Bool {
    one == other || one.hasSuffix("/") && other.hasPrefix(one) || other.hasSuffix("/") && one.hasPrefix(other)
  }
}
