// SPDX-License-Identifier: MIT
import BusModel
import FermataTestKit
import Synchronization

/// Signals in the order of their coming. The loop adds, a test looks.
final class HeardSignals: Sendable {
  private let signals = Mutex<[BusSignal]>([])
  private let bell = CountedBell()

  var all: [BusSignal] { signals.withLock { $0 } }

  func add(_ signal: BusSignal) {
    signals.withLock { $0.append(signal) }
    bell.ring()
  }

  func forget() { signals.withLock { $0 = [] } }

  /// Blocks until one came since the last call; answers false when the deadline comes first.
  func waitForNext(until deadline: Deadline) -> Bool { bell.wait(until: deadline) }
}

/// What a signal says, for tests.
extension BusSignal {
  /// The interface, the changed properties and the invalidated ones of a `PropertiesChanged`; nil for any other.
  var changes: (interface: String, changed: [String: WireValue], invalidated: [String])? {
    guard member == "PropertiesChanged" else { return nil }
    return try? arguments.decoded(as: String.self, [String: WireValue].self, [String].self)
  }
}

extension [BusSignal] {
  /// The properties that were told of an interface, one dictionary a signal.
  func told(of interface: InterfaceName) -> [[String: WireValue]] {
    compactMap { $0.changes }.filter { $0.interface == interface.text }.map(\.changed)
  }

  /// The signals of an interface, by name.
  func named(_ member: MemberName, of interface: InterfaceName) -> [BusSignal] {
    filter { $0.member == member && $0.interface == interface }
  }
}
