// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// The player as MPRIS shows it.
package enum MPRISPlayer {
  /// The playback rate. There is only this one.
  package static let rate = 1.0

  /// Every property in the interface's order, except the position: clients have to ask for it, and its changes are not reported.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] {
    table.values(of: face)
  }

  /// The properties that `PropertiesChanged` has to report, in the interface's order, with their new values in full.
  /// Costs next to nothing if nothing that MPRIS shows has changed.
  package static func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    table.changes(from: old, to: new)
  }

  /// One property; nil for the position, and for a name that the interface does not have.
  package static func property(_ name: MemberName, of face: PlayerFace) -> WireValue? {
    table.value(of: name, face)
  }

  /// The value of the property `Position`.
  package static func position(_ position: Duration) -> WireValue { .int64(microseconds(position)) }

  /// The position in microseconds, never negative.
  package static func microseconds(_ position: Duration) -> Int64 { max(0, WireTime.microseconds(position)) }

  /// The arguments of `Seeked`. That signal has to be sent whenever the position jumps within a track: when it is not
  /// the one that follows from the time that has passed.
  package static func seeked(to position: Duration) -> [WireValue] { [Self.position(position)] }

  /// The metadata of the current track. If there is none, it holds MPRIS's own name for "no track".
  package static func metadata(of face: PlayerFace) -> WireValue {
    guard let entry = face.entry else { return metadata(of: nil, nil) }
    return metadata(of: entry, face.item, artURL: face.artURL, length: face.knownLength)
  }

  /// The metadata of any track. If `length` is given, it is used instead of the length in the tags.
  package static func metadata(
    of entry: EntryID?, _ item: MediaItem?, artURL: String? = nil, length: Duration? = nil
  ) -> WireValue {
    TrackMetadata(entry, item, artURL: artURL, length: length ?? item?.tags.duration).value
  }

  private static let table: [FaceProperty] = [
    FaceProperty(name: "PlaybackStatus") { .string($0.state.mpris.rawValue) },
    FaceProperty(name: "LoopStatus") { .string($0.repeatMode.loopStatus) },
    .constant("Rate", .double(rate)),
    .flag("Shuffle") { $0.shuffleMode != .off },
    FaceProperty(name: "Metadata", mayDiffer: FaceProperty.hasOtherTrack, value: metadata),
    FaceProperty(name: "Volume") { .double(max(0, $0.volume)) },
    .constant("MinimumRate", .double(rate)),
    .constant("MaximumRate", .double(rate)),
    .flag("CanGoNext") { $0.canGoNext },
    .flag("CanGoPrevious") { $0.canGoPrevious },
    .flag("CanPlay") { $0.canPlay },
    // True even before anything was played: where CanPause is false, clients may not use PlayPause.
    .flag("CanPause") { $0.canPlay },
    .flag("CanSeek") { $0.canSeek && $0.entry != nil },
    .constant("CanControl", .boolean(true)),
  ]
}

extension RepeatMode {
  /// The mode as MPRIS's `LoopStatus`.
  var loopStatus: String {
    switch self {
    case .none: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }

  /// Reads a mode from a `LoopStatus`. Upper and lower case matter.
  init?(loopStatus: String) {
    guard let mode = Self.allCases.first(where: { $0.loopStatus == loopStatus }) else { return nil }
    self = mode
  }
}

// What clients may ask for through MPRIS. The bus connection has checked the number
// and types of arguments before; they are checked here again.
extension MPRISPlayer {
  /// What a method asks for; nil if the MPRIS specification says to ignore the call. Throws if it asks for an error.
  ///
  /// A seek past the end or before the beginning is passed on: the player takes the first as Next, the second as a seek
  /// to the beginning. Pause is passed on even when playback is paused: if so far only a phone call was the reason, the
  /// session may now count the pause as the user's.
  package static func order(
    call method: MemberName, _ arguments: [WireValue] = [], in face: PlayerFace
  ) throws(BusError) -> FaceOrder? {
    switch method {
    case "Next": return face.canGoNext ? .player(.next) : nil
    case "Previous": return face.canGoPrevious ? .player(.previous) : nil
    case "Play": return face.canPlay ? .player(.play) : nil
    case "Pause": return face.canPlay ? .player(.pause) : nil
    case "PlayPause": return try toggle(face)
    case "Stop": return .player(.stop)
    case "Seek": return try seek(arguments, face)
    case "SetPosition": return try setPosition(arguments, face)
    case "OpenUri": return .open(try Asked.file(arguments.decoded(as: String.self)))
    default: throw .unknownMethod(method, of: MPRISDescriptions.player.name.text)
    }
  }

  /// What setting a property asks for; nil if it is ignored, where the MPRIS specification leaves that to us.
  package static func order(
    set property: MemberName, to value: WireValue, in face: PlayerFace
  ) throws(BusError) -> FaceOrder? {
    switch property {
    case "LoopStatus": return .setRepeat(.chosen(try loop(Asked.value(value, of: property))))
    case "Shuffle": return shuffle(try Asked.value(value, of: property), face)
    case "Volume": return .setVolume(try Asked.volume(Asked.value(value, of: property)))
    // MPRIS takes a rate of 0 as Pause. Any other rate is ignored, since 1 is the only one there is.
    case "Rate": return try Asked.value(value, of: property) == 0.0 && face.canPlay ? .player(.pause) : nil
    default: throw Asked.refusal(of: property, MPRISDescriptions.player)
    }
  }

  /// Whether it matters who sends this order. For orders that pause, stop or start playback the sender is found out;
  /// all others count as the user's.
  package static func depends(onSenderOf member: MemberName) -> Bool {
    ["Play", "Pause", "PlayPause", "Stop", "Rate"].contains(member)
  }

  private static func toggle(_ face: PlayerFace) throws(BusError) -> FaceOrder {
    guard face.canPlay else { throw .failed("there is nothing to play: the queue is empty") }
    return .player(.toggle)
  }

  private static func seek(_ arguments: [WireValue], _ face: PlayerFace) throws(BusError) -> FaceOrder? {
    let offset = try arguments.decoded(as: Int64.self)
    return face.canSeek && face.entry != nil ? .player(.seek(.microseconds(offset))) : nil
  }

  private static func setPosition(
    _ arguments: [WireValue], _ face: PlayerFace
  ) throws(BusError) -> FaceOrder? {
    let (track, microseconds) = try arguments.decoded(as: ObjectPath.self, Int64.self)
    let position = Duration.microseconds(microseconds)
    // The client meant the track that was playing when it sent this. The call must not act on the next one.
    guard face.canSeek, let entry = face.entry, TrackPath.entry(at: track) == entry else { return nil }
    guard position >= .zero, position <= face.knownLength ?? position else { return nil }
    return .player(.seekTo(position))
  }

  private static func loop(_ text: String) throws(BusError) -> RepeatMode {
    guard let mode = RepeatMode(loopStatus: text) else {
      throw .invalidArguments(
        "the LoopStatus \(text.prefix(64)) is unknown; None, Track and Playlist are taken")
    }
    return mode
  }

  /// MPRIS knows only on and off. If shuffling is on already, its kind stays as it is; if it is off, "on" shuffles songs.
  private static func shuffle(_ isOn: Bool, _ face: PlayerFace) -> FaceOrder? {
    if isOn == (face.shuffleMode != .off) { return nil }
    return .setShuffle(.chosen(isOn ? .songs : .off))
  }
}
