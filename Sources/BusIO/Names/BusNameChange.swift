// SPDX-License-Identifier: MIT
public import BusModel

/// Another connection, or none, is behind a name.
public struct BusNameChange: Sendable, Hashable {
  /// The name.
  public let name: BusName
  /// Who had it; nobody when it is new.
  public let oldOwner: BusName?
  /// Who has it; nobody when it is gone.
  public let newOwner: BusName?

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
