// SPDX-License-Identifier: MIT

/// The number under which `EntryTable` holds an entry. It stays the same as long as the entry is in the queue.
typealias Slot = UInt32

/// Holds the entries themselves, in no particular order, each in a slot that can be found by its identity. It also gives out the
/// identities.
///
/// The list and the play order are sequences of slots, so moving an entry in either does not move it in the table.
struct EntryTable: Sendable {
  /// The highest identity that is accepted. No real queue gets there, and counting on from it cannot overflow.
  static let highestID = UInt64(1) << 62
  /// When this many entries that were added one by one have a text block each, their texts are packed into shared blocks, which take less memory.
  private static let loose = 32

  /// The number of the identity that was given out last; 0 if none was.
  private(set) var lastID: UInt64 = 0
  private var rows: [Entry?] = []
  private var slots: [EntryID: Slot] = [:]
  private var free: [Slot] = []
  private var singles: [Slot] = []

  /// The entry in a slot. Traps if the slot is free.
  subscript(slot: Slot) -> Entry {
    guard let entry = rows[Int(slot)] else { preconditionFailure("slot \(slot) is free") }
    return entry
  }

  /// The number of slots that the table has, free ones too. Every slot is below it.
  var capacity: Int { rows.count }

  /// The slot of an entry, if it is in the queue.
  func slot(of id: EntryID) -> Slot? { slots[id] }

  /// Adds an entry with a new identity for each of these sources. Returns their slots.
  mutating func add(_ sources: [EntrySource]) -> [Slot] {
    let texts = PackedText.packing(sources.lazy.map(\.location.utf8))
    return insert(zip(sources, texts).map { Entry(id: nextID(), text: $1, source: $0) })
  }

  /// Adds entries that have identities, and returns their slots. Traps if an entry is in the table already.
  mutating func insert(_ entries: [Entry]) -> [Slot] {
    if entries.count > 1 {
      rows.reserve(forNewcomers: entries.count - free.count)
      slots.reserveCapacity(slots.count + entries.count)
    }
    let new = entries.map { insert($0) }
    if let single = new.first, new.count == 1 { packLater(single) }
    return new
  }

  /// Adds entries that were stored, and returns their slots. An entry gets a new identity if its own is above `highestID`, or is
  /// that of an earlier one of these entries. `lastID` is the last one that the stored queue had given out.
  mutating func restore(_ entries: [Entry], lastID: UInt64) -> [Slot] {
    self.lastID = lastID
    var seen = Set<EntryID>()
    return insert(
      entries.map { entry in
        if entry.id.rawValue <= Self.highestID, seen.insert(entry.id).inserted { return entry }
        return Entry(id: nextID(), text: entry.text, source: entry.source, isMissing: entry.isMissing)
      })
  }

  /// Removes the entry in a slot. Traps if the slot is free.
  mutating func remove(_ slot: Slot) {
    slots[self[slot].id] = nil
    rows[Int(slot)] = nil
    free.append(slot)
  }

  /// Removes all entries and frees their memory.
  mutating func removeAll() {
    let lastID = lastID
    self = EntryTable()
    self.lastID = lastID
  }

  /// Makes sure that entries that are added from now on get higher identities than this one.
  mutating func skipIdentities(through id: EntryID) { lastID = max(lastID, id.rawValue) }

  /// Notes whether the file of an entry is missing.
  mutating func setMissing(_ isMissing: Bool, in slot: Slot) { rows[Int(slot)]?.isMissing = isMissing }

  /// The texts of all entries, in no particular order.
  var texts: some Sequence<PackedText> { rows.lazy.compactMap { $0?.text } }

  /// Gives the entries with one of these texts another one, and notes that their files are there. Returns their identities in ascending order.
  mutating func exchange(_ texts: [PackedText: PackedText]) -> [EntryID] {
    var exchanged: [EntryID] = []
    for row in rows.indices {
      guard let entry = rows[row], let text = texts[entry.text] else { continue }
      rows[row]?.text = text
      rows[row]?.isMissing = false
      exchanged.append(entry.id)
    }
    return exchanged.sorted()
  }

  private mutating func nextID() -> EntryID {
    lastID += 1
    return EntryID(rawValue: lastID)
  }

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
    let packed = PackedText.packing(present.map { self[$0].text.utf8 })
    for (slot, text) in zip(present, packed) { rows[Int(slot)]?.text = text }
    singles.removeAll(keepingCapacity: true)
  }
}

/// A text that is part of a block of bytes, which it shares with its neighbours.
///
/// This saves memory: a `String` of 60 bytes takes an allocation of 112, but nearly every byte of a block is text. A block lives
/// as long as one of its texts is used. Blocks are small, so a single remaining text does not keep much memory in use.
struct PackedText: Sendable, Hashable {
  /// The largest size of a shared block, in bytes. A longer text has a block to itself.
  private static let blockSize = 4_096

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

  /// Packs these UTF-8 texts into shared blocks. Returns one packed text for each, in the same order.
  static func packing(_ texts: some Collection<some Collection<UInt8>>) -> [PackedText] {
    var packed: [PackedText] = []
    packed.reserveCapacity(texts.count)
    var (filling, lengths): ([UInt8], [Int]) = ([], [])
    func seal() {
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
    for text in texts {
      if !filling.isEmpty, filling.count + text.count > blockSize { seal() }
      filling.append(contentsOf: text)
      lengths.append(text.count)
    }
    seal()
    return packed
  }

  static func == (left: PackedText, right: PackedText) -> Bool { left.utf8 == right.utf8 }
  func hash(into hasher: inout Hasher) { utf8.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Array {
  /// Makes room for this many more elements. The capacity grows by at least a quarter: arrays by themselves double it, which
  /// leaves up to half of it unused.
  mutating func reserve(forNewcomers newcomers: Int) {
    guard count + newcomers > capacity else { return }
    reserveCapacity(Swift.max(count + newcomers, count + count / 4))
  }
}
