// SPDX-License-Identifier: MIT

/// Which signals a listener wants. The bus gets the rule as text; each signal that arrives is matched against the rule again.
package struct MatchRule: Sendable, Hashable {
  /// What one of the first 64 arguments has to be.
  package enum Argument: Sendable, Hashable {
    /// The argument is this text.
    case text(String)
    /// The argument is this path. If one of the two ends in a slash, the other may also be a path below it.
    case path(String)
  }

  /// The highest number of an argument that a rule may name.
  package static let lastArgument = 63

  /// The sender, by its unique or a well-known name; nil for any sender.
  package var sender: BusName?
  /// The object that the signal is about; nil for any object.
  package var path: ObjectPath?
  /// Only signals about this object or one below it. Not to be used together with `path`.
  package var pathNamespace: ObjectPath?
  /// The interface of the signal; nil for any interface.
  package var interface: InterfaceName?
  /// The name of the signal; nil for any name.
  package var member: MemberName?
  /// What the arguments have to be, by their number, which counts from 0.
  package var arguments: [Int: Argument] = [:]
  /// The first argument has to be a bus name or interface name that is this one or below it.
  package var firstArgumentNamespace: String?

  /// A rule for every signal that matches all of what is given.
  package init(
    sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
    member: MemberName? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// The rule as the text that the bus gets.
  package var text: String {
    var parts = [("type", "signal")]
    if let sender { parts.append(("sender", sender.text)) }
    if let path { parts.append(("path", path.text)) }
    if let pathNamespace { parts.append(("path_namespace", pathNamespace.text)) }
    if let interface { parts.append(("interface", interface.text)) }
    if let member { parts.append(("member", member.text)) }
    for (index, argument) in arguments.sorted(by: { $0.key < $1.key }) {
      switch argument {
      case .text(let text): parts.append(("arg\(index)", text))
      case .path(let text): parts.append(("arg\(index)path", text))
      }
    }
    if let firstArgumentNamespace { parts.append(("arg0namespace", firstArgumentNamespace)) }
    return parts.map { "\($0)=\(Self.quoted($1))" }.joined(separator: ",")
  }

  /// Puts the text between apostrophes, where only the apostrophe itself needs escaping: it is written outside of them.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}

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

/// A signal that arrived or is to be sent.
package struct BusSignal: Sendable, Hashable {
  /// The unique name of the connection that sent it; the bus fills it in.
  package var sender: BusName?
  /// The object that it is about.
  package var path: ObjectPath
  /// The interface that it belongs to.
  package var interface: InterfaceName
  /// Its name.
  package var member: MemberName
  /// Its arguments.
  package var arguments: [WireValue]

  /// A signal with these parts.
  package init(
    sender: BusName? = nil, path: ObjectPath, interface: InterfaceName, member: MemberName,
    arguments: [WireValue] = []
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
