// SPDX-License-Identifier: MIT
import AgentLoop
import FaceModel
import PlaybackLogic

/// The agent's state as the one-line status that the service manager shows. It has no titles, because systemd's journal would keep them.
struct ServiceStatus: Equatable {
  let state: PlaybackState
  let why: SilenceReason?

  var line: String { PlainWords.state(state, why?.text) }
}

/// Notices that the desktop session is over: its bus was there, is gone, and does not come back.
///
/// Without this, an agent that no service manager watches would live on after the logout, and its lock would keep the next session's
/// agent from the queue.
@AgentLoop
final class SessionWatch {
  /// How long to wait for the bus to come back: longer than a bus needs to restart, shorter than the next session's agent waits for
  /// this one to let go of the stored queue.
  static let patience = Duration.seconds(4)

  private let over: @AgentLoop () -> Void
  private var wasThere = false
  private var timer: LoopTimer?

  /// A watch that calls `over`, once, when the session is over.
  init(over: @escaping @AgentLoop () -> Void) { self.over = over }

  /// Call this when the bus is there.
  func found() {
    wasThere = true
    timer?.cancel()
    timer = nil
  }

  /// Call this when the bus is gone or still missing. It ends nothing if there never was a bus, because the agent can play without one.
  func lost() {
    guard wasThere, timer == nil else { return }
    timer = AgentLoop.after(Self.patience) { [over] in over() }
  }
}
