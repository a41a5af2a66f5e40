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

/// Reads what a `ByteWriter` wrote. It throws `Malformed` for any other bytes. Even for damaged bytes, the memory that it takes
/// is limited to a multiple of their number.
struct ByteReader {
  /// The bytes were not written by a `ByteWriter`, or are damaged.
  struct Malformed: Error {}

  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var left: Int { bytes.count - next }

  /// Numbers that are read as `Int`, such as positions, must be below this, so that the sum of two cannot overflow.
  private static let highest = 1 << 62

  mutating func byte() throws(Malformed) -> UInt8 {
    guard next < bytes.count else { throw Malformed() }
    defer { next += 1 }
    return bytes[next]
  }

  /// Skips the next byte if it has this value. Returns whether it did.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard next < bytes.count, bytes[next] == byte else { return false }
    next += 1
    return true
  }

  mutating func number() throws(Malformed) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      let byte = try byte()
      // Nine bytes hold 63 bits, so a tenth byte may hold one bit only.
      guard shift < 63 || byte < 2 else { break }
      number |= UInt64(byte & 0x7f) << UInt64(shift)
      if byte < 0x80 { return number }
    }
    throw Malformed()
  }

  mutating func int() throws(Malformed) -> Int {
    guard let number = Int(exactly: try number()), number < Self.highest else { throw Malformed() }
    return number
  }

  mutating func uint32() throws(Malformed) -> UInt32 {
    guard let number = UInt32(exactly: try number()) else { throw Malformed() }
    return number
  }

  mutating func fixed() throws(Malformed) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { number |= UInt64(try byte()) << shift }
    return number
  }

  mutating func text() throws(Malformed) -> ArraySlice<UInt8> {
    let length = try int()
    guard length <= left else { throw Malformed() }
    defer { next += length }
    return bytes[next..<next + length]
  }

  mutating func flag() throws(Malformed) -> Bool {
    let byte = try byte()
    guard byte < 2 else { throw Malformed() }
    return byte == 1
  }

  mutating func optional() throws(Malformed) -> Int? {
    let number = try int()
    return number == 0 ? nil : number - 1
  }

  mutating func place() throws(Malformed) -> Duration { .microseconds(Int64(try int())) }

  mutating func array<Value>(
    _ one: (inout ByteReader) throws(Malformed) -> Value
  ) throws(Malformed) -> [Value] {
    let count = try int()
    // Each value takes at least one byte, so a larger count is wrong. Checked before memory is reserved for it.
    guard count <= left else { throw Malformed() }
    var values: [Value] = []
    values.reserveCapacity(count)
    for _ in 0..<count { values.append(try one(&self)) }
    return values
  }

  mutating func range() throws(Malformed) -> Range<Int> {
    let start = try int()
    let end = start + (try int())
    guard end < Self.highest else { throw Malformed() }
    return start..<end
  }

  /// Reads a set of numbers, written as ranges in ascending order and apart from each other. Making a `RangeSet` from ranges in that order is fast;
  /// from any other order it could be slow.
  mutating func positions() throws(Malformed) -> RangeSet<Int> { RangeSet(try runs()) }

  /// Reads ranges. Throws unless they are in ascending order and apart from each other.
  mutating func runs() throws(Malformed) -> [Range<Int>] {
    let ranges = try array { reader throws(Malformed) in try reader.range() }
    let isAscending = zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound }
    guard isAscending else { throw Malformed() }
    return ranges
  }

  /// Throws if not all bytes have been read.
  func finish() throws(Malformed) { if left > 0 { throw Malformed() } }
}
