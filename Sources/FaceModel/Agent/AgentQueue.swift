// SPDX-License-Identifier: MIT
package import BusModel
package import LibraryQuery
package import MediaModel
package import PlaybackLogic

/// `org.fermata.Queue1`: the list of entries to play.
package enum AgentQueue {
  private static let name: InterfaceName = "org.fermata.Queue1"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions,
    signals: [queueChanged.description, queueReplaced.description, itemsChanged.description],
    properties: properties.descriptions)

  // MARK: Methods

  /// A call of one of this D-Bus interface's methods, once its arguments are read and checked.
  package enum Call: Sendable, Hashable {
    /// Answer with at most `count` rows, beginning with row `from`, counted from 1.
    case list(from: Int, count: Int)
    /// Answer with the same rows as `list`, without waiting for tags that are not read yet.
    case rows(from: Int, count: Int)
    /// Answer with the entries that play next, at most this many.
    case upcoming(Int)
    /// Answer with what is known of these entries, such as their tags.
    case items([EntryID])
    /// Answer with the URI of an entry's picture, made to fit into a square of `size` pixels; nil for the picture in its own size.
    case art(EntryID, size: Int?)
    /// Play this entry.
    case jump(EntryID)
    /// Replace the whole queue by these sources, and play.
    case play([MediaSource], PlayOptions)
    /// Write the queue into a file, in the format that its name says. An existing file is kept unless `replacing` is set.
    case save(FilePath, replacing: Bool)
    /// Add these sources at the end of a playlist file, or the current entry if that is nil. The file is made if there is none.
    case addToFile(FilePath, [MediaSource]?)
    case order(QueueOrder)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentQueue.description.name }

    case list = "List"
    case upcoming = "Upcoming"
    case rows = "Rows"
    case items = "Items"
    case art = "Art"
    case append = "Append"
    case addNext = "AddNext"
    case insert = "Insert"
    case play = "Play"
    case jump = "Jump"
    case remove = "Remove"
    case move = "Move"
    case sort = "Sort"
    case clear = "Clear"
    case crop = "Crop"
    case shuffleList = "ShuffleList"
    case shuffleNow = "ShuffleNow"
    case undo = "Undo"
    case redo = "Redo"
    case save = "Save"
    case addToFile = "AddToFile"
    case addCurrentToFile = "AddCurrentToFile"

    package var row: MethodRow<Call> {
      switch self {
      case .list:
        .init("First", "Count", out: ["Items": "aa{sv}", "Length": "u", "Current": "u"]) {
          (first: Row, count: UInt32) in .list(from: first.number, count: Int(count))
        }
      // As `List`, but in the order in which the entries will play; `Rows` has their rows in the list.
      case .upcoming:
        .init("Count", out: ["Items": "aa{sv}", "Length": "u", "Current": "u", "Rows": "au"]) {
          (count: UInt32) in .upcoming(min(Int(count), largestPage))
        }
      case .rows:
        .init(
          "First", "Count",
          out: ["Entries": "at", "Locations": "as", "Items": "aa{sv}", "Length": "u", "Current": "u"]
        ) { (first: Row, count: UInt32) in .rows(from: first.number, count: Int(count)) }
      case .items: .init("Entries", out: ["Items": "aa{sv}"]) { .items($0) }
      // A size of 0 asks for the picture in its own size. With another size, a picture is drawn if there is none.
      case .art:
        .init("Entry", "Size", out: ["Uri": "s"]) { (entry: EntryID, size: UInt32) in
          .art(entry, size: size == 0 ? nil : min(Int(size), Int(AgentPlayer.largestArt)))
        }
      case .append: .init("Sources", out: ["Entries": "at", "LeftOut": "as"]) { .order(.append($0)) }
      case .addNext: .init("Sources", out: ["Entries": "at", "LeftOut": "as"]) { .order(.addNext($0)) }
      case .insert:
        .init("Sources", "Row", out: ["Entries": "at", "LeftOut": "as"]) {
          (sources: [MediaSource], row: Row) in .order(.insert(sources, at: row.number))
        }
      case .play:
        .init("Sources", "Options", out: ["Entries": "at", "Waiting": "s", "LeftOut": "as"]) {
          .play($0, $1)
        }
      case .jump: .init("Entry", out: ["Waiting": "s"]) { .jump($0) }
      case .remove: .init("Entries", out: ["Removed": "at"]) { .order(.remove($0)) }
      case .move:
        .init("Entry", "Count", "Row", out: ["Moved": "at"]) { (entry: EntryID, count: UInt32, row: Row) in
          .order(.move(entry, count: Int(count), to: row.number))
        }
      // The keys are words such as `artist` and `-year`. Without entries the whole queue is sorted. The answer has three numbers: how many rows were
      // sorted, how many of them have another entry now, and how many entries come last because nothing is known of them.
      case .sort:
        .init("Keys", "Entries", out: ["Rows": "u", "Moved": "u", "Unread": "u"]) {
          (sort: TrackSort, entries: [EntryID]) in .order(.sort(sort, entries))
        }
      case .clear: .init(out: ["Removed": "u"]) { .order(.clear) }
      case .crop: .init(out: ["Removed": "at"]) { .order(.crop) }
      case .shuffleList: .init("Mode") { .order(.shuffle($0)) }
      case .shuffleNow: .init { .order(.shuffleNow) }
      // Both answer how many entries the edit that is undone or redone added, removed and moved, and the order that it sorted by, if it sorted.
      case .undo:
        .init(out: ["Added": "u", "Removed": "u", "Moved": "u", "Order": "s"]) { .order(.undo) }
      case .redo:
        .init(out: ["Added": "u", "Removed": "u", "Moved": "u", "Order": "s"]) { .order(.redo) }
      case .save:
        .init("Uri", "Options") { (file: FilePath, options: SaveOptions) in
          .save(file, replacing: options.isReplacing)
        }
      case .addToFile:
        .init("Uri", "Sources", out: ["Added": "u", "LeftOut": "as"]) {
          (file: FilePath, sources: [MediaSource]) in .addToFile(file, sources)
        }
      case .addCurrentToFile: .init("Uri") { .addToFile($0, nil) }
      }
    }
  }

  /// How many rows one answer holds at most. Clients have to ask for a longer list in parts.
  package static let largestPage = 500

  /// The positions, counted from 0, of the rows that `List` asks for in a queue of this length. Rows that do not exist are left out.
  package static func positions(
    from row: Int, count: Int, of length: Int, atMost most: Int = largestPage
  ) -> Range<Int> {
    let start = min(row - 1, length)
    return start..<min(length, start + min(count, most))
  }

  /// The answer to an edit: the entries that were edited.
  package static func reply(_ entries: [EntryID]) -> WireValue { entries.argument.wireValue }

  /// The answer to `Sort`.
  package static func reply(_ outcome: SortOutcome) -> [WireValue] {
    .arguments(
      UInt32(clamping: outcome.rows), UInt32(clamping: outcome.moved), UInt32(clamping: outcome.unread))
  }

  /// Reads the answer to `Sort`. Throws if its values are not of these types.
  package static func sorted(reply: [WireValue]) throws(BusError) -> SortOutcome {
    let (rows, moved, unread) = try reply.decoded(as: UInt32.self, UInt32.self, UInt32.self)
    return SortOutcome(rows: Int(rows), moved: Int(moved), unread: Int(unread))
  }

  /// The answer to `Undo` and `Redo`: how many entries the edit had added, removed and moved, and the order that it had sorted by.
  package static func reply(_ counts: EditCounts) -> [WireValue] {
    .arguments(
      UInt32(clamping: counts.added), UInt32(clamping: counts.removed), UInt32(clamping: counts.moved),
      WireText.clean(counts.order))
  }

  /// Reads the answer to `Undo` or `Redo`. Throws if its values are not of these types.
  package static func counts(reply: [WireValue]) throws(BusError) -> EditCounts {
    let (added, removed, moved, order) = try reply.decoded(
      as: UInt32.self, UInt32.self, UInt32.self, String.self)
    return EditCounts(added: Int(added), removed: Int(removed), moved: Int(moved), order: order)
  }

  // MARK: Properties

  package static let properties = FaceProperties<PlayerFace>(
    of: name,
    [
      .init("Length", changes: .silently) { UInt32(clamping: $0.queueLength) },
      .init("Current") { UInt32(clamping: ($0.queueIndex ?? -1) + 1) },
      .init("CurrentEntry") { $0.entry?.rawValue ?? 0 },
      .init("NotStored") { WireText.clean($0.notStored ?? "") },
    ])

  // MARK: Signals

  static let queueChanged = SignalRow<[RowRun], [RowRun], [RowMove], UInt32>(
    "QueueChanged", "Added", "Removed", "Moved", "Length")
  static let queueReplaced = SignalRow<UInt32>("QueueReplaced", "Length")
  static let itemsChanged = SignalRow<[Fields]>("ItemsChanged", "Items")

  /// The signal that the known facts about these items have changed.
  package static func changed(_ items: [ItemFace]) -> (MemberName, [WireValue]) {
    itemsChanged(items.map { $0.fields(inList: true) })
  }
}

