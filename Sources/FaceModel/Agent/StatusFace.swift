// SPDX-License-Identifier: MIT
package import AudioModel
package import BusModel
import MediaModel
package import PlaybackLogic

/// The answer to `Status`: everything that the agent shows, all of one moment. It is an `a{sv}` with the same keys as the command line's JSON. Rows
/// count from 1.
package struct StatusFace: Hashable, WireConvertible {
  package var state: PlaybackState
  package var why: String?
  /// The position in the current track; nil if there is no current track.
  package var position: Duration?
  package var current: ItemFace?
  /// How the sound of the current track is coded; nil until it has been opened.
  package var coding: SoundCoding?
  /// The volume from 0 to 1; if a mixer has set more than 1, see `mixerVolume`.
  package var volume: Double
  /// Whether the user has muted the music.
  package var isMuted: Bool
  /// Whether playback stops after the current track.
  package var stopsAfterCurrent: Bool
  package var repeatMode: RepeatMode
  package var shuffleMode: ShuffleMode
  /// Whether a played entry leaves the queue.
  package var consumes: Bool
  /// The session category: whether the music pauses for calls and lost outputs, goes on, or has other players paused.
  package var category: SessionCategory
  package var queueLength: Int
  /// The row of the current entry, counted from 1; nil if none is current.
  package var queueRow: Int?
  package var route: RouteFace?
  package var interruptions: [String]
  /// The programs that interrupt or duck the music by a call, a recording or another stream, by their names for people.
  package var callers: [String]
  /// The output whose loss paused the music, while it is paused for that; nil otherwise.
  package var lostRoute: RouteFace?
  /// The fraction of the volume that is left while another program's sound takes precedence; nil otherwise.
  package var duckLevel: Double?
  /// What the music is played more quietly for, by a name such as `notification`; nil while it is not.
  package var duckedFor: String?
  /// The item that plays next. It is not in the answer to `Status`; a client that shows it calls `Upcoming` and sets this.
  package var next: ItemFace?
  /// The time until the sleep timer pauses the music; nil if none is set.
  package var sleepLeft: Duration?
  /// The volume that somebody set in a mixer, if it is above 1; otherwise nil.
  package var mixerVolume: Double?
  /// Whether the queue is stored, so that a crash cannot lose it.
  package var isStored: Bool
  /// Whether the agent plays nothing at all, and only pauses other programs' players when their device is gone.
  package var onlyGuards = false

  /// The reason with which an agent that only guards refuses every other order and question.
  package static let guardRefusal =
    "this agent only guards; 'fermata quit' ends it, and the next command starts one that plays"

  /// The status of a player that is at this position in its track.
  package init(_ face: PlayerFace, position: Duration) {
    state = face.state
    why = face.why?.text
    current = ItemFace(current: face)
    self.position = current == nil ? nil : position
    coding = face.coding
    volume = min(1, face.volume)
    mixerVolume = face.volume > 1 ? face.volume : nil
    lostRoute = face.lostRoute.map(RouteFace.init)
    duckLevel = face.duckLevel
    duckedFor = face.duckLevel == nil ? nil : face.duckedFor?.text
    isMuted = face.isMuted
    stopsAfterCurrent = face.stopsAfterCurrent
    repeatMode = face.repeatMode
    shuffleMode = face.shuffleMode
    consumes = face.consumes
    category = face.category
    queueLength = face.queueLength
    queueRow = face.queueIndex.map { $0 + 1 }
    route = face.route.map(RouteFace.init)
    interruptions = face.interruptions.map(\.text)
    callers = face.callers
    isStored = face.notStored == nil
  }

  package static var wireType: WireType { Fields.wireType }

  /// Reads a status from a dictionary; nil if that does not hold a known state.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let state = fields("state").flatMap(PlaybackState.init(rawValue:))
    else { return nil }
    self.state = state
    why = fields("why")
    position = fields("position")
    current = fields.fields("current").flatMap(ItemFace.init(wire:))
    coding = fields.fields("coding").flatMap(SoundCoding.init(wire:))
    volume = fields("volume") ?? 1
    isMuted = fields("muted") ?? false
    stopsAfterCurrent = fields("stopsAfterCurrent") ?? false
    repeatMode = fields("repeat").flatMap(RepeatMode.init(rawValue:)) ?? .none
    shuffleMode = fields("shuffle").flatMap(ShuffleMode.init(rawValue:)) ?? .off
    consumes = fields("consume") ?? false
    category = fields("category").flatMap(SessionCategory.init(rawValue:)) ?? .playback
    let queue = fields.fields("queue").flatMap(FieldReader.init)
    queueLength = max(0, queue?("length") ?? 0)
    queueRow = queue?("index")
    route = fields.fields("route").flatMap(RouteFace.init(wire:))
    lostRoute = fields.fields("lostRoute").flatMap(RouteFace.init(wire:))
    duckLevel = fields("ducked")
    duckedFor = fields("duckedFor")
    mixerVolume = fields("mixerVolume")
    sleepLeft = fields("sleep")
    interruptions = fields.list("interruptions")
    callers = fields.list("callers")
    isStored = fields("stored") ?? true
    onlyGuards = fields("guardOnly") ?? false
  }

  package var wireValue: WireValue { fields.wireValue }

  private var fields: Fields {
    var fields = Fields()
    fields.add("state", state.rawValue)
    fields.add("why", why)
    fields.add("position", position)
    fields.add("duration", current?.item.tags.duration)
    fields.add("volume", volume)
    if isMuted { fields.add("muted", true) }
    fields.add("repeat", repeatMode.rawValue)
    fields.add("shuffle", shuffleMode.rawValue)
    fields.add("consume", consumes)
    fields.add("category", category.rawValue)
    if stopsAfterCurrent { fields.add("stopsAfterCurrent", true) }
    fields.add("current", current?.fields())
    fields.add("coding", coding?.fields)
    fields.add("queue", queue)
    fields.add("route", route?.fields)
    fields.add("lostRoute", lostRoute?.fields)
    fields.add("ducked", duckLevel)
    fields.add("duckedFor", duckedFor)
    fields.add("mixerVolume", mixerVolume)
    fields.add("sleep", sleepLeft)
    fields.add("interruptions", value: interruptions.map(WireText.clean).wireValue)
    if let callers = WireText.list(callers) { fields.add("callers", value: callers) }
    if !isStored { fields.add("stored", false) }
    if onlyGuards { fields.add("guardOnly", true) }
    return fields
  }

  private var queue: Fields {
    var fields = Fields()
    fields.add("length", queueLength)
    fields.add("index", queueRow)
    return fields
  }
}

