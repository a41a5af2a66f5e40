// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// `org.fermata.Pads1`: short sounds that are played the moment they are struck, beside the music.
package enum AgentPads {
  package static let description = InterfaceDescription(
    "org.fermata.Pads1", methods: Method.descriptions, signals: [padsChanged.description], properties: [])

  /// A call of one of this D-Bus interface's methods, once its arguments are read.
  package enum Call: Sendable, Hashable {
    /// Answer with the kit, its pads, and whether a hit would be heard.
    case list
    /// Get everything ready, so that the first hit is heard as fast as later ones.
    case prepare
    /// Strike a pad.
    case hit(PadNumber)
    /// Silence all pads.
    case stop
    /// Load the kit in this folder; nil for the kit that comes with the program.
    case load(FilePath?)
    /// Set the volume of a pad, or of all if none is named.
    case setVolume(PadNumber?, Double)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentPads.description.name }

    case hit = "Hit"
    case stop = "Stop"
    case list = "List"
    case prepare = "Prepare"
    case load = "Load"
    case setVolume = "SetVolume"

    package var row: MethodRow<Call> {
      switch self {
      case .hit: .init("Pad") { .hit($0) }
      case .stop: .init { .stop }
      case .list: .init(out: ["Pads": "a{sv}"]) { .list }
      case .prepare: .init(out: ["Pads": "a{sv}"]) { .prepare }
      // A `file:` URI of a folder; empty for the kit that comes with the program.
      case .load: .init("Kit", out: ["Pads": "a{sv}"]) { (kit: KitName) in .load(kit.folder) }
      // Pad 0 stands for all of them.
      case .setVolume:
        .init("Pad", "Volume") { (pad: UInt32, volume: Volume) in
          .setVolume(pad == 0 ? nil : PadNumber(rawValue: pad), volume.fraction)
        }
      }
    }
  }

  static let padsChanged = SignalRow<Fields>("PadsChanged", "Pads")

  /// The signal that another kit was loaded, a volume was set, or hits have begun or ceased to be refused. Hits are not reported.
  package static func changed(_ pads: PadsFace) -> (MemberName, [WireValue]) { padsChanged(pads.fields) }
}

// The calls that a client makes.
extension AgentCall {
  /// Asks for the kit and its pads.
  package static let pads = AgentCall(AgentPads.Method.list)
  /// Gets everything ready, so that the first hit is heard as fast as later ones, and asks for the kit and its pads.
  package static let preparePads = AgentCall(AgentPads.Method.prepare)
  package static let stopPads = AgentCall(AgentPads.Method.stop)

  /// Strikes a pad, so that its sound is heard.
  package static func hit(pad: PadNumber) -> AgentCall { AgentCall(AgentPads.Method.hit, pad) }

  /// Loads the kit in a folder; nil for the kit that comes with the program.
  package static func load(kit: FilePath?) -> AgentCall {
    AgentCall(AgentPads.Method.load, KitName(folder: kit))
  }

  /// Sets the volume of a pad, or of all if none is named.
  package static func set(volume: Double, ofPad pad: PadNumber?) -> AgentCall {
    AgentCall(AgentPads.Method.setVolume, pad?.rawValue ?? 0, Volume(fraction: volume))
  }
}

/// The number of a pad in its kit, counted from 1.
package struct PadNumber: Sendable, Hashable, BusArgument {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package var argument: UInt32 { rawValue }
  package static func reading(_ argument: UInt32) -> Self { Self(rawValue: argument) }
}

/// The folder of a kit, sent as its URI; the kit that comes with the program has none, and is sent as an empty text.
private struct KitName: BusArgument {
  let folder: FilePath?

  var argument: String { folder?.uri ?? "" }
  static func reading(_ argument: String) throws(BusError) -> Self {
    Self(folder: argument.isEmpty ? nil : try FilePath.reading(argument))
  }
}