// The calls that a client makes.
extension AgentCall {
  /// The call that asks for an edit of the queue. Traps if a source or file has a relative path.
  package init(_ order: QueueOrder) {
    switch order {
    case .append(let sources): self.init(AgentQueue.Method.append, sources)
    case .addNext(let sources): self.init(AgentQueue.Method.addNext, sources)
    case .insert(let sources, let row): self.init(AgentQueue.Method.insert, sources, Row(number: row))
    case .remove(let entries): self.init(AgentQueue.Method.remove, entries)
    case .move(let entry, let count, let row):
      self.init(AgentQueue.Method.move, entry, UInt32(clamping: count), Row(number: row))
    case .sort(let sort, let entries): self.init(AgentQueue.Method.sort, sort, entries)
    case .clear: self.init(AgentQueue.Method.clear)
    case .crop: self.init(AgentQueue.Method.crop)
    case .shuffle(let choice): self.init(AgentQueue.Method.shuffleList, choice)
    case .shuffleNow: self.init(AgentQueue.Method.shuffleNow)
    case .undo: self.init(AgentQueue.Method.undo)
    case .redo: self.init(AgentQueue.Method.redo)
    }
  }

  /// The call that replaces the whole queue by these sources, and plays. Traps if a source has a relative path.
  package static func play(_ sources: [MediaSource], _ options: PlayOptions) -> AgentCall {
    AgentCall(AgentQueue.Method.play, sources, options)
  }

