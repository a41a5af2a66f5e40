// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel

extension JSONValue {
  /// A value from the bus: our own interfaces have the keys of the command line's JSON, in its order, so it goes over one
  /// to one. None for what JSON cannot say.
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
  /// As `status --json` has it.
  var json: JSONValue { JSONValue(wire: wireValue) ?? .object([]) }
}

extension QueuePage {
  /// As `queue list --json` has it.
  var json: JSONValue {
    .object(present: [
      "entries": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) }),
      "length": .integer(length), "index": current.map(JSONValue.integer),
    ])
  }
}
