// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel
package import PlaybackLogic

/// All that `Status` answers, of one moment: an `a{sv}` with the keys of the command line's JSON. Rows count
/// from 1.
package struct StatusFace: Sendable, Hashable {
  /// What is going on.
  package var state: PlaybackState
  /// Why nothing is heard.
  package var why: String?
  /// Where in the current track; nothing where there is none.
  package var position: Duration?
  /// The current track.
  package var current: ItemFace?
  /// From 0 to 1.
  package var volume: Double
  /// What is repeated.
  package var repeatMode: RepeatMode
  /// How it is shuffled.
  package var shuffleMode: ShuffleMode
  /// How many rows the queue has.
  package var queueLength: Int
  /// Which of them is current.
  package var queueRow: Int?
  /// Where the sound goes.
  package var route: RouteFace?
  /// What interrupts.
  package var interruptions: [String]
  /// Whether the queue is where no crash can lose it.
  package var isStored: Bool

  /// What a player shows, at this place of its track.
  package init(_ face: PlayerFace, position: Duration) {
    state = face.state
    why = face.why?.text
    current = ItemFace(current: face)
    self.position = current == nil ? nil : position
    volume = face.volume
    repeatMode = face.repeatMode
    shuffleMode = face.shuffleMode
    queueLength = face.queueLength
    queueRow = face.queueIndex.map { $0 + 1 }
    route = face.route.map(RouteFace.init)
    interruptions = face.interruptions.map(\.text)
    isStored = face.notStored == nil
  }

  /// The status that a dictionary describes; nothing where it doesn't name the state.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let state = fields("state").flatMap(PlaybackState.init(rawValue:))
    else { return nil }
    self.state = state
    why = fields("why")
    position = fields("position")
    current = fields.fields("current").flatMap(ItemFace.init(wire:))
    volume = fields("volume") ?? 1
    repeatMode = fields("repeat").flatMap(RepeatMode.init(text:)) ?? .none
    shuffleMode = fields("shuffle").flatMap(ShuffleMode.init(text:)) ?? .off
    let queue = fields.fields("queue").flatMap(FieldReader.init)
    queueLength = max(0, queue?("length") ?? 0)
    queueRow = queue?("index")
    route = fields.fields("route").flatMap(RouteFace.init(wire:))
    interruptions = fields.list("interruptions")
    isStored = fields("stored") ?? true
  }

  /// The dictionary.
  package var wireValue: WireValue {
    var fields = Fields()
    fields.add("state", state.rawValue)
    fields.add("why", why)
    fields.add("position", position)
    fields.add("duration", current?.item.tags.duration)
    fields.add("volume", volume)
    fields.add("repeat", repeatMode.text)
    fields.add("shuffle", shuffleMode.text)
    fields.add("current", value: current?.wireValue())
    fields.add("queue", value: queue)
    fields.add("route", value: route?.wireValue)
    fields.add("interruptions", value: interruptions.map(WireText.clean).wireValue)
    if !isStored { fields.add("stored", false) }
    return fields.value
  }

  private var queue: WireValue {
    var fields = Fields()
    fields.add("length", queueLength)
    fields.add("index", queueRow)
    return fields.value
  }
}