  /// The call that writes the queue into a file, in the format that its name says. An existing file is kept unless `replacing` is set. Traps if the path is
  /// relative.
  package static func save(_ file: FilePath, replacing: Bool = false) -> AgentCall {
    AgentCall(AgentQueue.Method.save, file, SaveOptions(isReplacing: replacing))
  }

  /// The call that adds the current entry at the end of a playlist file. Traps if the path is relative.
  package static func addCurrent(toFile file: FilePath) -> AgentCall {
    AgentCall(AgentQueue.Method.addCurrentToFile, file)
  }

  /// The call that adds sources at the end of a playlist file. Traps if a path is relative.
  package static func add(_ sources: [MediaSource], toFile file: FilePath) -> AgentCall {
    AgentCall(AgentQueue.Method.addToFile, file, sources)
  }

  /// Asks why a crash would lose the queue. The answer is empty if the queue is stored.
  package static let notStored = AgentCall("Get", "NotStored", of: AgentQueue.description)

  /// Asks for `count` rows of the queue, beginning with `row`, which counts from 1.
  package static func list(from row: Int, count: Int) -> AgentCall {
    AgentCall(AgentQueue.Method.list, Row(number: row), UInt32(clamping: count))
  }

  /// Asks for the entries that play next, at most `count` of them.
  package static func upcoming(_ count: Int) -> AgentCall {
    AgentCall(AgentQueue.Method.upcoming, UInt32(clamping: count))
  }

  /// Asks for `count` rows of the queue, beginning with `row`, which counts from 1. The answer does not wait for tags that are not read yet.
  package static func rows(from row: Int, count: Int) -> AgentCall {
    AgentCall(AgentQueue.Method.rows, Row(number: row), UInt32(clamping: count))
  }

  /// Asks for the URI of an entry's picture.
  package static func art(of entry: EntryID, size: Int?) -> AgentCall {
    AgentCall(AgentQueue.Method.art, entry, UInt32(clamping: size ?? 0))
  }

  /// Asks for the metadata of these entries.
  package static func items(_ entries: [EntryID]) -> AgentCall { AgentCall(AgentQueue.Method.items, entries) }
}

/// An edit of the queue. Rows count from 1, as on the command line. Whoever carries the order
/// out has to check that its rows and entries exist: the queue may have changed in the meantime.
package enum QueueOrder: Sendable, Hashable {
  /// Add these sources at the end.
  case append([MediaSource])
  /// Add these sources after the current entry and after those that were added in this way before.
  case addNext([MediaSource])
  /// Add these sources so that the first of them gets this row; at the end if the queue is shorter.
  case insert([MediaSource], at: Int)
  /// Remove these entries.
  case remove([EntryID])
  /// Move `count` rows together, beginning with this entry, so that the first of them gets row `to`.
  case move(EntryID, count: Int, to: Int)
  /// Sort these entries among the rows that they are in, or the whole queue if there are none.
  case sort(TrackSort, [EntryID])
  /// Remove all entries and stop.
  case clear
  /// Remove all entries but the current one.
  case crop
  /// Shuffle the present list by songs or by albums, or not, or as the settings say, until another list replaces it.
  case shuffle(ModeChoice<ShuffleMode>)
  /// Put the rows into a random order, once.
  case shuffleNow
  /// Undo the last edit of the queue.
  case undo
  /// Redo the edit that was undone last.
  case redo
}

