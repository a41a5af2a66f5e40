// SPDX-License-Identifier: MIT
import AgentLoop

/// Whether the session is over: its bus was there, is gone, and does not come back.
///
/// Without this an agent that no service manager watches would live on after the logout, and keep the next session's from the
/// queue.
@AgentLoop
final class SessionWatch {
  /// Longer than a bus needs to be started anew, shorter than the next session's agent waits for the queue.
  private static let patience = Duration.seconds(4)

  private let over: @AgentLoop () -> Void
  private var wasThere = false
  private var timer: LoopTimer?

  /// A watch that calls `over` once.
  init(over: @escaping @AgentLoop () -> Void) { self.over = over }

  /// The bus is there.
  func found() {
    wasThere = true
    timer?.cancel()
    timer = nil
  }

  /// The bus is gone, or still not there. One that never was does not end anything: the agent plays without.
  func lost() {
    guard wasThere, timer == nil else { return }
    timer = AgentLoop.after(Self.patience) { [over] in over() }
  }
}
