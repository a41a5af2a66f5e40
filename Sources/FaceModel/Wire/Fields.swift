// SPDX-License-Identifier: MIT
import BusModel

/// Builds an `a{sv}`, whose entries keep the order in which they are added. Values that are nil are left out.
struct Fields {
  private var entries: [(String, WireValue)] = []

  /// The dictionary.
  var value: WireValue { .properties(entries) }

  mutating func add(_ key: String, value: WireValue?) { if let value { entries.append((key, value)) } }
  mutating func add(_ key: String, _ text: String?) { add(key, value: text.map(WireText.value)) }
  mutating func add(_ key: String, _ texts: [String]) { add(key, value: WireText.list(texts)) }
  mutating func add(_ key: String, _ number: Int?) {
    add(key, value: number.map { .int32(Int32(clamping: $0)) })
  }
  mutating func add(_ key: String, _ number: Double?) {
    add(key, value: number.flatMap { $0.isFinite ? .double($0) : nil })
  }
  mutating func add(_ key: String, _ time: Duration?) { add(key, time.map(WireTime.seconds)) }
  mutating func add(_ key: String, _ flag: Bool) { add(key, value: .boolean(flag)) }
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

  /// The texts of a list; an empty list if there is none.
  func list(_ key: String) -> [String] { self(key) ?? [] }
  /// The value of a key whose value is a dictionary itself.
  func fields(_ key: String) -> WireValue? { table[key] }
}