/// The outcome of sorting the queue.
package struct SortOutcome: Sendable, Hashable {
  /// How many rows were sorted.
  package var rows: Int
  /// How many of the sorted rows have another entry than before.
  package var moved: Int
  /// How many entries come last, in the order of their paths, because nothing is known of them: they are not read yet, or can't be.
  package var unread: Int

  package init(rows: Int, moved: Int, unread: Int) {
    (self.rows, self.moved, self.unread) = (rows, moved, unread)
  }
}

/// How the sources of a `play` order are to be played.
package struct PlayOptions: Sendable, Hashable, BusArgument {
  /// Begin with a random entry.
  package var isRandom: Bool
  /// How to shuffle this list, and no later one. If nil, the shuffle mode that was chosen before stays.
  package var shuffle: ModeChoice<ShuffleMode>?
  /// Add the sources directly after the current entry, before those that `addNext` added, instead of replacing the queue, and play the first of them.
  package var joins: Bool
  /// Replace the queue and stop, instead of playing.
  package var isStopped: Bool
  /// Whether the sources start at their beginning and not at the place where they were left.
  package var fromBeginning: Bool

  /// By default, plays from the first entry on and keeps the shuffle mode that was chosen before.
  package init(
    isRandom: Bool = false, shuffle: ModeChoice<ShuffleMode>? = nil, joins: Bool = false,
    isStopped: Bool = false, fromBeginning: Bool = false
  ) {
    self.joins = joins
    self.isStopped = isStopped
    self.fromBeginning = fromBeginning
    self.isRandom = isRandom
    self.shuffle = shuffle
  }

  /// The options that differ from their defaults, as a message carries them.
  package var argument: [String: WireValue] {
    var options: [String: WireValue] = [:]
    if isRandom { options["random"] = .boolean(true) }
    if joins { options["join"] = .boolean(true) }
    if isStopped { options["stop"] = .boolean(true) }
    if fromBeginning { options["resume"] = .boolean(false) }
    options["shuffle"] = shuffle?.text.wireValue
    return options
  }

  package static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var options = Options(argument)
    let read = Self(
      isRandom: try options.remove("random") ?? false, shuffle: try options.remove("shuffle"),
      joins: try options.remove("join") ?? false, isStopped: try options.remove("stop") ?? false,
      fromBeginning: !(try options.remove("resume") ?? true))
    try options.checkForOthers(taken: "join, random, resume, shuffle and stop")
    // What is added to a queue leaves the rest of it, and its order, as they are.
    guard !read.joins || !read.isStopped && !read.isRandom && read.shuffle == nil else {
      throw .invalidArguments("join goes with none of random, shuffle and stop; leave them out, or join")
    }
    return read
  }
}

/// The options of the method `Save`, which writes the queue into a file.
struct SaveOptions: BusArgument {
  /// Whether an existing file is overwritten; otherwise the call is refused.
  var isReplacing: Bool

  var argument: [String: WireValue] { isReplacing ? ["replace": .boolean(true)] : [:] }

  static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var options = Options(argument)
    let read = Self(isReplacing: try options.remove("replace") ?? false)
    try options.checkForOthers(taken: "replace")
    return read
  }
}

/// Some rows of the queue, and the length of the whole queue: the answer to `List`.
package struct QueuePage: Sendable, Hashable {
  package var items: [ItemFace]
  package var length: Int
  /// The row of the current entry, counted from 1; nil if there is none.
  package var current: Int?

  package init(items: [ItemFace], length: Int, current: Int?) {
    self.items = items
    self.length = length
    self.current = current
  }

  /// Reads a page from an answer. Rows that cannot be read are left out.
  package init(reply: [WireValue]) throws(BusError) {
    let (items, length, current) = try reply.decoded(as: [Fields].self, UInt32.self, UInt32.self)
    self.init(
      items: items.compactMap { ItemFace(wire: $0.wireValue) }, length: Int(length),
      current: current == 0 ? nil : Int(current))
  }

  /// Reads the answer to `Upcoming`: a page of entries, and the rows in the list of all that were asked for, which need not be consecutive. The page
  /// ends early if it would become too long.
  package static func upcoming(reply: [WireValue]) throws(BusError) -> (page: QueuePage, rows: [Int]) {
    let (items, length, current, rows) = try reply.decoded(
      as: [Fields].self, UInt32.self, UInt32.self, [UInt32].self)
    guard items.count <= rows.count else {
      throw .invalidArguments("\(rows.count) rows for \(items.count) items")
    }
    return (try QueuePage(reply: .arguments(items, length, current)), rows.map(Int.init))
  }

  /// The answer to `List`. It ends early if it would become too long.
  package var reply: [WireValue] {
    var room = PageRoom()
    return .arguments(
      items.prefix { room.take($0.cost) }.map { $0.fields(inList: true) }, UInt32(clamping: length),
      UInt32(clamping: current ?? 0))
  }
}
