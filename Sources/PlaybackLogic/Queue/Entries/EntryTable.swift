// SPDX-License-Identifier: MIT

/// The index of an entry in the table. It stays the same as long as the entry is in the queue.
typealias Slot = UInt32

/// Holds the entries themselves, in no particular order, each in a slot that can be found by its identity.
///
/// The list and the play order are sequences of slots, so moving an entry in either does not move it in the table.
struct EntryTable: Sendable {
  /// An entry that is added alone has a text block of its own, which costs more memory than a shared one. After this many of
  /// them, their texts are packed together.
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

  /// Adds entries and returns their slots. Traps if an entry is in the table already.
  mutating func insert(_ entries: [Entry]) -> [Slot] {
    if entries.count > 1 {
      rows.reserve(forNewcomers: entries.count - free.count)
      slots.reserveCapacity(slots.count + entries.count)
    }
    let new = entries.map { insert($0) }
    if let single = new.first, new.count == 1 { packLater(single) }
    return new
  }

  /// Removes the entry in a slot and returns it. Traps if the slot is free.
  mutating func remove(_ slot: Slot) -> Entry {
    let entry = self[slot]
    rows[Int(slot)] = nil
    slots[entry.id] = nil
    free.append(slot)
    return entry
  }

  /// Removes all entries and frees their memory.
  mutating func removeAll() { self = EntryTable() }

  /// Notes the album of an entry.
  mutating func setAlbum(_ album: AlbumKey, in slot: Slot) { rows[Int(slot)]?.album = album }
  /// Notes whether the file of an entry is missing.
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
  /// Makes room for this many more elements. The capacity grows by at least a quarter: arrays by themselves double it, which
  /// leaves up to half of it unused.
  mutating func reserve(forNewcomers newcomers: Int) {
    guard count + newcomers > capacity else { return }
    reserveCapacity(Swift.max(count + newcomers, count + count / 4))
  }
}
