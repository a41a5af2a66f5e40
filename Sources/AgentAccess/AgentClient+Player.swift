// SPDX-License-Identifier: MIT
import BusIO
import BusModel
package import CommandModel
package import FaceModel
package import MediaModel
package import PlaybackLogic

/// What a client asks the agent about the player: orders, its state, volume, output and modes.
extension AgentClient {
  /// Gives the player an order. Returns the name of the interruption that keeps the music silent for now; nil if there is none.
  package func order(_ order: PlayerOrder) async throws(CommandError) -> String? {
    Self.waiting(try await call(AgentCall(order)))
  }

  /// Reads from the answer to an order which interruption keeps the music silent for now: the only string in it. Nil if that is empty.
  static func waiting(_ reply: [WireValue]) -> String? {
    for case .string(let reason) in reply.reversed() { return reason.isEmpty ? nil : reason }
    return nil
  }

  package func status(
    timeout: Duration = BusConnection.standardTimeout
  ) async throws(CommandError) -> StatusFace {
    let reply = try await call(.status, timeout: timeout)
    guard let status = reply.first.flatMap({ StatusFace(wire: $0) }) else { throw unreadable }
    return status
  }

  /// The status of an agent that plays. Throws the agent's refusal if it only guards: such an agent answers the question, but its volume and
  /// modes mean nothing.
  package func playerStatus() async throws(CommandError) -> StatusFace {
    let status = try await status()
    guard !status.onlyGuards else { throw CommandError(.refused, command, StatusFace.guardRefusal) }
    return status
  }

  /// Orders the agent to end. It still runs for a moment after it has answered.
  package func quit() async throws(CommandError) { try await call(.quit) }

  package func set(volume: Double) async throws(CommandError) { try await call(.set(volume: volume)) }

  /// Raises the volume by `difference`, from -1 to 1, or lowers it if negative. Returns the new volume.
  package func change(volumeBy difference: Double) async throws(CommandError) -> Double {
    let reply = try await call(.change(volumeBy: difference))
    guard let volume = try? reply.decoded(as: Double.self) else { throw unreadable }
    return volume
  }

  /// Mutes the music, or unmutes it.
  package func set(muted: Bool) async throws(CommandError) { try await call(.set(muted: muted)) }

  /// Mutes the music if it isn't muted, and unmutes it if it is. Returns whether it is muted now.
  package func toggleMute() async throws(CommandError) -> Bool {
    let reply = try await call(.toggleMute)
    guard let isMuted = try? reply.decoded(as: Bool.self) else { throw unreadable }
    return isMuted
  }

  /// The outputs that the sound can go to.
  package func outputs() async throws(CommandError) -> [OutputFace] {
    let reply = try await call(.outputs)
    guard case .array(_, let outputs)? = reply.first else { throw unreadable }
    return outputs.compactMap(OutputFace.init)
  }

  /// Moves the sound to the output with this name.
  package func set(output: String) async throws(CommandError) {
    if output.isEmpty {
      throw CommandError(.usage, command, "an output has a name", "'fermata output' lists them")
    }
    do throws(CommandError) { try await call(.set(output: output)) } catch {
      // An agent that only guards lists no outputs either.
      guard error.code == .refused, error.reason != StatusFace.guardRefusal else { throw error }
      let names = ((try? await outputs()) ?? []).flatMap { [$0.route.sink, $0.route.description] }
      // There is such an output; the sound server has refused to move the sound there.
      if names.contains(output) { throw error }
      let nearest = Suggestion.nearest(to: output, among: names).map { "did you mean '\($0)'?" }
      throw error.advising(nearest ?? "'fermata output' lists them")
    }
  }

  /// Chooses the repeat mode.
  package func set(repeat choice: ModeChoice<RepeatMode>) async throws(CommandError) {
    try await edit(.set(repeat: choice))
  }

  package func set(shuffle choice: ModeChoice<ShuffleMode>) async throws(CommandError) {
    try await edit(.set(shuffle: choice))
  }

  package func sleep(after time: Duration?) async throws(CommandError) {
    _ = try await call(.sleep(after: time))
  }

  package func set(consume isOn: Bool) async throws(CommandError) { try await edit(.set(consume: isOn)) }

  /// Makes the agent read the settings file, and waits a moment until its settings are in force. An agent that can't do this reads the file by itself
  /// a little later. Returns the path of the file that it reads; nil if it does not say.
  package func readSettings() async -> String? {
    let path = try? await call(.readSettings, timeout: .seconds(2)).decoded(as: String.self)
    return path.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The repeat mode that was chosen by hand, as a word; "default" if the settings decide. Nil if the agent doesn't answer soon. `shuffleChoice` says
  /// the same of shuffle.
  package func repeatChoice() async -> String? { await text(of: .repeatChoice) }
  package func shuffleChoice() async -> String? { await text(of: .shuffleChoice) }

  /// The category, which says how the music behaves beside other programs' sound, as a word.
  package func category() async throws(CommandError) -> String { try await value(of: .category) }

  /// Sets the category, which says how the music behaves beside other programs' sound. An agent refuses; only a player inside this process accepts
  /// it.
  package func set(category: SessionCategory) async throws(CommandError) {
    try await call(.set(category: category))
  }

  /// Whether another program is heard.
  package func isOtherAudioPlaying() async throws(CommandError) -> Bool {
    try await value(of: .isOtherAudioPlaying)
  }

  private func value<Value: WireConvertible>(of property: AgentCall) async throws(CommandError) -> Value {
    guard case .variant(let value)? = try await call(property).first, let value = Value(wire: value) else {
      throw unreadable
    }
    return value
  }

  private func text(of property: AgentCall) async -> String? {
    guard case .variant(let value)? = try? await call(property, timeout: .seconds(2)).first else {
      return nil
    }
    return String(wire: value)
  }

  /// The picture of an item, or of the current track if `item` is nil, as a URI and as the file that it names. `size`
  /// is in pixels; nil means the picture's own size.
  package func art(_ item: MediaItem.ID?, size: Int?) async throws(CommandError) -> (
    uri: String, file: FilePath
  ) {
    try picture(await call(.art(item, size: size), timeout: Self.patience))
  }

  /// The picture of the track on a row of the queue, as a URI and as the file that it names. `size` is in pixels; nil means the picture's own size.
  package func art(ofRow row: Int, size: Int?) async throws(CommandError) -> (uri: String, file: FilePath) {
    try await art(of: entries(ofRows: [row])[0], size: size)
  }

  /// The picture of an entry of the queue, as a URI and as the file that it names. `size` is in pixels; nil means the picture's own size.
  package func art(of entry: EntryID, size: Int?) async throws(CommandError) -> (uri: String, file: FilePath)
  {
    try picture(await call(.art(of: entry, size: size), timeout: Self.patience))
  }

  private func picture(_ reply: [WireValue]) throws(CommandError) -> (uri: String, file: FilePath) {
    guard let uri = try? reply.decoded(as: String.self), let file = try? FilePath(uri: uri) else {
      throw unreadable
    }
    return (uri, file)
  }
}
