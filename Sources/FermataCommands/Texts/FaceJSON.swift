// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel

extension JSONValue {
  /// Converts a value from the bus. Our own interfaces use the same keys in the same order as the command line's
  /// JSON, so nothing has to be mapped. Nil for a value that JSON can't express.
  init?(wire: WireValue) {
    switch wire {
    case .boolean(let flag): self = .bool(flag)
    case .string(let text): self = .string(text)
    case .int32(let number): self = .integer(Int(number))
    case .uint32(let number): self = .integer(Int(number))
    case .int64(let number): self = .integer(Int(number))
    case .uint64(let number): self = .integer(Int(clamping: number))
    case .double(let number):
      guard let number = JSONNumber(number) else { return nil }
      self = .number(number)
    case .variant(let value): self.init(wire: value)
    case .array(_, let values): self = .array(values.compactMap { JSONValue(wire: $0) })
    case .dictionary(_, _, let entries): self = .object(entries.compactMap(Member.init))
    default: return nil
    }
  }
}

extension JSONValue.Member {
  fileprivate init?(_ entry: DictionaryEntry) {
    guard case .string(let name) = entry.key, let value = JSONValue(wire: entry.value) else { return nil }
    self.init(name, value)
  }
}

extension StatusFace {
  /// The object that `status --json` writes.
  var json: JSONValue { JSONValue(wire: wireValue) ?? .object([]) }
}

extension QueuePage {
  /// The object that `queue list --json` writes.
  var json: JSONValue {
    .object(present: [
      "entries": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) }),
      "length": .integer(length), "index": current.map(JSONValue.integer),
    ])
  }
}
