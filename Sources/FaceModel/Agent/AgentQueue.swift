// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// `org.fermata.Queue1`: the properties that the agent shows, and the calls that it takes.
package enum AgentQueue {
  /// How many rows one answer holds at most. Clients have to ask for a longer list in parts.
  package static let largestPage = 500

  /// Every property, in the interface's order.
  package static func properties(of face: PlayerFace) -> [(MemberName, WireValue)] { table.values(of: face) }

  /// One property; nil for a name that the interface does not have.
  package static func property(_ name: MemberName, of face: PlayerFace) -> WireValue? {
    table.value(of: name, face)
  }

  /// The properties that `PropertiesChanged` has to report, with their new values.
  package static func changes(from old: PlayerFace, to new: PlayerFace) -> [(MemberName, WireValue)] {
    table.changes(from: old, to: new)
  }

  /// The positions, counted from 0, of the rows that `List` asks for in a queue of
  /// this length. Rows that do not exist are left out.
  package static func rows(asked arguments: [WireValue], of length: Int) throws(BusError) -> Range<Int> {
    let (first, count) = try arguments.decoded(as: UInt32.self, UInt32.self)
    guard first > 0 else { throw rowZero }
    let start = min(Int(first) - 1, length)
    return start..<min(length, start + min(Int(count), largestPage))
  }

  /// The entries that `Items` asks for, at most `largestPage` of them.
  package static func entries(asked arguments: [WireValue]) throws(BusError) -> [EntryID] {
    Array(try entries(arguments).prefix(largestPage))
  }

  /// The answer to an edit: the entries that were edited.
  package static func reply(_ entries: [EntryID]) -> WireValue { entries.map(\.rawValue).wireValue }

  /// The answer to `Undo` and `Redo`: how many entries the edit had added, removed and moved.
  package static func reply(_ counts: EditCounts) -> [WireValue] {
    .arguments(
      UInt32(clamping: counts.added), UInt32(clamping: counts.removed), UInt32(clamping: counts.moved))
  }

  /// Reads such an answer.
  package static func counts(reply: [WireValue]) throws(BusError) -> EditCounts {
    let (added, removed, moved) = try reply.decoded(as: UInt32.self, UInt32.self, UInt32.self)
    return EditCounts(added: Int(added), removed: Int(removed), moved: Int(moved))
  }

  /// What a method asks for: an edit, or a jump. `List` and `Items` only ask questions and are unknown here.
  package static func order(call method: MemberName, _ arguments: [WireValue] = []) throws(BusError)
    -> FaceOrder
  {
    switch method {
    case "Append": return .queue(.append(try sources(arguments.decoded(as: [String].self))))
    case "AddNext": return .queue(.addNext(try sources(arguments.decoded(as: [String].self))))
    case "Insert": return .queue(try insertion(arguments))
    case "Play": return .queue(try playing(arguments))
    case "Jump": return .player(.jump(to: EntryID(rawValue: try arguments.decoded(as: UInt64.self))))
    case "Remove": return .queue(.remove(try entries(arguments)))
    case "Move": return .queue(try move(arguments))
    case "Clear": return .queue(.clear)
    case "ShuffleList": return .queue(.shuffle(try ModeChoice(text: arguments.decoded(as: String.self))))
    case "Undo": return .queue(.undo)
    case "Redo": return .queue(.redo)
    case "Save": return .queue(try saving(arguments))
    default: throw .unknownMethod(method, of: AgentDescriptions.queue.name.text)
    }
  }

  private static let rowZero = BusError.invalidArguments("rows count from 1")

  private static func entries(_ arguments: [WireValue]) throws(BusError) -> [EntryID] {
    try arguments.decoded(as: [UInt64].self).map(EntryID.init)
  }

  private static func sources(_ texts: [String]) throws(BusError) -> [MediaSource] {
    var sources: [MediaSource] = []
    sources.reserveCapacity(texts.count)
    for text in texts { sources.append(try MediaSource(text)) }
    return sources
  }

  private static func insertion(_ arguments: [WireValue]) throws(BusError) -> QueueOrder {
    let (texts, row) = try arguments.decoded(as: [String].self, UInt32.self)
    guard row > 0 else { throw rowZero }
    return .insert(try sources(texts), at: Int(row))
  }

  private static func move(_ arguments: [WireValue]) throws(BusError) -> QueueOrder {
    let (entry, count, row) = try arguments.decoded(as: UInt64.self, UInt32.self, UInt32.self)
    guard row > 0 else { throw rowZero }
    return .move(EntryID(rawValue: entry), count: Int(count), to: Int(row))
  }

  private static func playing(_ arguments: [WireValue]) throws(BusError) -> QueueOrder {
    let (texts, options) = try arguments.decoded(as: [String].self, [String: WireValue].self)
    return .play(try sources(texts), try PlayOptions(options))
  }

  private static func saving(_ arguments: [WireValue]) throws(BusError) -> QueueOrder {
    let (uri, options) = try arguments.decoded(as: String.self, [String: WireValue].self)
    if let unknown = options.keys.filter({ $0 != replaceOption }).min() {
      throw Asked.unknownOption(unknown, taken: replaceOption)
    }
    let replaces: Bool = try options[replaceOption].map(Asked.option(replaceOption)) ?? false
    return .save(try Asked.file(uri), replacing: replaces)
  }

  /// The option with which `Save` overwrites an existing file.
  static let replaceOption = "replace"

  private static let table: [FaceProperty] = [
    .silent("Length") { .uint32(UInt32(clamping: $0.queueLength)) },
    FaceProperty(name: "Current") { .uint32(UInt32(clamping: ($0.queueIndex ?? -1) + 1)) },
    FaceProperty(name: "CurrentEntry") { .uint64($0.entry?.rawValue ?? 0) },
    FaceProperty(name: "NotStored") { WireText.value($0.notStored ?? "") },
  ]
}

