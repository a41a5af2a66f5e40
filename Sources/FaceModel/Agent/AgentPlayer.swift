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
