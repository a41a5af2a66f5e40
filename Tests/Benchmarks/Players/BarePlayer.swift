// SPDX-License-Identifier: MIT
import FermataTestKit

/// The bare client, which makes its sound itself and corks when it is moved.
final class BarePlayer: Player {
  static let name = "bare C"
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    started = Monotonic.now
    child = try Child(Bench.bare, ["play"], environment: stage.environment)
  }
}
