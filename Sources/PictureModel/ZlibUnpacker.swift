// SPDX-License-Identifier: MIT

/// Unpacks bytes that zlib packed (RFC 1950 and 1951).
///
/// A few packed bytes may stand for very many, so the size of the result is limited. The checksum at the end is not checked: the
/// caller knows from a picture's width and height how many bytes there must be.
struct ZlibUnpacker {
  private let bytes: [UInt8]
  private let limit: Int
  private var offset = 2
  /// Bits that were read and not used yet; the next one is the lowest.
  private var held: UInt32 = 0
  private var heldCount = 0
  private var output: [UInt8] = []

  /// The unpacked bytes; nil if the packed ones are truncated or invalid, or if there are more than `limit`.
  static func unpack(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    // The only method is 8. The bit 0x20 would announce a dictionary that both sides know; that is not supported.
    guard bytes.count > 2, bytes[0] & 15 == 8, bytes[1] & 0x20 == 0,
      (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
    else { return nil }
    var unpacker = ZlibUnpacker(bytes: bytes, limit: limit)
    return unpacker.blocks() ? unpacker.output : nil
  }

  private init(bytes: [UInt8], limit: Int) { (self.bytes, self.limit) = (bytes, limit) }

  // MARK: Blocks

  private mutating func blocks() -> Bool {
    while let header = number(3) {
      let isRead =
        switch header >> 1 {
        case 0: stored()
        case 1: packed(.fixedLetters, .fixedDistances)
        case 2: packedWithOwnCodes()
        default: false
        }
      guard isRead else { return false }
      if header & 1 == 1 { return true }
    }
    return false
  }

  /// Copies a block of bytes that are not packed. They begin at a whole byte.
  private mutating func stored() -> Bool {
    drop(heldCount % 8)
    guard let count = number(16), let inverse = number(16), count ^ inverse == 0xFFFF,
      output.count + count <= limit
    else { return false }
    for _ in 0..<count {
      guard let byte = number(8) else { return false }
      output.append(UInt8(byte))
    }
    return true
  }

  /// The order in which a block gives the lengths of its code-length codes: common ones come first, so that the rest can be left out.
  private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func packedWithOwnCodes() -> Bool {
    guard let letters = number(5), let distances = number(5), let told = number(4) else { return false }
    var ofLengths = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(told + 4) {
      guard let length = number(3) else { return false }
      ofLengths[place] = UInt8(length)
    }
    let count = letters + 257 + distances + 1
    guard let code = PrefixCode(ofLengths), let lengths = lengths(count, by: code),
      let first = PrefixCode(Array(lengths[..<(letters + 257)])),
      let second = PrefixCode(Array(lengths[(letters + 257)...]))
    else { return false }
    return packed(first, second)
  }

  /// Reads the lengths of codes. Runs are shortened: 16 repeats the last length, 17 and 18 are runs of zeros.
  private mutating func lengths(_ count: Int, by code: PrefixCode) -> [UInt8]? {
    var lengths: [UInt8] = []
    while lengths.count < count {
      guard let symbol = symbol(code) else { return nil }
      guard symbol >= 16 else {
        lengths.append(UInt8(symbol))
        continue
      }
      let (bits, least) = symbol == 16 ? (2, 3) : symbol == 17 ? (3, 3) : (7, 11)
      guard let more = number(bits), lengths.count + least + more <= count else { return nil }
      guard let value = symbol == 16 ? lengths.last : 0 else { return nil }
      lengths += Array(repeating: value, count: least + more)
    }
    return lengths
  }

  private mutating func packed(_ letters: PrefixCode, _ distances: PrefixCode) -> Bool {
    while let symbol = symbol(letters) {
      if symbol == 256 { return true }
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
      } else {
        guard copy(symbol - 257, distances) else { return false }
      }
    }
    return false
  }

  /// Copies bytes that came earlier in the result. The copy may overlap its own source.
  private mutating func copy(_ index: Int, _ distances: PrefixCode) -> Bool {
    guard let length = length(index), let symbol = symbol(distances), let distance = distance(symbol),
      distance <= output.count, output.count + length <= limit
    else { return false }
    for _ in 0..<length { output.append(output[output.count - distance]) }
    return true
  }

