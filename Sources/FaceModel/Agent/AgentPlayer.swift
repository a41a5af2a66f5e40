// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// `org.fermata.Player1`: what plays, and how to control it.
///
/// Unlike in MPRIS, no call is silently ignored: if the player refuses an order, the answer is an error with the reason.
package enum AgentPlayer {
  private static let name: InterfaceName = "org.fermata.Player1"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions,
    signals: [
      nowPlaying.description, stateChanged.description, seekedTo.description, skippedEntry.description,
      endedEarly.description, modesChanged.description, sleepChanged.description, ending.description,
    ],
    properties: properties.descriptions)

  // MARK: Methods

  /// A call of one of this D-Bus interface's methods, once its arguments are read and checked.
  package enum Call: Sendable, Hashable {
    case order(PlayerOrder)
    /// Change the volume by this fraction of full volume, from -1 to 1.
    case changeVolume(by: Double)
    /// Mute the music if it isn't muted, unmute it if it is.
    case toggleMute
    /// Set the sleep timer: fade out and pause after this time. Nil cancels it.
    case sleep(after: Duration?)
    /// Answer with everything that the agent shows, all of one moment.
    case status
    /// Answer with the picture of an item; nil is the current track. `size` is in pixels; nil is the picture's own size.
    case art(MediaItem.ID?, size: Int?)
    /// End the agent.
    case quit
    /// Read the settings file, and answer when its settings are in force.
    case readSettings
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentPlayer.description.name }

    case play = "Play"
    case pause = "Pause"
    case toggle = "Toggle"
    case stop = "Stop"
    case stopAfterCurrent = "StopAfterCurrent"
    case next = "Next"
    case previous = "Previous"
    case seek = "Seek"
    case seekTo = "SeekTo"
    case seekToPart = "SeekToPart"
    case beginSeek = "BeginSeek"
    case holdSeek = "HoldSeek"
    case endSeek = "EndSeek"
    case playRandom = "PlayRandom"
    case changeVolume = "ChangeVolume"
    case toggleMute = "ToggleMute"
    case sleep = "Sleep"
    case status = "Status"
    case art = "Art"
    case quit = "Quit"
    case readSettings = "ReadSettings"

    package var row: MethodRow<Call> {
      switch self {
      // The answer names what playback has to wait for, such as "call"; empty if it doesn't wait.
      case .play: .init(out: ["Waiting": "s"]) { .order(.play) }
      case .pause: .init { .order(.pause) }
      case .toggle: .init(out: ["Waiting": "s"]) { .order(.toggle) }
      case .stop: .init { .order(.stop) }
      case .stopAfterCurrent: .init { .order(.stopAfterCurrent) }
      case .next: .init { .order(.next) }
      case .previous: .init { .order(.previous) }
      case .seek: .init("Offset") { .order(.seek($0)) }
      case .seekTo: .init("Position") { .order(.seekTo(max(.zero, $0))) }
      // A fraction of the whole length, from 0 to 1.
      case .seekToPart: .init("Part") { (part: TrackPart) in .order(.seekToPart(part.fraction)) }
      case .beginSeek: .init("Direction") { .order(.beginSeek($0)) }
      // For a client that stays connected: its end ends the seek, too.
      case .holdSeek: .init("Direction") { .order(.holdSeek($0)) }
      case .endSeek: .init { .order(.endSeek) }
      case .playRandom: .init(out: ["Entry": "t", "Waiting": "s"]) { .order(.jumpAnywhere) }
      // The answer is the new volume.
      case .changeVolume:
        .init("Change", out: ["Volume": "d"]) { (change: VolumeChange) in .changeVolume(by: change.fraction) }
      // The answer is whether the music is muted now.
      case .toggleMute: .init(out: ["Muted": "b"]) { .toggleMute }
      // 0 cancels the sleep timer.
      case .sleep: .init("Seconds") { (time: Duration) in .sleep(after: time > .zero ? time : nil) }
      case .status: .init(out: ["Status": "a{sv}"]) { .status }
      // Item 0 means the current track, size 0 the picture's own size.
      case .art:
        .init("Item", "Size", out: ["Uri": "s"]) { (item: Int64, size: UInt32) throws(BusError) in
          guard size <= largestArt else {
            throw .invalidArguments("a picture of \(size) pixels is not made; \(largestArt) are the most")
          }
          return .art(item == 0 ? nil : MediaItem.ID(rawValue: item), size: size == 0 ? nil : Int(size))
        }
      case .quit: .init { .quit }
      // The answer is the path of the file; empty if there is none to read.
      case .readSettings: .init(out: ["File": "s"]) { .readSettings }
      }
    }
  }

  /// The largest size of a picture that is made, in pixels.
  package static let largestArt = 4096

  // MARK: Properties

  package static let properties = FaceProperties<PlayerFace>(
    of: name,
    [
      .init("State", changes: .silently) { $0.state.rawValue },
      .init("Why", changes: .silently) { WireText.clean($0.why?.text ?? "") },
      .init("Current", mayDiffer: PlayerFace.hasOtherTrack) { ItemFace(current: $0)?.fields() ?? Fields() },
      .init("Coding", mayDiffer: { $0.coding != $1.coding }) { $0.coding?.fields ?? Fields() },
      .position("Position", as: Double.self),
      .init("Volume") {
        min(max(0, $0.volume), 1)
      } set: { (volume: Volume, _) in
        .setVolume(volume.fraction)
      },
      .init("Muted") {
        $0.isMuted
      } set: { (isMuted: Bool, _) in
        .setMuted(isMuted)
      },
      .init("Repeat", changes: .silently) { $0.repeatMode.rawValue },
      .init("RepeatChoice") {
        $0.repeatChoice.text
      } set: { choice, _ in
        .edit(.setRepeat(choice))
      },
      .init("Shuffle", changes: .silently) { $0.shuffleMode.rawValue },
      .init("ShuffleChoice") {
        $0.shuffleChoice.text
      } set: { choice, _ in
        .edit(.setShuffle(choice))
      },
      .init("Consume", changes: .silently) {
        $0.consumes
      } set: { (isOn: Bool, _) in
        .edit(.setConsume(isOn))
      },
      .init("StopsAfterCurrent") { $0.stopsAfterCurrent },
      .init("CanGoNext") { $0.canGoNext },
      .init("CanGoPrevious") { $0.canGoPrevious },
      .init("CanPlay") { $0.canPlay },
      .init("CanSeek") { $0.canSeek && $0.entry != nil },
    ])

  /// The value of the property `Position`, in seconds.
  package static func position(_ position: Duration) -> WireValue { position.argument.wireValue }

  // MARK: Signals

  static let nowPlaying = SignalRow<Fields>("NowPlaying", "Item")
  static let stateChanged = SignalRow<String, String>("StateChanged", "State", "Why")
  static let seekedTo = SignalRow<Double>("Seeked", "Position")
  static let modesChanged = SignalRow<String, String, Bool>("ModesChanged", "Repeat", "Shuffle", "Consume")
  static let sleepChanged = SignalRow<Double>("SleepChanged", "Left")
  static let skippedEntry = SignalRow<UInt64, String, String>("Skipped", "Entry", "Uri", "Why")
  static let endedEarly = SignalRow<UInt64, String, String, Double>(
    "EndedEarly", "Entry", "Uri", "Why", "Position")
  static let ending: SignalRow<> = SignalRow("Ending")

  /// The signal that the repeat mode, the shuffle mode or the choice to consume has changed; nil if all are the same.
  package static func modesSignal(from old: PlayerFace, to new: PlayerFace) -> (MemberName, [WireValue])? {
    guard
      (old.repeatMode, old.shuffleMode, old.consumes) != (new.repeatMode, new.shuffleMode, new.consumes)
    else { return nil }
    return modesChanged(new.repeatMode.rawValue, new.shuffleMode.rawValue, new.consumes)
  }

  /// The signal that the sleep timer was set or cancelled, or has ended, with the time until it pauses the music; 0 if none is set. It is nil if the
  /// timer is the same.
  package static func sleepSignal(
    from old: PlayerFace, to new: PlayerFace, at now: Duration
  ) -> (MemberName, [WireValue])? {
    guard old.sleepEnd != new.sleepEnd else { return nil }
    let left = new.sleepEnd.map { max(.zero, $0 - now) } ?? .zero
    // Whoever has just set half an hour reads half an hour, and not a moment less.
    return sleepChanged((.milliseconds(100) * (left / .milliseconds(100)).rounded()).argument)
  }

  /// The signal that the state of playback, or why nothing is heard, has changed; nil if both are the same.
  package static func stateSignal(from old: PlayerFace, to new: PlayerFace) -> (MemberName, [WireValue])? {
    guard old.state != new.state || old.why != new.why else { return nil }
    return stateChanged(new.state.rawValue, WireText.clean(new.why?.text ?? ""))
  }

  /// The signal that another track plays, or none. It is not sent when more becomes known of the same track; then only the property `Current`
  /// changes.
  package static func nowPlaying(_ face: PlayerFace) -> (MemberName, [WireValue]) {
    nowPlaying(ItemFace(current: face)?.fields() ?? Fields())
  }

  /// The signal that the agent ends on purpose; an agent that crashes sends none.
  package static func ends() -> (MemberName, [WireValue]) { ending() }

  /// The signal that the position has jumped.
  package static func seeked(to position: Duration) -> (MemberName, [WireValue]) {
    seekedTo(position.argument)
  }

  /// The signal that an entry was skipped because it cannot be played, with the reason.
  package static func skipped(
    _ entry: EntryID, _ location: MediaLocation, why: String
  ) -> (MemberName, [WireValue]) {
    skippedEntry(entry.rawValue, WireText.clean(location.wireURI ?? ""), WireText.clean(why))
  }

  /// The signal that an entry could not be played beyond this place, with the reason.
  package static func endedEarly(
    _ entry: EntryID, _ location: MediaLocation, why: String, at place: Duration
  ) -> (MemberName, [WireValue]) {
    endedEarly(
      entry.rawValue, WireText.clean(location.wireURI ?? ""), WireText.clean(why), place.argument)
  }
}

