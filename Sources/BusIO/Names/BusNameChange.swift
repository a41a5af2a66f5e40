// SPDX-License-Identifier: MIT
package import BusModel

/// Another connection, or none, is behind a name.
package struct BusNameChange: Sendable, Hashable {
  /// The name.
  package let name: BusName
  /// Who had it; nobody when it is new.
  package let oldOwner: BusName?
  /// Who has it; nobody when it is gone.
  package let newOwner: BusName?

  init?(_ signal: BusSignal) {
    guard signal.member == "NameOwnerChanged",
      let (name, old, new) = try? signal.arguments.decoded(as: String.self, String.self, String.self),
      let name = BusName(name)
    else { return nil }
    self.name = name
    oldOwner = BusName(old)
    newOwner = BusName(new)
  }
}
