// SPDX-License-Identifier: MIT
import FermataTestKit

/// The bare client, which makes its sound itself and corks when it is moved, unless it is told "stay" in place of files.
final class BarePlayer: Player {
  static let name = "bare C"
  static let stay = "stay"
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    started = Monotonic.now
    child = try Child(Bench.bare, ["play"] + files.filter { $0 == Self.stay }, environment: stage.environment)
  }
}
