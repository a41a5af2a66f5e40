// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel

/// Notices that whoever gave an order has left the bus before it was carried out.
///
/// Most orders are carried out before the bus could answer, so it is asked only after a while. Loop only; `end` ends it.
@AgentLoop
final class CallerWatch {
  private static let patience = Duration.milliseconds(50)

  private let caller: BusName
  private let connection: BusConnection
  private var gone: (@AgentLoop () -> Void)?
  private var timer: LoopTimer?
  private var subscription: BusSubscription?

  /// Calls `gone`, once at most, when the caller has left; never after `end`.
  init(_ caller: BusName, on connection: BusConnection, gone: @escaping @AgentLoop () -> Void) {
    self.caller = caller
    self.connection = connection
    self.gone = gone
    timer = AgentLoop.after(Self.patience) { [weak self] in self?.begin() }
  }

  /// Call this when the order was carried out, or has failed.
  func end() {
    timer?.cancel()
    gone = nil
    subscription = nil
  }

  private func begin() {
    AgentLoop.task { [weak self, caller, connection] in
      let subscription = try? await connection.nameOwnerChanges(of: caller) { change in
        if change.newOwner == nil { self?.left() }
      }
      self?.keep(subscription)
      // It may have left before the bus was asked to tell; or the bus is gone, and everybody with it.
      if (try? await connection.owner(of: caller)) == nil { self?.left() }
    }
  }

  private func keep(_ subscription: BusSubscription?) { if gone != nil { self.subscription = subscription } }

  private func left() {
    gone?()
    gone = nil
  }
}
