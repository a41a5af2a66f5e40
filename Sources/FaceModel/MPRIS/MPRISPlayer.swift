// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// MPRIS's Player interface: what plays, and how to control it.
package enum MPRISPlayer {
  private static let name: InterfaceName = "org.mpris.MediaPlayer2.Player"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, signals: [seekedTo.description], properties: properties.descriptions)

  // MARK: Methods

  /// A call of one of MPRIS's Player methods, once its arguments are read and checked.
  package enum Call: Sendable {
    /// Carry out the order that this function returns for what the player shows at present. If it returns nil, ignore the call, as the MPRIS
    /// specification asks; if it throws, answer with that error.
    case order(@Sendable (PlayerFace) throws(BusError) -> PlayerOrder?)
    /// Add this file after the current entry and play it. First find out whether it can be played: if it cannot, the present track must go on.
    case open(FilePath)
  }

  /// The methods, in the specification's order.
  ///
  /// A seek past the end or before the beginning is passed on: the player takes the first as Next, the second as a seek
  /// to the beginning. Pause is passed on whatever plays: if so far only a phone call keeps the music silent, the session may now count the pause as
  /// the user's, and an order to play that still waits for its file starts nothing.
  package enum Method: String, MethodTable {
    case next = "Next"
    case previous = "Previous"
    case pause = "Pause"
    case playPause = "PlayPause"
    case stop = "Stop"
    case play = "Play"
    case seek = "Seek"
    case setPosition = "SetPosition"
    case openUri = "OpenUri"

    package var row: MethodRow<Call> {
      switch self {
      case .next: .init { .order { $0.canGoNext ? .next : nil } }
      case .previous: .init { .order { $0.canGoPrevious ? .previous : nil } }
      case .pause: .init { .order { _ in .pause } }
      case .playPause: .init { .order(toggle) }
      case .stop: .init { .order { _ in .stop } }
      case .play: .init { .order { $0.canPlay ? .play : nil } }
      case .seek:
        .init("Offset") { (offset: Int64) in
          .order { $0.canSeek && $0.entry != nil ? .seek(.microseconds(offset)) : nil }
        }
      case .setPosition:
        .init("TrackId", "Position") { (track: ObjectPath, position: Int64) in
          .order { MPRISPlayer.seek(to: .microseconds(position), of: track, $0) }
        }
      case .openUri: .init("Uri") { .open($0) }
      }
    }
  }

  private static let toggle: @Sendable (PlayerFace) throws(BusError) -> PlayerOrder? = {
    (face) throws(BusError) in
    guard face.canPlay else { throw .failed("there is nothing to play: the queue is empty") }
    return .toggle
  }

  private static func seek(to position: Duration, of track: ObjectPath, _ face: PlayerFace) -> PlayerOrder? {
    // The client meant the track that was playing when it sent the call. The call must not act on a later track.
    guard face.canSeek, let entry = face.entry, TrackPath.entry(at: track) == entry else { return nil }
    guard position >= .zero, position <= face.knownLength ?? position else { return nil }
    return .seekTo(position)
  }

  /// Whether it matters who makes a call of MPRIS's object. It does for everything that pauses, stops or starts playback; every other order counts as
  /// the user's.
  package static func depends(
    onSenderOf member: MemberName, of interface: InterfaceName, _ arguments: [WireValue]
  ) -> Bool {
    guard interface != name else { return ["Play", "Pause", "PlayPause", "Stop"].contains(member) }
    // A rate of 0 pauses. The name of the interface in a call of `Set` may be empty.
    return interface == StandardInterfaces.properties.name && member == "Set"
      && arguments.count > 1 && arguments[1] == .string("Rate")
      && [.string(name.text), .string("")].contains(arguments[0])
  }

  // MARK: Properties

  /// The properties, in the specification's order.
  package static let properties = FaceProperties<PlayerFace>(
    of: name,
    [
      .init("PlaybackStatus") { $0.state.mpris.rawValue },
      .init("LoopStatus") {
        $0.repeatMode.loopStatus
      } set: { (text: String, _) throws(BusError) in
        .edit(.setRepeat(.chosen(try loop(text))))
      },
      // MPRIS defines a rate of 0 as Pause. Any other rate is ignored, since 1 is the only one supported.
      .init("Rate") { _ in
        1.0
      } set: { (rate: Double, _) in
        rate == 0 ? .player(.pause) : nil
      },
      .init("Shuffle") {
        $0.shuffleMode != .off
      } set: {
        shuffle($0, $1)
      },
      .init("Metadata", mayDiffer: PlayerFace.hasOtherTrack) { metadata(of: $0) },
      .init("Volume") {
        min(max(0, $0.volume), 1)
      } set: { (volume: Volume, face) in
        // A mixer may have set more than 1, which MPRIS shows as 1. Who turns that up does not mean to turn it down.
        volume.fraction >= 1 && face.volume > 1 ? nil : .setVolume(volume.fraction)
      },
      .position("Position", as: Int64.self),
      .init("MinimumRate") { _ in 1.0 },
      .init("MaximumRate") { _ in 1.0 },
      .init("CanGoNext") { $0.canGoNext },
      .init("CanGoPrevious") { $0.canGoPrevious },
      .init("CanPlay") { $0.canPlay },
      // True even before anything was played: where CanPause is false, clients may not use PlayPause.
      .init("CanPause") { $0.canPlay },
      .init("CanSeek") { $0.canSeek && $0.entry != nil },
      .init("CanControl", changes: .silently) { _ in true },
    ])

  /// The position in microseconds, never negative.
  package static func microseconds(_ position: Duration) -> Int64 { max(0, WireTime.microseconds(position)) }

  private static func loop(_ text: String) throws(BusError) -> RepeatMode {
    guard let mode = RepeatMode(loopStatus: text) else {
      throw .invalidArguments(
        "the LoopStatus \(text.prefix(64)) is unknown; None, Track and Playlist are taken")
    }
    return mode
  }

  /// The order that setting MPRIS's `Shuffle` to on or off means. Nil if it is so already, so that the kind of shuffling stays; otherwise "on"
  /// shuffles songs.
  private static func shuffle(_ isOn: Bool, _ face: PlayerFace) -> FaceOrder? {
    if isOn == (face.shuffleMode != .off) { return nil }
    return .edit(.setShuffle(.chosen(isOn ? .songs : .off)))
  }

  // MARK: Signals

  private static let seekedTo = SignalRow<Int64>("Seeked", "Position")

  /// The signal `Seeked`. It has to be sent whenever the position jumps within a track: when it has changed by more or less than the
  /// time that has passed.
  package static func seeked(to position: Duration) -> (MemberName, [WireValue]) {
    seekedTo(microseconds(position))
  }
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

