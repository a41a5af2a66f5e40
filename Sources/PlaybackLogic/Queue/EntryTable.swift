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

/// A text that is part of a block of bytes, which it shares with its neighbours.
///
/// This saves memory: a `String` of 60 bytes takes an allocation of 112, but nearly every byte of a block is text. A block lives
/// as long as one of its texts is used. Blocks are small, so a single remaining text does not keep much memory in use.
struct PackedText: Sendable {
  /// The largest size of a shared block, in bytes. A longer text has a block to itself.
  static let blockSize = 4_096

  private let block: [UInt8]
  private let start: UInt32
  private let length: UInt32

  /// A text in a block of its own.
  init(_ text: String) { self.init(block: Array(text.utf8), start: 0, length: text.utf8.count) }

  private init(block: [UInt8], start: Int, length: Int) {
    self.block = block
    self.start = UInt32(start)
    self.length = UInt32(length)
  }

  /// The text in UTF-8.
  var utf8: ArraySlice<UInt8> { block[Int(start)..<Int(start) + Int(length)] }
  /// The text. Makes a new string at each call.
  var string: String { String(decoding: utf8, as: UTF8.self) }

  /// Packs these texts into shared blocks, in this order.
  static func packing(_ texts: some Collection<String>) -> [PackedText] { packing(texts.lazy.map(\.utf8)) }

  /// Packs these texts, given in UTF-8, into shared blocks, in this order.
  static func packing(_ texts: some Collection<some Collection<UInt8>>) -> [PackedText] {
    var packed: [PackedText] = []
    packed.reserveCapacity(texts.count)
    var filling: [UInt8] = []
    var lengths: [Int] = []
    for text in texts {
      if !filling.isEmpty, filling.count + text.count > blockSize {
        seal(&filling, &lengths, into: &packed)
      }
      filling.append(contentsOf: text)
      lengths.append(text.count)
    }
    seal(&filling, &lengths, into: &packed)
    return packed
  }

  private static func seal(_ filling: inout [UInt8], _ lengths: inout [Int], into packed: inout [PackedText])
  {
    // A copy has exactly the needed capacity, but the array that grew has some to spare.
    let block = Array(filling[...])
    var start = 0
    for length in lengths {
      packed.append(PackedText(block: block, start: start, length: length))
      start += length
    }
    filling.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
  }
}

extension PackedText: Hashable {
  static func == (left: PackedText, right: PackedText) -> Bool { left.utf8 == right.utf8 }
  func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}
