// SPDX-License-Identifier: MIT
import AudioModel

// Findings about music that plays but cannot be heard.
extension Health {
  /// Whether the agent's own stream is muted or at volume zero. Empty if there is no stream, or nothing is wrong with it.
  static func volume(_ evidence: HealthEvidence) -> [Finding] {
    guard case .found(let sound) = evidence.sound, case .found(let bus) = evidence.bus,
      let stream = stream(of: bus.agent, in: sound.world)
    else { return [] }
    if stream.isMuted {
      return [
        Finding(
          "volume", .warning, "fermata's own stream is muted", advice: "unmute it in the desktop's mixer")
      ]
    }
    guard stream.volume == 0 else { return [] }
    return [Finding("volume", .warning, "fermata's own volume is 0%", advice: "fermata volume 100%")]
  }

  private static func stream(of agent: UInt32?, in world: AudioWorld) -> SinkInput? {
    guard let agent else { return nil }
    let clients = world.clients.filter { $0.processID.map(Int64.init) == Int64(agent) }.map(\.index)
    return world.sinkInputs.first { $0.client.map(clients.contains) ?? false }
  }
}