  /// The length of a copy. Eight lengths have one symbol each; then come groups of four symbols, each group with one bit more, and a symbol for the
  /// longest.
  private mutating func length(_ index: Int) -> Int? {
    if index < 8 { return 3 + index }
    guard index < 28 else { return index == 28 ? 258 : nil }
    let bits = index / 4 - 1
    return number(bits).map { (4 + index % 4) << bits + 3 + $0 }
  }

  /// The distance of a copy. Four distances have one symbol each; then come groups of two symbols, each group with one bit more.
  private mutating func distance(_ symbol: Int) -> Int? {
    if symbol < 4 { return 1 + symbol }
    guard symbol < 30 else { return nil }
    let bits = symbol / 2 - 1
    return number(bits).map { (2 + symbol % 2) << bits + 1 + $0 }
  }

  // MARK: Bits

  /// The next bits as a number, beginning with the lowest; nil at the end.
  private mutating func number(_ count: Int) -> Int? {
    hold(count)
    guard heldCount >= count else { return nil }
    defer { drop(count) }
    return Int(held & (1 << UInt32(count) - 1))
  }

  /// The symbol of the next code; nil at the end, or if the bits are not a valid code.
  private mutating func symbol(_ code: PrefixCode) -> Int? {
    // The last code may be shorter than the longest one, with nothing after it.
    hold(code.longest)
    let (symbol, length) = code.symbol(of: held)
    guard length > 0, length <= heldCount else { return nil }
    drop(length)
    return symbol
  }

  private mutating func hold(_ count: Int) {
    while heldCount < count, offset < bytes.count {
      held |= UInt32(bytes[offset]) << UInt32(heldCount)
      offset += 1
      heldCount += 8
    }
  }

  private mutating func drop(_ count: Int) {
    held >>= UInt32(count)
    heldCount -= count
  }
}

/// A prefix code: frequent symbols have short codes, and no code is the beginning of another. It is determined by the lengths of its codes alone.
private struct PrefixCode {
  static let fixedLetters = fixed(
    (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = fixed(Array(repeating: 5, count: 30))

  /// The number of bits of the longest code.
  let longest: Int
  /// A table with an entry for all possible next bits: the symbol in the upper twelve bits, and the length of its code below; 0 if there is none.
  private let table: [UInt16]

  private static func fixed(_ lengths: [UInt8]) -> PrefixCode {
    guard let code = PrefixCode(lengths) else { preconditionFailure("the standard's lengths fit") }
    return code
  }

  /// The code whose symbols have these numbers of bits; 0 means that a symbol does not occur. Nil if no such code exists. At most 15 bits and 288
  /// symbols.
  init?(_ lengths: [UInt8]) {
    let longest = Int(lengths.max() ?? 0)
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    var next = [Int](repeating: 0, count: 16)
    for length in 1..<16 { next[length] = (next[length - 1] + counts[length - 1]) << 1 }
    var table = [UInt16](repeating: 0, count: 1 << longest)
    for (symbol, bits) in lengths.enumerated() where bits > 0 {
      let length = Int(bits)
      let code = next[length]
      next[length] += 1
      guard code < 1 << length else { return nil }
      // The table is indexed by codes with their first bit lowest.
      var place = 0
      for bit in 0..<length where code >> bit & 1 == 1 { place |= 1 << (length - 1 - bit) }
      while place < table.count {
        table[place] = UInt16(symbol) << 4 | UInt16(bits)
        place += 1 << length
      }
    }
    (self.longest, self.table) = (longest, table)
  }

  /// The symbol whose code these bits begin with, and the code's length; the length is 0 if there is none.
  func symbol(of bits: UInt32) -> (symbol: Int, length: Int) {
    let entry = table[Int(bits & (1 << UInt32(longest) - 1))]
    return (Int(entry >> 4), Int(entry & 15))
  }
}
