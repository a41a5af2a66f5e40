// SPDX-License-Identifier: MIT
package import BusModel
import PlaybackLogic

// What may be asked through MPRIS. Number and types of arguments are checked by the bus before, and here
// again.
extension MPRISPlayer {
  /// What a method asks for; nothing where the text wants the call ignored. Throws where it wants an error.
  ///
  /// A seek past the end is for the player to take as Next, one before the beginning as the beginning. Pause
  /// is passed on also when paused: the session may count it as the user's where so far only a call was the
  /// reason.
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

  /// What setting a property asks for; nothing where the text leaves it to us to ignore it.
  package static func order(
    set property: MemberName, to value: WireValue, in face: PlayerFace
  ) throws(BusError) -> FaceOrder? {
    switch property {
    case "LoopStatus": return .setRepeat(.chosen(try loop(Asked.value(value, of: property))))
    case "Shuffle": return shuffle(try Asked.value(value, of: property), face)
    case "Volume": return .setVolume(try Asked.volume(Asked.value(value, of: property)))
    // Speeds that there are not are ignored; a speed of nothing is a pause.
    case "Rate": return try Asked.value(value, of: property) == 0.0 && face.canPlay ? .player(.pause) : nil
    default: throw Asked.refusal(of: property, MPRISDescriptions.player)
    }
  }

  /// Whether it matters who gives this order: pauses and plays count by who wants them, and all else is a person's.
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
    // An answer to what was playing a moment ago must not hit what plays now.
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

  /// "On" is the kind of shuffling that is on already, and songs where none is.
  private static func shuffle(_ isOn: Bool, _ face: PlayerFace) -> FaceOrder? {
    if isOn == (face.shuffleMode != .off) { return nil }
    return .setShuffle(.chosen(isOn ? .songs : .off))
  }
}
