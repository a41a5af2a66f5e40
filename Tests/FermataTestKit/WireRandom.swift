// SPDX-License-Identifier: MIT
package import BusModel

/// Generates random bus types and values from a seed. The same seed gives the same sequence.
package struct WireRandom: RandomNumberGenerator, Sendable {
  private var bits: SeededGenerator

  /// A generator that starts from a seed.
  package init(seed: UInt64) { bits = SeededGenerator(seed: seed) }

  /// The next 64 bits.
  package mutating func next() -> UInt64 { bits.next() }

  /// A number from 0 up to, but not including, a bound.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// A random text of this many characters of an alphabet.
  package mutating func text(of alphabet: String, count: Int) -> String {
    let characters = Array(alphabet)
    return String((0..<count).map { _ in characters[below(characters.count)] })
  }

  /// A random type that contains no other types.
  package mutating func basicType() -> BasicType { BasicType.allCases[below(BasicType.allCases.count)] }

  /// A random type that is nested at most `depth` levels.
  package mutating func type(depth: Int) -> WireType {
    switch depth == 0 ? 0 : below(7) {
    case 0...2: .basic(basicType())
    case 3: .variant
    case 4: .array(type(depth: depth - 1))
    case 5: .dictionary(basicType(), type(depth: depth - 1))
    default: .structure((0...below(3)).map { _ in type(depth: depth - 1) })
    }
  }

  /// A random value of a type. The contents of its variants are nested at most `depth` levels.
  package mutating func value(of type: WireType, depth: Int = 3) -> WireValue {
    switch type {
    case .basic(let type): basicValue(of: type)
    case .variant: .variant(value(of: self.type(depth: max(0, depth - 1)), depth: max(0, depth - 1)))
    case .array(let element): .array(element, (0..<below(4)).map { _ in value(of: element, depth: depth) })
    case .dictionary(let key, let element):
      .dictionary(
        key, element,
        (0..<below(4)).map { _ in DictionaryEntry(basicValue(of: key), value(of: element, depth: depth)) })
    case .structure(let fields): .structure(fields.map { value(of: $0, depth: depth) })
    }
  }

  /// A random value of a basic type.
  package mutating func basicValue(of type: BasicType) -> WireValue {
    switch type {
    case .byte: .byte(UInt8(truncatingIfNeeded: next()))
    case .boolean: .boolean(next() & 1 == 0)
    case .int16: .int16(Int16(truncatingIfNeeded: next()))
    case .uint16: .uint16(UInt16(truncatingIfNeeded: next()))
    case .int32: .int32(Int32(truncatingIfNeeded: next()))
    case .uint32: .uint32(UInt32(truncatingIfNeeded: next()))
    case .int64: .int64(Int64(truncatingIfNeeded: next()))
    case .uint64: .uint64(next())
    case .double: .double(Double.random(in: -1e9...1e9, using: &self))
    case .string: .string(text(of: "aé漢🎵' \n\"", count: below(12)))
    case .objectPath: .objectPath(ObjectPath(unchecked: "/" + text(of: "abc_1", count: 1 + below(6))))
    case .signature: .signature((try? Signature([self.type(depth: 2)])) ?? "s")
    }
  }
}
