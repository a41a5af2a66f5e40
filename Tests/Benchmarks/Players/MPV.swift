// SPDX-License-Identifier: MIT
import FermataTestKit

/// mpv without a window, told to leave no gaps.
final class MPV: Player {
  static let name = "mpv"
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    started = Monotonic.now
    child = try Child(
      .named("mpv", package: "mpv"),
      ["--no-config", "--no-video", "--no-terminal", "--ao=pulse", "--gapless-audio=yes"] + files,
      environment: stage.environment)
  }
}
