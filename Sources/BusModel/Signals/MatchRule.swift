// SPDX-License-Identifier: MIT

/// Which signals somebody wants, as the bus is told and as they are told apart on arrival.
package struct MatchRule: Sendable, Hashable {
  /// A demand on one of the first 64 arguments.
  package enum Argument: Sendable, Hashable {
    /// The text is this one.
    case text(String)
    /// The path is this one or, where one of the two ends in a slash, stands above or below it.
    case path(String)
  }

  /// The highest number of an argument that a rule may name.
  package static let lastArgument = 63

  /// Whose signals, by any name; nothing for everybody's.
  package var sender: BusName?
  /// Of one object.
  package var path: ObjectPath?
  /// Of one object and all below it. Not together with `path`.
  package var pathNamespace: ObjectPath?
  /// Of one interface.
  package var interface: InterfaceName?
  /// Of one name.
  package var member: MemberName?
  /// With these arguments, by their number.
  package var arguments: [Int: Argument] = [:]
  /// With a bus name or an interface as the first argument that is this one or below it.
  package var firstArgumentNamespace: String?

  /// Every signal that agrees with what is given here.
  package init(
    sender: BusName? = nil, path: ObjectPath? = nil, interface: InterfaceName? = nil,
    member: MemberName? = nil
  ) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// The rule as the bus is told.
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

  /// Between apostrophes everything stands for itself, except the apostrophe: it is written outside.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }
}
