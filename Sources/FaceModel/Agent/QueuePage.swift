// SPDX-License-Identifier: MIT
package import BusModel

/// Some rows of the queue, and how long it is: what `List` answers.
package struct QueuePage: Sendable, Hashable {
  /// The rows that were asked for.
  package var items: [ItemFace]
  /// How many rows there are.
  package var length: Int
  /// The row of the current entry, counted from 1; nil if there is none.
  package var current: Int?

  /// A page.
  package init(items: [ItemFace], length: Int, current: Int?) {
    self.items = items
    self.length = length
    self.current = current
  }

  /// Reads a page from an answer. Rows that cannot be read are left out.
  package init(reply: [WireValue]) throws(BusError) {
    let (items, length, current) = try reply.decoded(as: [[String: WireValue]].self, UInt32.self, UInt32.self)
    self.init(
      items: items.compactMap { ItemFace(wire: $0.wireValue) }, length: Int(length),
      current: current == 0 ? nil : Int(current))
  }

  /// The answer.
  package var reply: [WireValue] {
    [
      .array("a{sv}", items.map { $0.wireValue(inList: true) }), .uint32(UInt32(clamping: length)),
      .uint32(UInt32(clamping: current ?? 0)),
    ]
  }
}