extension MPRISPlayer {
  /// The metadata of the current track. If there is none, it holds MPRIS's own name for "no track".
  package static func metadata(of face: PlayerFace) -> Fields {
    guard let entry = face.entry else { return metadata(of: nil, nil) }
    return metadata(of: entry, face.item, artURL: face.artURL, length: face.knownLength)
  }

  /// The metadata of any track: a dictionary whose values have exactly the types that the MPRIS specification demands. If `length` is
  /// given, it is used instead of the length in the tags. An item always gets a title, since desktop shells show nothing without one.
  package static func metadata(
    of entry: EntryID?, _ item: MediaItem?, artURL: String? = nil, length: Duration? = nil
  ) -> Fields {
    var fields = Fields()
    fields.add("mpris:trackid", value: TrackPath.path(of: entry).wireValue)
    if let length = length ?? item?.tags.duration, length > .zero {
      fields.add("mpris:length", value: .int64(WireTime.microseconds(length)))
    }
    fields.add("mpris:artUrl", artURL)
    guard let item else { return fields }
    fields.add("xesam:title", item.displayTitle)
    fields.add("xesam:url", item.location.wireURI)
    add(item.tags, to: &fields)
    if item.id != nil || item.listening != ListeningRecord() { add(item.listening, to: &fields) }
    return fields
  }

  private static func add(_ tags: MediaTags, to fields: inout Fields) {
    fields.add("xesam:album", tags.album)
    fields.add("xesam:artist", tags.artist)
    fields.add("xesam:albumArtist", tags.albumArtist)
    fields.add("xesam:composer", tags.composer)
    fields.add("xesam:genre", tags.genre)
    fields.add("xesam:trackNumber", tags.track)
    fields.add("xesam:discNumber", tags.disc)
    fields.add("xesam:contentCreated", tags.date?.description)
    fields.add(
      "xesam:audioBPM", value: tags.bpm.flatMap { Int32(exactly: $0.rounded()) }.map(WireValue.int32))
    fields.add("xesam:comment", tags.comment.map { [$0] } ?? [])
    fields.add("xesam:asText", tags.lyrics)
  }

  /// Adds the play count, the rating and the last time of listening. Called only for items of the library, and for items that have been listened to.
  /// A play count of 0 is written, since it says "never played"; a rating of 0 is left out, since it says "not rated".
  private static func add(_ listening: ListeningRecord, to fields: inout Fields) {
    fields.add("xesam:useCount", listening.playCount)
    if listening.rating > 0 {
      fields.add("xesam:userRating", Double(listening.rating) / Double(ListeningRecord.ratings.upperBound))
    }
    fields.add("xesam:lastUsed", listening.lastPlayed.flatMap(WireTime.moment))
  }
}

extension MediaLocation {
  /// The URI in the form that other programs accept; nil for a relative path, which an entry of the queue never has.
  package var wireURI: String? {
    if case .file(let path) = self, !path.isAbsolute { return nil }
    return uri
  }
}
