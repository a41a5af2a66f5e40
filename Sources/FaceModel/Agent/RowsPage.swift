// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel
package import PlaybackLogic

/// Counts how much more fits into one answer. An answer holds about half a megabyte, so that neither side is busy with it for long.
struct PageRoom {
  private var left = 1 << 19

  /// Takes room for a row of this many bytes. Returns false if the rows before have used up all of it; so the last row may take more than is left.
  mutating func take(_ bytes: Int) -> Bool {
    defer { left -= bytes }
    return left > 0
  }
}

/// Some rows of the queue with the facts that are known at once: the answer to `Rows`. If only the location of a row is known, the row is sent as a
/// number and a text, which is a fraction of a dictionary. So long queues are listed in this form.
package struct RowsPage: Sendable {
  /// How many rows one answer holds at most.
  package static let largest = 2_000

  /// The entries of the rows.
  package private(set) var entries: [EntryID] = []
  private var locations: [String] = []
  /// The rows about which more is known than the location.
  private var known: [ItemFace] = []
  private var room = PageRoom()
  package let length: Int
  /// The row of the current entry, counted from 1; nil if there is none.
  package let current: Int?

  /// A page without rows yet, of a queue of this length.
  package init(length: Int, current: Int?) {
    self.length = length
    self.current = current
  }

  /// Adds a row. `face` has everything known of it, if that is more than the location. Returns false, and adds nothing, if the page is full.
  package mutating func append(_ entry: EntryID, at location: String, _ face: ItemFace?) -> Bool {
    guard entries.count < Self.largest, room.take(location.utf8.count + 16 + (face?.cost ?? 0)) else {
      return false
    }
    entries.append(entry)
    locations.append(WireText.clean(location))
    if let face { known.append(face) }
    return true
  }

  package var reply: [WireValue] {
    .arguments(
      entries.argument, locations, known.map { $0.fields(inList: true) }, UInt32(clamping: length),
      UInt32(clamping: current ?? 0))
  }

  /// Reads a page from the answer to `Rows`. Throws if its numbers of entries and of locations differ, or if it has facts about more rows than there
  /// are.
  package init(reply: [WireValue]) throws(BusError) {
    let (numbers, locations, known, length, current) = try reply.decoded(
      as: [UInt64].self, [String].self, [Fields].self, UInt32.self, UInt32.self)
    guard numbers.count == locations.count, known.count <= numbers.count else {
      throw .invalidArguments("\(numbers.count) entries have \(locations.count) locations")
    }
    self.init(length: Int(length), current: current == 0 ? nil : Int(current))
    entries = numbers.map(EntryID.init(rawValue:))
    self.locations = locations
    self.known = known.compactMap { ItemFace(wire: $0.wireValue) }
  }

  /// The rows as items. A row whose location cannot be read is left out.
  package var items: [ItemFace] {
    var known = Dictionary(self.known.map { ($0.entry, $0) }) { first, _ in first }
    return zip(entries, locations).compactMap { entry, text in
      if !known.isEmpty, let face = known.removeValue(forKey: entry) { return face }
      guard !text.isEmpty, let location = try? MediaLocation(text.utf8, in: "/") else { return nil }
      var face = ItemFace(MediaItem(location: location), entry: entry)
      face.isUnread = true
      return face
    }
  }
}
