// SPDX-License-Identifier: MIT
package import BusModel

/// A name has another owner now, or none.
package struct BusNameChange: Sendable, Hashable {
  /// The name.
  package let name: BusName
  /// Who had it; nil when the name is new.
  package let oldOwner: BusName?
  /// Who has it; nil when the name is gone.
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