// The calls that a client makes.
extension AgentCall {
  /// The call that gives the player an order.
  package init(_ order: PlayerOrder) {
    switch order {
    case .play: self.init(AgentPlayer.Method.play)
    case .pause: self.init(AgentPlayer.Method.pause)
    case .toggle: self.init(AgentPlayer.Method.toggle)
    case .stop: self.init(AgentPlayer.Method.stop)
    case .stopAfterCurrent: self.init(AgentPlayer.Method.stopAfterCurrent)
    case .next: self.init(AgentPlayer.Method.next)
    case .previous: self.init(AgentPlayer.Method.previous)
    case .seek(let offset): self.init(AgentPlayer.Method.seek, offset)
    case .seekTo(let position): self.init(AgentPlayer.Method.seekTo, position)
    case .seekToPart(let part): self.init(AgentPlayer.Method.seekToPart, TrackPart(fraction: part))
    case .beginSeek(let direction): self.init(AgentPlayer.Method.beginSeek, direction)
    case .holdSeek(let direction): self.init(AgentPlayer.Method.holdSeek, direction)
    case .endSeek: self.init(AgentPlayer.Method.endSeek)
    case .jumpAnywhere: self.init(AgentPlayer.Method.playRandom)
    case .jump(let entry): self.init(AgentQueue.Method.jump, entry)
    }
  }

