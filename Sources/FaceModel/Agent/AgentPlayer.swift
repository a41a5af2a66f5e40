// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// `org.fermata.Player1`: the properties and signals that the agent shows, and the calls that it takes.
package enum AgentPlayer {
  /// The largest size of a picture that is made, in pixels.
  package static let largestArt = 4096

  /// Every property in the interface's order, except the position.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] { table.values(of: face) }

  /// One property; nil for the position, and for a name that the interface does not have.
  package static func property(_ name: MemberName, of face: PlayerFace) -> WireValue? {
    table.value(of: name, face)
  }

  /// The properties that `PropertiesChanged` has to report, with their new values.
  package static func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    table.changes(from: old, to: new)
  }

  /// The signals that report a difference.
  package static func signals(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, [WireValue])] {
    guard old.state != new.state || old.why != new.why else { return [] }
    return [("StateChanged", .arguments(new.state.rawValue, WireText.clean(new.why?.text ?? "")))]
  }

  /// The value of the property `Position`.
  package static func position(_ position: Duration) -> WireValue { .double(WireTime.seconds(position)) }

  /// The arguments of `Seeked`.
  package static func seeked(to position: Duration) -> [WireValue] { [Self.position(position)] }

  /// The arguments of `Skipped`: an entry cannot be played, for this reason.
  package static func skipped(_ entry: EntryID, _ location: MediaLocation, why: String) -> [WireValue] {
    .arguments(entry.rawValue, WireText.clean(location.wireURI ?? ""), WireText.clean(why))
  }

  private static let table: [FaceProperty] = [
    .silent("State") { .string($0.state.rawValue) },
    .silent("Why") { WireText.value($0.why?.text ?? "") },
    FaceProperty(name: "Current", mayDiffer: FaceProperty.hasOtherTrack) {
      ItemFace(current: $0)?.wireValue() ?? .properties([])
    },
    FaceProperty(name: "Volume") { .double(max(0, $0.volume)) },
    FaceProperty(name: "Repeat") { .string($0.repeatMode.text) },
    FaceProperty(name: "RepeatChoice") { .string($0.repeatChoice.text) },
    FaceProperty(name: "Shuffle") { .string($0.shuffleMode.text) },
    FaceProperty(name: "ShuffleChoice") { .string($0.shuffleChoice.text) },
    .flag("CanGoNext") { $0.canGoNext },
    .flag("CanGoPrevious") { $0.canGoPrevious },
    .flag("CanPlay") { $0.canPlay },
    .flag("CanSeek") { $0.canSeek && $0.entry != nil },
  ]
}

// What clients may ask for. Unlike in MPRIS, no call is ignored: what the player refuses is answered with the reason.
extension AgentPlayer {
  /// What a method asks for. `Status` and `Art` only ask questions, and `ChangeVolume` is read by `volumeChange`.
  package static func order(
    call method: MemberName, _ arguments: [WireValue] = []
  ) throws(BusError) -> PlayerOrder {
    switch method {
    case "Play": return .play
    case "Pause": return .pause
    case "Toggle": return .toggle
    case "Stop": return .stop
    case "Next": return .next
    case "Previous": return .previous
    case "Seek": return .seek(try time(arguments))
    case "SeekTo": return .seekTo(max(.zero, try time(arguments)))
    case "BeginSeek": return .beginSeek(try direction(arguments))
    case "EndSeek": return .endSeek
    case "PlayRandom": return .jumpAnywhere
    default: throw .unknownMethod(method, of: AgentDescriptions.player.name.text)
    }
  }

  /// What setting a property asks for.
  package static func order(set property: MemberName, to value: WireValue) throws(BusError) -> FaceOrder {
    switch property {
    case "Volume": return .setVolume(try Asked.volume(Asked.value(value, of: property)))
    case "RepeatChoice": return .setRepeat(try ModeChoice(text: Asked.value(value, of: property)))
    case "ShuffleChoice": return .setShuffle(try ModeChoice(text: Asked.value(value, of: property)))
    default: throw Asked.refusal(of: property, AgentDescriptions.player)
    }
  }

  /// By how much `ChangeVolume` asks to change the volume, from -1 to 1.
  package static func volumeChange(_ arguments: [WireValue]) throws(BusError) -> Double {
    try Asked.volumeChange(arguments.decoded(as: Double.self))
  }

  /// What `Art` asks for. A nil item means the current track, and a nil size means the picture's own.
  package static func art(
    asked arguments: [WireValue]
  ) throws(BusError) -> (item: MediaItem.ID?, size: Int?) {
    let (item, size) = try arguments.decoded(as: Int64.self, UInt32.self)
    guard size <= largestArt else {
      throw .invalidArguments("a picture of \(size) pixels is not made; \(largestArt) are the most")
    }
    return (item == 0 ? nil : MediaItem.ID(rawValue: item), size == 0 ? nil : Int(size))
  }

  private static func time(_ arguments: [WireValue]) throws(BusError) -> Duration {
    let seconds = try arguments.decoded(as: Double.self)
    guard let time = WireTime.duration(seconds: seconds) else {
      throw .invalidArguments("\(seconds) is no time in a track; seconds are taken")
    }
    return time
  }

  private static func direction(_ arguments: [WireValue]) throws(BusError) -> SeekDirection {
    let text = try arguments.decoded(as: String.self)
    guard let direction = SeekDirection(rawValue: text) else {
      throw .invalidArguments("the direction \(text.prefix(64)) is unknown; forward and backward are taken")
    }
    return direction
  }
}
