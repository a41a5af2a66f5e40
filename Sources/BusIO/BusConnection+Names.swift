// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

extension BusConnection {
  /// Asks for a well-known name, and does not wait for it if another connection has it. Returns whether this call got the name.
  package func requestName(_ name: BusName) async throws(BusError) -> Bool {
    let (doNotQueue, owned) = (UInt32(4), UInt32(1))
    return try await call(.bus("RequestName"), .arguments(name.text, doNotQueue)).decoded(as: UInt32.self)
      == owned
  }

  /// Every name that has an owner, including the unique names of connections.
  package func names() async throws(BusError) -> [String] {
    try await call(.bus("ListNames")).decoded(as: [String].self)
  }

  /// Every name whose program the bus knows how to start.
  package func startableNames() async throws(BusError) -> [String] {
    try await call(.bus("ListActivatableNames")).decoded(as: [String].self)
  }

  /// The unique name of the connection that has a name; nil when none has it.
  package func owner(of name: BusName) async throws(BusError) -> BusName? {
    do throws(BusError) {
      return BusName(try await call(.bus("GetNameOwner"), .arguments(name.text)).decoded(as: String.self))
    } catch  where error.name == .nameHasNoOwner {
      return nil
    }
  }

  /// The process that a connection belongs to. Throws `NameHasNoOwner` when the connection has gone.
  package func processID(of name: BusName) async throws(BusError) -> UInt32 {
    try await call(.bus("GetConnectionUnixProcessID"), .arguments(name.text)).decoded(as: UInt32.self)
  }

  /// Has the bus start the program that a name belongs to, unless it runs already. Waits until the program has the name.
  package func start(_ name: BusName, timeout: Duration = standardTimeout) async throws(BusError) {
    _ = try await call(.bus("StartServiceByName"), .arguments(name.text, UInt32(0)), timeout: timeout)
  }

  /// Calls the handler each time a name gets another owner or none; without `name`, for every name on the bus.
  package func nameOwnerChanges(
    of name: BusName? = nil, _ handler: @escaping @AgentLoop (BusNameChange) -> Void
  ) async throws(BusError) -> BusSubscription {
    try await subscribe(Self.ownerRule(name)) { signal in
      if let change = BusNameChange(signal) { handler(change) }
    }
  }

  static func ownerRule(_ name: BusName?) -> MatchRule {
    MatchRule(
      sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged", firstArgument: name?.text)
  }
}

/// A name on the bus has another owner now, or none.
package struct BusNameChange: Sendable, Hashable {
  package let name: BusName
  /// The unique name of the connection that had the name; nil when nobody had it.
  package let oldOwner: BusName?
  /// The unique name of the connection that has the name now; nil when nobody has it.
  package let newOwner: BusName?

  init?(_ signal: BusSignal) {
    guard signal.sender == .bus, signal.interface == "org.freedesktop.DBus",
      signal.member == "NameOwnerChanged",
      let (name, old, new) = try? signal.arguments.decoded(as: String.self, String.self, String.self),
      let name = BusName(name)
    else { return nil }
    self.name = name
    oldOwner = BusName(old)
    newOwner = BusName(new)
  }
}