  /// Ends the agent.
  package static let quit = AgentCall(AgentPlayer.Method.quit)

  /// Sets the sleep timer: the music fades out and pauses after this time. Nil cancels it.
  package static func sleep(after time: Duration?) -> AgentCall {
    AgentCall(AgentPlayer.Method.sleep, time ?? .zero)
  }

  /// Asks for everything that the agent shows, all of one moment.
  package static let status = AgentCall(AgentPlayer.Method.status)

  /// Makes the agent read the settings file, and waits until its settings are in force. The answer is the path of that file.
  package static let readSettings = AgentCall(AgentPlayer.Method.readSettings)

  /// Asks for the picture of an item, or of the current track if `item` is nil. Without `size` the picture has its own size.
  package static func art(_ item: MediaItem.ID?, size: Int?) -> AgentCall {
    AgentCall(AgentPlayer.Method.art, item?.rawValue ?? 0, UInt32(clamping: size ?? 0))
  }

  /// Mutes the music if it isn't muted, and unmutes it if it is.
  package static let toggleMute = AgentCall(AgentPlayer.Method.toggleMute)
  /// Mutes the music, or unmutes it.
  package static func set(muted: Bool) -> AgentCall { set("Muted", muted) }

  /// Changes the volume by this fraction of full volume; a negative one lowers it.
  package static func change(volumeBy difference: Double) -> AgentCall {
    AgentCall(AgentPlayer.Method.changeVolume, difference)
  }

  package static func set(volume: Double) -> AgentCall { set("Volume", volume) }
  package static func set(repeat choice: ModeChoice<RepeatMode>) -> AgentCall {
    set("RepeatChoice", choice.argument)
  }
  package static func set(shuffle choice: ModeChoice<ShuffleMode>) -> AgentCall {
    set("ShuffleChoice", choice.argument)
  }
  /// Chooses whether a played entry leaves the queue.
  package static func set(consume isOn: Bool) -> AgentCall { set("Consume", isOn) }

  /// Asks for the repeat mode that was chosen; "default" means the one from the settings.
  package static let repeatChoice = AgentCall("Get", "RepeatChoice", of: AgentPlayer.description)
  /// Asks for the shuffle mode that was chosen; "default" means the one from the settings.
  package static let shuffleChoice = AgentCall("Get", "ShuffleChoice", of: AgentPlayer.description)

  private static func set(_ property: MemberName, _ value: some WireConvertible) -> AgentCall {
    AgentCall("Set", property, of: AgentPlayer.description, value.wireValue)
  }
}
