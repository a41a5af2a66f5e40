// SPDX-License-Identifier: MIT

/// Tells which signals a listener wants. The bus gets the rule as text. It sends a connection every signal that matches any of its rules, so each
/// signal that arrives is matched against each rule again. A part that is nil matches anything.
package struct MatchRule: Sendable, Hashable {
  /// The sender, by its unique or a well-known name.
  package var sender: BusName?
  package var path: ObjectPath?
  package var interface: InterfaceName?
  package var member: MemberName?
  /// The text that the signal's first argument has to be.
  package var firstArgument: String?

  /// A rule for every signal that matches all parts that are given.
  package init(
    sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
    member: MemberName? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule in the bus's syntax, for the calls `AddMatch` and `RemoveMatch`.
  package var text: String {
    let parts = [
      ("type", "signal"), ("sender", sender?.text), ("path", path?.text), ("interface", interface?.text),
      ("member", member?.text), ("arg0", firstArgument),
    ]
    return parts.compactMap { key, text in text.map { "\(key)=\(Self.quoted($0))" } }.joined(separator: ",")
  }

  /// Puts the text between apostrophes. An apostrophe in the text is the only character that needs an escape: the quotation is interrupted for it.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// Whether the signal's header matches the rule. `owner` returns the connection that has a well-known name now; nil if none is known.
  package func matches(header signal: BusSignal, owner: (BusName) -> BusName?) -> Bool {
    if let member, member != signal.member { return false }
    if let interface, interface != signal.interface { return false }
    if let path, path != signal.path { return false }
    guard let sender else { return true }
    return sender == signal.sender || owner(sender).map { $0 == signal.sender } ?? false
  }

  /// Whether the signal's arguments match the rule.
  package func matches(arguments: [WireValue]) -> Bool {
    firstArgument.map { arguments.first == .string($0) } ?? true
  }
}

/// A signal that arrived or is to be sent.
package struct BusSignal: Sendable, Hashable {
  /// The unique name of the connection that sent it; the bus fills it in.
  package var sender: BusName?
  /// The object that the signal is about.
  package var path: ObjectPath
  package var interface: InterfaceName
  package var member: MemberName
  package var arguments: [WireValue]

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