/// The kit that is loaded, its pads, and whether they can be struck, as our own interface shows them: an `a{sv}` with the same keys as the
/// command line's JSON.
package struct PadsFace: Sendable, Hashable, WireConvertible {
  package var kit: KitFace
  /// Whether a hit sounds.
  package var isEnabled: Bool
  /// Why a hit would not sound, as a word for programs, such as `no-output` or `call`; nil if it would.
  package var why: String?
  /// Why a hit would not sound, as a text for people; nil if it would.
  package var reason: String?
  /// The volume of all pads, from 0 to 1.
  package var volume: Double
  /// The pads, in the order of their numbers.
  package var pads: [PadFace]

  package init(
    kit: KitFace, isEnabled: Bool = true, why: String? = nil, reason: String? = nil, volume: Double = 1,
    pads: [PadFace] = []
  ) {
    (self.kit, self.isEnabled, self.why, self.reason) = (kit, isEnabled, why, reason)
    (self.volume, self.pads) = (volume, pads)
  }

  package static var wireType: WireType { Fields.wireType }

  /// Reads the pads from a dictionary; nil if that names no kit. Pads that cannot be read are left out.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let kit = fields.fields("kit").flatMap(KitFace.init(wire:)) else {
      return nil
    }
    let pads: [Fields] = fields("pads") ?? []
    self.init(
      kit: kit, isEnabled: fields("enabled") ?? false, why: fields("why"), reason: fields("reason"),
      volume: fields("volume") ?? 1, pads: pads.compactMap { PadFace(wire: $0.wireValue) })
  }

  package var wireValue: WireValue { fields.wireValue }

  var fields: Fields {
    var fields = Fields()
    fields.add("kit", kit.fields)
    fields.add("enabled", isEnabled)
    fields.add("why", why)
    fields.add("reason", reason)
    fields.add("volume", volume)
    fields.add("pads", value: pads.map(\.fields).wireValue)
    return fields
  }
}

/// A kit as our own interface shows it.
package struct KitFace: Sendable, Hashable {
  package var name: String
  /// The path of the kit's folder, for people; nil for the kit that comes with the program.
  package var folder: String?

  package init(name: String, folder: String? = nil) { (self.name, self.folder) = (name, folder) }

  init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let name: String = fields("name") else { return nil }
    self.init(name: name, folder: fields("folder"))
  }

  var fields: Fields {
    var fields = Fields()
    fields.add("name", name)
    fields.add("folder", folder)
    return fields
  }
}

/// A pad as our own interface shows it.
package struct PadFace: Sendable, Hashable {
  package var number: PadNumber
  package var name: String
  /// The pad's colour: a word such as `red`, or six hexadecimal digits; nil if its kit names none.
  package var colour: String?
  /// The pad's own volume, from 0 to 1.
  package var volume: Double
  /// How many sounds of the pad may be heard at a time.
  package var polyphony: Int
  /// The name of the pad's choke group, whose pads silence each other; nil if it belongs to none.
  package var choke: String?

  package init(
    number: PadNumber, name: String, colour: String? = nil, volume: Double = 1, polyphony: Int = 1,
    choke: String? = nil
  ) {
    (self.number, self.name, self.colour) = (number, name, colour)
    (self.volume, self.polyphony, self.choke) = (volume, polyphony, choke)
  }

  init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let number: UInt32 = fields("pad"), number > 0 else { return nil }
    self.init(
      number: PadNumber(rawValue: number), name: fields("name") ?? "", colour: fields("colour"),
      volume: fields("volume") ?? 1, polyphony: fields("polyphony") ?? 1, choke: fields("choke"))
  }

  var fields: Fields {
    var fields = Fields()
    fields.add("pad", value: .uint32(number.rawValue))
    fields.add("name", name)
    fields.add("colour", colour)
    fields.add("volume", volume)
    fields.add("polyphony", polyphony)
    fields.add("choke", choke)
    return fields
  }
}
