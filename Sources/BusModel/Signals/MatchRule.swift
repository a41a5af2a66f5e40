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