/// The output that the sound goes to, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
package struct RouteFace: Sendable, Hashable {
  package var sink: String
  /// The description of the sink for people.
  package var description: String
  /// The name of the port; nil for a sink without ports.
  package var port: String?
  /// The description of the port for people.
  package var portDescription: String?
  /// What the port leads to, as the sound server names it: "headphones", "hdmi".
  package var portType: String?
  /// Whether the sound is meant only for whoever wears or attached the device; see `Route`.
  package var isPrivate: Bool
  package var server: String
  /// The description of the filter that the sound goes through first, such as an equalizer; nil if there is none.
  package var filter: String?

  package init(_ route: Route) {
    sink = route.sinkName
    description = route.sinkDescription
    port = route.portName
    portDescription = route.portDescription
    portType = route.portKind?.rawValue
    isPrivate = route.isPrivate
    server = route.server.rawValue
    filter = route.filter.map { $0.description.isEmpty ? $0.sinkName : $0.description }
  }

  /// Reads a route from a dictionary; nil if that has no `sink`, as the empty dictionary that means "no route".
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let sink: String = fields("sink") else { return nil }
    self.sink = sink
    description = fields("description") ?? sink
    port = fields("port")
    portDescription = fields("portDescription")
    portType = fields("portType")
    isPrivate = fields("private") ?? false
    server = fields("server") ?? ""
    filter = fields("filter")
  }

  var fields: Fields {
    var fields = Fields()
    fields.add("sink", sink)
    fields.add("description", description)
    fields.add("port", port)
    fields.add("portDescription", portDescription)
    fields.add("portType", portType)
    fields.add("private", isPrivate)
    fields.add("server", server)
    fields.add("filter", filter)
    return fields
  }

  package var wireValue: WireValue { fields.wireValue }

  /// The dictionary of a route; an empty one for nil.
  static func fields(of route: Route?) -> Fields {
    route.map { RouteFace($0).fields } ?? Fields()
  }
}

/// How a sound is coded, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
extension SoundCoding {
  /// Reads a coding from a dictionary; nil if that does not name the codec, as the empty dictionary does not. Numbers that no sound has are left out.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let codec: String = fields("codec"),
      let rate: Int = fields("sampleRate"),
      let channels: Int = fields("channels"), rate > 0, channels > 0
    else { return nil }
    func number(_ name: String, atMost limit: Int) -> Int? {
      (fields(name) as Int?).flatMap { (1...limit).contains($0) ? $0 : nil }
    }
    self.init(
      codec, rate: rate, channels: channels, bits: number("bits", atMost: 64),
      bitRate: number("bitRate", atMost: 1_000_000_000))
  }

  package var wireValue: WireValue { fields.wireValue }

  var fields: Fields {
    var fields = Fields()
    fields.add("codec", codec)
    fields.add("sampleRate", rate)
    fields.add("channels", channels)
    fields.add("bits", bits)
    fields.add("bitRate", bitRate)
    return fields
  }
}
