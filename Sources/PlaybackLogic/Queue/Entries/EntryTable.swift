// SPDX-License-Identifier: MIT

/// Where an entry lies in the table: small, and the same as long as the entry is in the queue.
typealias Slot = UInt32

/// The entries themselves, in no order, each in a slot that its identity leads to.
///
/// The list and the play order are sequences of slots, so an entry that moves in either stays where it is.
struct EntryTable: Sendable {
  /// Text blocks of one entry each cost more than shared ones; after so many they are packed together.
  private static let loose = 32

  private var rows: [Entry?] = []
  private var slots: [EntryID: Slot] = [:]
  private var free: [Slot] = []
  private var singles: [Slot] = []

  /// The entry in a slot. Traps if the slot is free.
  subscript(slot: Slot) -> Entry {
    guard let entry = rows[Int(slot)] else { preconditionFailure("slot \(slot) is free") }
    return entry
  }

  /// The slot of an entry, if it is in the queue.
  func slot(of id: EntryID) -> Slot? { slots[id] }

  /// Takes entries in and says where. Traps if one is in already.
  mutating func insert(_ entries: [Entry]) -> [Slot] {
    if entries.count > 1 {
      rows.reserve(forNewcomers: entries.count - free.count)
      slots.reserveCapacity(slots.count + entries.count)
    }
    let new = entries.map { insert($0) }
    if let single = new.first, new.count == 1 { packLater(single) }
    return new
  }

  /// Lets the entry of a slot go and returns it.
  mutating func remove(_ slot: Slot) -> Entry {
    let entry = self[slot]
    rows[Int(slot)] = nil
    slots[entry.id] = nil
    free.append(slot)
    return entry
  }

  /// Lets all entries go, and their memory with them.
  mutating func removeAll() { self = EntryTable() }

  /// Notes the album of an entry.
  mutating func setAlbum(_ album: AlbumKey, in slot: Slot) { rows[Int(slot)]?.album = album }
  /// Notes whether the file of an entry is gone.
  mutating func setMissing(_ isMissing: Bool, in slot: Slot) { rows[Int(slot)]?.isMissing = isMissing }

  private mutating func insert(_ entry: Entry) -> Slot {
    let slot: Slot
    if let used = free.popLast() {
      slot = used
      rows[Int(slot)] = entry
    } else {
      slot = Slot(rows.count)
      rows.reserve(forNewcomers: 1)
      rows.append(entry)
    }
    let former = slots.updateValue(slot, forKey: entry.id)
    precondition(former == nil, "entry \(entry.id.rawValue) is in the queue already")
    return slot
  }

  private mutating func packLater(_ slot: Slot) {
    singles.append(slot)
    guard singles.count == Self.loose else { return }
    let present = Set(singles).filter { rows[Int($0)] != nil }.sorted()
    let packed = PackedText.packing(present.map { self[$0].location })
    for (slot, text) in zip(present, packed) { rows[Int(slot)]?.text = text }
    singles.removeAll(keepingCapacity: true)
  }
}

extension Array {
  /// Makes room by a quarter at a time. Doubling, as arrays do by themselves, leaves up to half unused.
  mutating func reserve(forNewcomers newcomers: Int) {
    guard count + newcomers > capacity else { return }
    reserveCapacity(Swift.max(count + newcomers, count + count / 4))
  }
}
