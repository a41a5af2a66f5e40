// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel

/// Builds an `a{sv}`, which is D-Bus's dictionary of named values, and whose entries keep the order in which they are added. Values that are nil are
/// left out.
package struct Fields: WireConvertible {
  private var entries: [(String, WireValue)] = []

  package init() {}

  /// The wire type of a dictionary from text to anything, `a{sv}`.
  package static var wireType: WireType { .dictionary(.string, .variant) }
  package var wireValue: WireValue { .properties(entries) }
  /// Takes over the entries of any `a{sv}`; nil for a value of another type.
  package init?(wire: WireValue) {
    guard case .dictionary(.string, .variant, let found) = wire else { return nil }
    for entry in found {
      guard case .string(let key) = entry.key, case .variant(let value) = entry.value else { return nil }
      entries.append((key, value))
    }
  }

  /// About how many bytes the entries take in a message: their texts, and a few bytes for each value.
  var size: Int { entries.reduce(0) { $0 + $1.0.utf8.count + Self.size($1.1) } }

  private static func size(_ value: WireValue) -> Int {
    switch value {
    case .string(let text): text.utf8.count + 16
    case .array(_, let values): values.reduce(16) { $0 + size($1) }
    case .variant(let value): size(value)
    case .dictionary(_, _, let entries): entries.reduce(16) { $0 + size($1.key) + size($1.value) }
    default: 16
    }
  }

  mutating func add(_ key: String, value: WireValue?) { if let value { entries.append((key, value)) } }
  mutating func add(_ key: String, _ text: String?) { add(key, value: text.map(WireText.value)) }
  mutating func add(_ key: String, _ texts: [String]) { add(key, value: WireText.list(texts)) }
  mutating func add(_ key: String, _ number: Int?) {
    add(key, value: number.map { .int32(Int32(clamping: $0)) })
  }
  mutating func add(_ key: String, _ number: Double?) {
    add(key, value: number.flatMap { $0.isFinite ? .double($0) : nil })
  }
  mutating func add(_ key: String, _ time: Duration?) { add(key, time.map(\.argument)) }
  mutating func add(_ key: String, _ flag: Bool) { add(key, value: .boolean(flag)) }
  mutating func add(_ key: String, _ fields: Fields?) { add(key, value: fields?.wireValue) }
}

/// Reads an `a{sv}` that arrived. A value of another type than expected counts as absent, and unknown keys are ignored,
/// since the other side may be older or newer.
struct FieldReader {
  private let table: [String: WireValue]

  init?(_ value: WireValue) {
    guard let table = [String: WireValue](wire: value) else { return nil }
    self.table = table
  }

  func callAsFunction<Value: WireConvertible>(_ key: String) -> Value? {
    table[key].flatMap { Value(wire: $0) }
  }
  func callAsFunction(_ key: String) -> Int? { table[key].flatMap(Int32.init(wire:)).map(Int.init) }
  func callAsFunction(_ key: String) -> Duration? {
    table[key].flatMap(Double.init(wire:)).flatMap(WireTime.duration)
  }

  /// The list of texts under this key; an empty one if there is none.
  func list(_ key: String) -> [String] { self(key) ?? [] }
  /// All values that are texts.
  var texts: [String: String] { table.compactMapValues { String(wire: $0) } }
  /// The value of a key that should hold a dictionary; nil if the key is absent. Its type is not checked here.
  func fields(_ key: String) -> WireValue? { table[key] }
}

/// Makes texts from files fit for a message.
package enum WireText {
  /// The longest text that is sent, in bytes. The lyrics of a song fit; a book does not.
  static let longest = 1 << 16
  /// The most texts that a list may hold.
  static let most = 256

  /// The text without NULs, cut after `longest` bytes. No message can carry a NUL:
  /// one in a single tag would make the whole answer fail.
  package static func clean(_ text: String) -> String {
    if text.utf8.count <= longest, !text.utf8.contains(0) { return text }
    return String(decoding: withoutStump(text.utf8.filter { $0 != 0 }), as: UTF8.self)
  }

  /// The first `longest` bytes, less the beginning of a character that would be cut in two.
  private static func withoutStump(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard bytes.count > longest else { return bytes[...] }
    var end = longest
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return bytes[..<end]
  }

  static func value(_ text: String) -> WireValue { .string(clean(text)) }

  /// The texts as a list; nil if there are none.
  static func list(_ texts: [String]) -> WireValue? {
    texts.isEmpty ? nil : .array(.string, texts.prefix(most).map(value))
  }
}

/// Converts times into the forms that messages use, and back.
enum WireTime {
  /// Whole microseconds, rounded towards zero. A time that does not fit becomes the largest or smallest number.
  static func microseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return isTooMuch || overflows ? (seconds < 0 ? .min : .max) : sum
  }

  /// Seconds as a number, for our own interfaces and the command line's JSON.
  static func seconds(_ time: Duration) -> Double {
    let (seconds, attoseconds) = time.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// A time of this many seconds; nil if it is not a number, or longer than any track (10⁹ seconds).
  static func duration(seconds: Double) -> Duration? {
    seconds.magnitude <= 1e9 ? .microseconds(Int64((seconds * 1_000_000).rounded())) : nil
  }

  /// A point in time, given in seconds since 1970, as RFC 3339 text in UTC; nil outside the years 1 to 9999.
  static func moment(_ seconds: Int64) -> String? { MomentText.text(seconds) }

  /// The point in time that an RFC 3339 text gives, in seconds since 1970; nil if it is no such text, or lacks the day or the time.
  static func seconds(ofMoment text: String) -> Int64? { MomentText.seconds(text) }
}
