// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic

/// Calls that nobody in his right mind makes, from a seed: every method of both objects, with arguments of the right types and
/// wrong values, of wrong types, too many and too few.
struct Hostility {
  private var random: WireRandom

  init(seed: UInt64) { random = WireRandom(seed: seed) }

  /// Those of which the very call is an order to drop or reorder what is there; the queue shall be whole in the end.
  private static let spared: Set<MemberName> = ["Quit", "Clear", "Crop", "ShuffleNow", "Undo", "Redo"]

  private static let methods: [(ObjectPath, InterfaceName, MethodDescription)] = {
    let mpris = [MPRISDescriptions.root, MPRISDescriptions.player, MPRISDescriptions.trackList]
    let all =
      (mpris + StandardInterfaces.all).map { (MPRISDescriptions.path, $0) }
      + (AgentDescriptions.all + StandardInterfaces.all).map { (AgentDescriptions.path, $0) }
    return all.flatMap { path, interface in
      interface.methods.filter { !spared.contains($0.name) }.map { (path, interface.name, $0) }
    }
  }()

  mutating func call() -> BurstCall {
    let (path, interface, method) = Self.methods[random.below(Self.methods.count)]
    var arguments = method.inputs.map { nasty($0.type) }
    switch random.below(8) {
    case 0: arguments = (0..<random.below(4)).map { _ in random.value(of: random.type(depth: 3)) }
    case 1: arguments.append(random.value(of: random.type(depth: 2)))
    case 2: arguments = Array(arguments.dropLast())
    case 3 where !arguments.isEmpty: arguments[random.below(arguments.count)] = nasty(random.type(depth: 2))
    default: break
    }
    // Nobody may set what is set by right.
    if method.name == "Set", arguments.count == 3, random.below(3) == 0 {
      arguments[0] = .string(MPRISDescriptions.player.name.text)
      arguments[1] = .string(MPRISDescriptions.player.properties[random.below(15)].name.text)
    }
    return BurstCall(path: path, interface: interface, member: method.name, arguments: arguments)
  }

  /// A value of a type that hurts where somebody was careless.
  private mutating func nasty(_ type: WireType) -> WireValue {
    guard random.below(2) == 0 else { return random.value(of: type) }
    switch type {
    case .basic(.string): return .string(nastyText())
    case .basic(.objectPath): return .objectPath(nastyPath())
    case .basic(.int64): return .int64([.min, .max, -1, 0, 1 << 62][random.below(5)])
    case .basic(.uint64): return .uint64([.max, 0, 1 << 63, 1 << 32][random.below(4)])
    case .basic(.uint32): return .uint32([.max, 0, 1 << 31][random.below(3)])
    case .basic(.double):
      return .double([.nan, .infinity, -.infinity, -0.0, 1e308, .leastNonzeroMagnitude][random.below(6)])
    case .variant: return (0..<random.below(60)).reduce(.variant(.byte(1))) { value, _ in .variant(value) }
    case .array(let element):
      return .array(element, (0..<random.below(2_000)).map { _ in random.value(of: element, depth: 1) })
    default: return random.value(of: type)
    }
  }

  private mutating func nastyText() -> String {
    switch random.below(9) {
    case 0: String(repeating: "x", count: 1 << (4 + random.below(16)))
    case 1: String(repeating: "%41", count: 5_000)
    case 2: "file://" + String(repeating: "/a", count: 3_000)
    case 3: "file:///dev/zero"
    case 4: "file:///proc/self/mem"
    case 5: "file:///nowhere/%00%0a%1b[2J"
    case 6: "item:-9223372036854775808"
    case 7: "\u{202e}\u{1b}]0;\u{7f}\u{feff}"
    default: ""
    }
  }

  private mutating func nastyPath() -> ObjectPath {
    switch random.below(5) {
    case 0: TrackPath.none
    case 1: TrackPath.path(of: EntryID(rawValue: .max))
    case 2: ObjectPath(unchecked: "/org/fermata/Entry/" + String(repeating: "9", count: 4_000))
    case 3: "/org/fermata/Entry"
    default: "/"
    }
  }
}

extension WireRandom {
  /// The bytes with a few of them changed, left out, or doubled.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(3) {
      let index = below(bytes.count)
      switch below(12) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes.insert(bytes[index], at: index)
      case 2: bytes[index] = UInt8(below(256))
      case 3: bytes[index] = 0xFF
      default: bytes[index] ^= 1 << UInt8(below(8))
      }
      if bytes.isEmpty { return [0] }
    }
    return bytes
  }
}
