// SPDX-License-Identifier: MIT
import BusModel
package import CommandModel
package import FaceModel
package import MediaModel

// The pads, which sound beside the music.
extension AgentClient {
  /// The agent's kit, its pads, and whether a hit would be heard.
  package func pads() async throws(CommandError) -> PadsFace { try pads(await call(.pads)) }

  /// Has the agent make its pads ready to be struck, so that the first hit is heard as fast as later ones. Returns the same as `pads`.
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
