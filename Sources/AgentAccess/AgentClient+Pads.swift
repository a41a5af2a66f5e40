// SPDX-License-Identifier: MIT
import BusModel
package import CommandModel
package import FaceModel
package import MediaModel

// The pads, which sound beside the music.
extension AgentClient {
  /// The kit, its pads, and whether they sound.
  package func pads() async throws(CommandError) -> PadsFace { try pads(await call(.pads)) }

  /// Gets everything ready, so that the first hit is heard as fast as later ones.
  package func preparePads() async throws(CommandError) -> PadsFace { try pads(await call(.preparePads)) }

  /// Loads the kit in a folder; nil for the kit that comes with the program. The agent decodes all of it before it answers.
  package func load(kit: FilePath?) async throws(CommandError) -> PadsFace {
    try pads(await call(.load(kit: kit), timeout: Self.patience))
  }

  package func hit(pad: PadNumber) async throws(CommandError) { try await call(.hit(pad: pad)) }

  package func stopPads() async throws(CommandError) { try await call(.stopPads) }

  /// Sets the volume of a pad, or of all if none is named.
  package func set(volume: Double, ofPad pad: PadNumber?) async throws(CommandError) {
    try await call(.set(volume: volume, ofPad: pad))
  }

  private func pads(_ reply: [WireValue]) throws(CommandError) -> PadsFace {
    guard let pads = reply.first.flatMap({ PadsFace(wire: $0) }) else { throw unreadable }
    return pads
  }
}
