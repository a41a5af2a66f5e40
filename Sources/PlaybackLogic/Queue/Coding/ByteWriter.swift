// SPDX-License-Identifier: MIT

/// Writes values as bytes. Small numbers take few bytes.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(byte: UInt8) { bytes.append(byte) }

  /// Writes seven bits per byte, the lowest first. The highest bit of a byte says that more bytes follow.
  mutating func put(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a number that must not be negative.
  mutating func put(_ number: Int) { put(UInt64(number)) }
  /// Writes a number in eight bytes. Meant for numbers that use all 64 bits, such as hashes.
  mutating func put(fixed number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
  mutating func put(_ text: some Collection<UInt8>) {
    put(text.count)
    bytes.append(contentsOf: text)
  }
  mutating func put(_ flag: Bool) { put(byte: flag ? 1 : 0) }
  /// Writes nil as 0 and a number as one more, so the number must not be `Int.max`.
  mutating func put(_ number: Int?) { put(number.map { $0 + 1 } ?? 0) }

  /// Writes a place in a track, in whole microseconds.
  mutating func put(_ place: Duration) { put(Int(place / .microseconds(1))) }

  mutating func put<Value>(_ values: [Value], _ one: (inout ByteWriter, Value) -> Void) {
    put(values.count)
    for value in values { one(&self, value) }
  }

  mutating func put(_ range: Range<Int>) {
    put(range.lowerBound)
    put(range.count)
  }

  mutating func put(_ positions: RangeSet<Int>) { put(Array(positions.ranges)) { $0.put($1) } }
}
