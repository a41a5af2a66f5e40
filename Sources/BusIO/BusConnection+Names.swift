// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

extension BusConnection {
  /// Asks for a well-known name. Whether the name is gained or lost later is reported to `onNameEvent`.
  package func requestName(_ name: BusName, _ flags: BusNameFlags = []) async throws(BusError)
    -> BusNameRequest
  {
    let code = try await call(.bus("RequestName"), .arguments(name.text, flags.rawValue)).decoded(
      as: UInt32.self)
    guard let result = BusNameRequest(rawValue: code) else {
      throw .failed("the bus answered the request for \(name) with \(code), which is no answer")
    }
    return result
  }

  /// Gives a name back, or the place in the queue for it. Returns whether this connection had either.
  @discardableResult
  package func releaseName(_ name: BusName) async throws(BusError) -> Bool {
    try await call(.bus("ReleaseName"), .arguments(name.text)).decoded(as: UInt32.self) == 1
  }

  /// Every name that has an owner, including the unique names of connections.
  package func names() async throws(BusError) -> [String] {
    try await call(.bus("ListNames")).decoded(as: [String].self)
  }

  /// Every name whose program the bus knows how to start.
  package func startableNames() async throws(BusError) -> [String] {
    try await call(.bus("ListActivatableNames")).decoded(as: [String].self)
  }

  /// The connection that has a name; nil when none has it.
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
    var rule = MatchRule(
      sender: .bus, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "NameOwnerChanged")
    if let name { rule.arguments[0] = .text(name.text) }
    return rule
  }

  /// Handles the bus's own signals about names. Others are ignored.
  func hear(_ signal: BusSignal) {
    guard signal.sender == .bus, signal.interface == "org.freedesktop.DBus" else { return }
    if let change = BusNameChange(signal) {
      owners[change.name]?.current = change.newOwner
    } else if let event = BusNameEvent(signal) {
      onNameEvent?(event)
    }
  }
}

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

/// This connection gained or lost a name. The first event is that of its own unique name.
package enum BusNameEvent: Sendable, Hashable {
  /// It is ours from now on.
  case acquired(BusName)
  /// It belongs to another connection, or to none, from now on.
  case lost(BusName)

  init?(_ signal: BusSignal) {
    guard case .string(let text)? = signal.arguments.first, let name = BusName(text) else { return nil }
    switch signal.member.text {
    case "NameAcquired": self = .acquired(name)
    case "NameLost": self = .lost(name)
    default: return nil
    }
  }
}

/// The result of a request for a name. The raw values are the protocol's.
package enum BusNameRequest: UInt32, Sendable {
  /// It is ours now.
  case owned = 1
  /// Another connection has it; we get it when that one gives it up.
  case queued = 2
  /// Another connection has it, and we are not queued for it.
  case taken = 3
  /// It was ours already.
  case alreadyOwned = 4
}

/// Options of a request for a well-known name.
package struct BusNameFlags: OptionSet, Sendable {
  /// The bits of the protocol.
  package let rawValue: UInt32
  /// A set from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Another may take it over by asking with `replaceExisting`.
  package static let allowReplacement = BusNameFlags(rawValue: 1)
  /// Take the name over from its owner, if the owner has allowed that.
  package static let replaceExisting = BusNameFlags(rawValue: 2)
  /// Do not queue for the name when its owner keeps it.
  package static let doNotQueue = BusNameFlags(rawValue: 4)
}