extension PlayOptions {
  /// Throws for an unknown option. The option is not ignored, because the caller relies on it.
  init(_ options: [String: WireValue]) throws(BusError) {
    self.init()
    for (name, value) in options.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "random": isRandom = try Asked.option(name)(value)
      case "shuffle": shuffle = try ModeChoice(text: Asked.option(name)(value))
      default: throw Asked.unknownOption(name, taken: "random and shuffle")
      }
    }
  }

  /// The options as a dictionary.
  var wireValue: WireValue {
    var fields = Fields()
    if isRandom { fields.add("random", true) }
    fields.add("shuffle", shuffle?.text)
    return fields.value
  }
}

/// An edit of the queue, or another order for it. Rows count from 1, as on the command line. Whoever carries the order
/// out has to check that its rows and entries exist: the queue may have changed in the meantime.
package enum QueueOrder: Sendable, Hashable {
  /// Add these at the end.
  case append([MediaSource])
  /// Add these behind the current entry and behind those that were added in this way before.
  case addNext([MediaSource])
  /// Add these so that the first of them gets this row; at the end if the queue is shorter.
  case insert([MediaSource], at: Int)
  /// Replace the whole queue by these, and play.
  case play([MediaSource], PlayOptions)
  /// Take these out.
  case remove([EntryID])
  /// Move `count` rows together, beginning with this entry, so that the first of them gets row `to`.
  case move(EntryID, count: Int, to: Int)
  /// Take everything out and stop.
  case clear
  /// Shuffle the present list in this way, until another list replaces it.
  case shuffle(ModeChoice<ShuffleMode>)
  /// Take the last edit back.
  case undo
  /// Do again what was taken back.
  case redo
  /// Write the queue into a file, in the format that its name says. An existing file is kept unless `replacing` is set.
  case save(FilePath, replacing: Bool = false)
}

/// How something is to be played.
package struct PlayOptions: Sendable, Hashable {
  /// Begin with a random entry.
  package var isRandom: Bool
  /// How to shuffle this list, and no later one. If nil, the shuffle mode that was chosen before stays.
  package var shuffle: ModeChoice<ShuffleMode>?

  /// By default, plays from the first entry on and keeps the shuffle mode that was chosen before.
  package init(isRandom: Bool = false, shuffle: ModeChoice<ShuffleMode>? = nil) {
    self.isRandom = isRandom
    self.shuffle = shuffle
  }
}

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
