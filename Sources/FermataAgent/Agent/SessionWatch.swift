// SPDX-License-Identifier: MIT
import AgentLoop

/// Notices that the session is over: its bus was there, is gone, and does not come back. Loop only.
///
/// Without this, an agent that no service manager watches would live on after the logout, and its lock would keep the next session's
/// agent from the queue.
@AgentLoop
final class SessionWatch {
  /// How long to wait for the bus to come back: longer than a bus needs to restart, shorter than the next session's agent waits for
  /// the queue.
  private static let patience = Duration.seconds(4)

  private let over: @AgentLoop () -> Void
  private var wasThere = false
  private var timer: LoopTimer?

  /// A watch that calls `over` once.
  init(over: @escaping @AgentLoop () -> Void) { self.over = over }

  /// Call this when the bus is there.
  func found() {
    wasThere = true
    timer?.cancel()
    timer = nil
  }

  /// Call this when the bus is gone or still missing. If there never was a bus nothing ends: the agent plays without one.
  func lost() {
    guard wasThere, timer == nil else { return }
    timer = AgentLoop.after(Self.patience) { [over] in over() }
  }
}
