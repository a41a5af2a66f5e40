// SPDX-License-Identifier: MIT
package import BusModel

extension QueueNews {
  /// The signal that reports the edit.
  package var signal: (MemberName, [WireValue]) {
    var (added, removed, moved): ([RowRun], [RowRun], [WireValue]) = ([], [], [])
    switch edit {
    case .added(let runs): added = runs
    case .removed(let runs): removed = runs
    case .moved(let row, let count, let target):
      moved = [.structure([row, count, target].map { .uint32(UInt32(clamping: $0)) })]
    case .replaced: return ("QueueReplaced", [wireLength])
    }
    return ("QueueChanged", [added.wireValue, removed.wireValue, .array("(uuu)", moved), wireLength])
  }

  /// Reads an edit from a signal. Nil for any other signal, and for one that reports no edit or several at once.
  package init?(signal: MemberName, _ arguments: [WireValue]) {
    switch signal {
    case "QueueReplaced":
      guard let length = try? arguments.decoded(as: UInt32.self) else { return nil }
      self.init(.replaced, length: Int(length))
    case "QueueChanged":
      guard (try? arguments.check(as: Self.types)) != nil, let length = UInt32(wire: arguments[3]),
        let edit = Edit(arguments)
      else { return nil }
      self.init(edit, length: Int(length))
    default: return nil
    }
  }

  private static let types: [WireType] = ["a(utu)", "a(utu)", "a(uuu)", .uint32]

  private var wireLength: WireValue { .uint32(UInt32(clamping: length)) }
}

extension QueueNews.Edit {
  fileprivate init?(_ arguments: [WireValue]) {
    guard let added = [RowRun](wire: arguments[0]), let removed = [RowRun](wire: arguments[1]),
      case .array(_, let moved) = arguments[2]
    else { return nil }
    switch (added.isEmpty, removed.isEmpty, moved.count) {
    case (false, true, 0): self = .added(added)
    case (true, false, 0): self = .removed(removed)
    case (true, true, 1):
      guard let numbers = moved[0].fields?.compactMap(UInt32.init(wire:)), numbers.count == 3 else {
        return nil
      }
      self = .moved(row: Int(numbers[0]), count: Int(numbers[1]), to: Int(numbers[2]))
    default: return nil
    }
  }
}
