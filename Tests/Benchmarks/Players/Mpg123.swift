// SPDX-License-Identifier: MIT
import FermataTestKit

/// mpg123 with its output for PulseAudio. It takes no orders without a terminal.
final class Mpg123: Player {
  static let name = "mpg123"
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    started = Monotonic.now
    child = try Child(
      .named("mpg123", package: "mpg123"), ["-q", "-o", "pulse"] + files, environment: stage.environment)
  }
}
