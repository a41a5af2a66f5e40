// SPDX-License-Identifier: MIT
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("Our own interfaces: calls")
struct AgentCallTests {
  private let interfaces = Dictionary(uniqueKeysWithValues: AgentDescriptions.all.map { ($0.name, $0) })

  private func isDescribed(_ call: AgentCall) -> Bool {
    interfaces[call.interface]?.method(call.member)?.inputs.map(\.type) == call.arguments.map(\.type)
  }

  @Test(
    "an order of the player arrives as it was given",
    arguments: [
      .play, .pause, .toggle, .stop, .stopAfterCurrent, .next, .previous, .seek(.milliseconds(-30_500)),
      .seekTo(.seconds(61)),
      .seekToPart(0.5),
      .beginSeek(.forward), .beginSeek(.backward), .holdSeek(.forward), .endSeek, .jumpAnywhere,
    ] as [PlayerOrder])
  func player(order: PlayerOrder) throws {
    let call = AgentCall(order)
    #expect(isDescribed(call))
    #expect(try AgentPlayer.Method.read(call.member, call.arguments) == .order(order))
  }

  @Test("a play that joins the queue takes no option that means the whole queue; the answer names them")
  func contradiction() throws {
    for other in ["random", "shuffle", "stop"] {
      let value: WireValue = other == "shuffle" ? .string("songs") : .boolean(true)
      let options: [String: WireValue] = ["join": .boolean(true), other: value]
      let error = #expect(throws: BusError.self) {
        try AgentQueue.Method.read("Play", .arguments(["file:///a.mp3"], options))
      }
      #expect(error?.name == .invalidArgs && error?.message.contains(other) == true)
    }
  }

  @Test("a jump is asked of the queue")
  func jump() throws {
    let call = AgentCall(.jump(to: EntryID(rawValue: 7)))
    #expect(isDescribed(call))
    #expect(
      try AgentQueue.Method.read(call.member, call.arguments) == .jump(EntryID(rawValue: 7)))
  }

  private static let sources: [MediaSource] = [
    .file("/Björk/50%.mp3"), .item(MediaItem.ID(rawValue: 12)), .playlist("AC/DC: 50%"),
    // A slash and a byte: no NUL, so there is such a path.
    .file(FilePath([47, 255])!),
  ]

  @Test(
    "an edit arrives as it was given",
    arguments: [
      .append(sources), .addNext([]), .insert(sources, at: 3),
      .remove([EntryID(rawValue: 1), EntryID(rawValue: .max)]), .move(EntryID(rawValue: 4), count: 2, to: 1),
      .clear, .crop, .shuffle(.chosen(.albums)), .shuffle(.default), .undo, .redo,
    ] as [QueueOrder])
  func queue(order: QueueOrder) throws {
    let call = AgentCall(order)
    #expect(isDescribed(call))
    #expect(try AgentQueue.Method.read(call.member, call.arguments) == .order(order))
  }

  @Test("a list to play, and a file to write, arrive as they were given")
  func playingAndSaving() throws {
    let options = [
      PlayOptions(), PlayOptions(isRandom: true, shuffle: .chosen(.albums)), PlayOptions(shuffle: .default),
    ]
    for options in options {
      let call = AgentCall.play(Self.sources, options)
      #expect(isDescribed(call))
      #expect(try AgentQueue.Method.read(call.member, call.arguments) == .play(Self.sources, options))
    }
    for replacing in [false, true] {
      let call = AgentCall.save("/tmp/a b.m3u8", replacing: replacing)
      #expect(isDescribed(call))
      let read = try AgentQueue.Method.read(call.member, call.arguments)
      #expect(read == .save("/tmp/a b.m3u8", replacing: replacing))
    }
  }

  @Test("questions are as described")
  func questions() {
    let calls: [AgentCall] = [
      .status, .list(from: 1, count: 10), .upcoming(3), .items([EntryID(rawValue: 1)]), .art(nil, size: 3),
      .quit, .readSettings,
      .toggleMute, .outputs, .set(output: "hdmi"),
    ]
    for call in calls {
      #expect(isDescribed(call), "\(call.member)")
    }
  }

  @Test("a smart playlist is asked for as it was given")
  func playlists() throws {
    let options = SmartOptions("year > 1990", sort: ["-year", "title"], limit: 9, replaces: true)
    for (call, expected) in [
      (.smartPlaylists, .list), (.save(smart: "Ä", options), .save("Ä", options)),
      (.save(smart: "b", SmartOptions("rating > 3")), .save("b", SmartOptions("rating > 3"))),
      (.delete(smart: "b"), .delete("b")),
      (.items(ofPlaylist: "b", from: 7), .items("b", from: 7, count: 500)),
    ] as [(AgentCall, AgentPlaylists.Call)] {
      #expect(isDescribed(call))
      #expect(try AgentPlaylists.Method.read(call.member, call.arguments) == expected)
    }
    for options: [String: WireValue] in [
      ["limit": .uint32(0)], ["color": .uint32(1)], ["sort": .string("x")],
    ] {
      #expect(throws: BusError.self) {
        try AgentPlaylists.Method.read("Save", .arguments("a", "rating > 3", options))
      }
    }
  }

  @Test("a mode and the volume are set as properties that can be set")
  func sets() throws {
    for call in [
      AgentCall.set(volume: 0.5), .set(muted: true), .set(repeat: .default), .set(shuffle: .chosen(.songs)),
    ] {
      let (interface, name, value) = try call.arguments.decoded(as: String.self, String.self, WireValue.self)
      #expect(interface == AgentDescriptions.player.name.text)
      #expect(throws: Never.self) {
        try AgentPlayer.properties.order(setting: MemberName(unchecked: name), to: value, in: PlayerFace())
      }
    }
  }

  @Test("what an edit did has travelled as it was")
  func counts() throws {
    let counts = EditCounts(added: 3, removed: 12, moved: 1)
    let reply = AgentQueue.reply(counts)
    for method in ["Undo", "Redo"] as [MemberName] {
      #expect(AgentDescriptions.queue.method(method)?.outputs.map(\.type) == reply.map(\.type))
    }
    #expect(try AgentQueue.counts(reply: reply) == counts)
  }

  @Test("how much louder arrives as it was given, all of it at most, and no number is refused")
  func volumeChange() throws {
    for (given, taken) in [(0.05, 0.05), (-0.05, -0.05), (7, 1), (-7, -1)] as [(Double, Double)] {
      let call = AgentCall.change(volumeBy: given)
      #expect(isDescribed(call))
      #expect(try AgentPlayer.Method.read(call.member, call.arguments) == .changeVolume(by: taken))
    }
    #expect(throws: BusError.self) { try AgentPlayer.Method.read("ChangeVolume", [.double(.nan)]) }
  }

  @Test(
    "what cannot be meant is refused",
    arguments: [
      ("Append", [["/a.mp3"].wireValue]), ("Append", [["item:x"].wireValue]),
      ("Append", [["item:"].wireValue]),
      ("Append", [.string("file:///a")]), ("Insert", [["file:///a"].wireValue, .uint32(0)]),
      ("Move", [.uint64(1), .uint32(1), .uint32(0)]), ("Save", [.string("a.m3u"), .properties([])]),
      ("Save", [.string("file:///a.m3u")]),
      ("Save", [.string("file:///a.m3u"), .properties([("force", .boolean(true))])]),
      ("Save", [.string("file:///a.m3u"), .properties([("replace", .int32(1))])]),
      ("Play", [[String]().wireValue, .properties([("loud", .boolean(true))])]),
      ("Play", [[String]().wireValue, .properties([("random", .int32(1))])]),
      ("Play", [[String]().wireValue, .properties([("shuffle", .string("some"))])]), ("Jump", []),
    ] as [(MemberName, [WireValue])])
  func refused(method: MemberName, arguments: [WireValue]) {
    let error = #expect(throws: BusError.self) { try AgentQueue.Method.read(method, arguments) }
    #expect(error?.name == .invalidArgs)
  }

  @Test(
    "a page lies within the queue, however it is asked for",
    arguments: [
      (1, 10, 0..<10), (5, 2, 4..<6), (1, UInt32.max, 0..<500), (995, 10, 994..<1000), (1001, 5, 1000..<1000),
      (.max, .max, 1000..<1000), (1, 0, 0..<0),
    ] as [(UInt32, UInt32, Range<Int>)])
  func page(first: UInt32, count: UInt32, rows: Range<Int>) throws {
    let call = try AgentQueue.Method.read("List", .arguments(first, count))
    guard case .list(let row, let count) = call else {
      Issue.record("\(call) is no list")
      return
    }
    #expect(AgentQueue.positions(from: row, count: count, of: 1000) == rows)
    #expect(throws: BusError.self) { try AgentQueue.Method.read("List", .arguments(UInt32(0), UInt32(9))) }
  }

  @Test("what comes next has travelled as it was, and has a limit")
  func upcoming() throws {
    var item = MediaItem(location: .file("/a.mp3"))
    item.tags.title = "a"
    let page = QueuePage(items: [ItemFace(item, entry: EntryID(rawValue: 1))], length: 7, current: 3)
    let reply = page.reply + .arguments([UInt32(6)])
    #expect(reply.map(\.type) == AgentDescriptions.queue.method("Upcoming")?.outputs.map(\.type))
    let (found, rows) = try QueuePage.upcoming(reply: reply)
    #expect(found == page && rows == [6])
    #expect(try QueuePage.upcoming(reply: page.reply + .arguments([UInt32(6), 2])).rows == [6, 2])
    #expect(throws: BusError.self) { try QueuePage.upcoming(reply: page.reply + .arguments([UInt32]())) }
    #expect(try AgentQueue.Method.read("Upcoming", [.uint32(.max)]) == .upcoming(AgentQueue.largestPage))
  }

  @Test("a page that has travelled is the same, and small questions get small answers")
  func pageTravels() throws {
    var item = Faces.fullItem
    (item.artwork, item.tags.lyrics) = (nil, nil)
    let page = QueuePage(
      items: [ItemFace(item, entry: EntryID(rawValue: 1), isCurrent: true)], length: 7, current: 3)
    #expect(page.reply.map(\.type) == AgentDescriptions.queue.method("List")?.outputs.map(\.type))
    #expect(try QueuePage(reply: page.reply) == page)
    let empty = QueuePage(items: [], length: 0, current: nil)
    #expect(try QueuePage(reply: empty.reply) == empty)
  }

  @Test("no page of rows is larger than a message should be, whatever the files say of themselves")
  func pageSize() throws {
    var loud = MediaItem(location: .file("/music/loud.flac"))
    loud.tags.title = String(repeating: "ä", count: 1 << 16)
    loud.tags.genre = Array(repeating: String(repeating: "x", count: 1 << 16), count: 300)
    loud.tags.comment = String(repeating: "𝄞", count: 1 << 16)
    let location = "/" + String(repeating: "a", count: 4_000)
    for (item, location, least) in [
      (nil, "/music/quiet.flac", 2_000), (nil, location, 100), (loud, "/l", 10),
    ] {
      var page = RowsPage(length: 50_000, current: 7)
      let entries = (1...3_000).map { EntryID(rawValue: $0) }
      for entry in entries {
        if !page.append(entry, at: location, item.map { ItemFace($0, entry: entry) }) { break }
      }
      #expect(page.entries.count >= least && page.entries.count <= RowsPage.largest)
      #expect(page.reply.map(Self.textBytes).reduce(0, +) < 1 << 20)
      let read = try RowsPage(reply: page.reply)
      #expect(
        read.items.map(\.entry) == page.entries.map { $0 } && read.length == 50_000 && read.current == 7)
    }
    let faces = (1...500).map { ItemFace(loud, entry: EntryID(rawValue: $0)) }
    let reply = QueuePage(items: faces, length: 500, current: nil).reply
    #expect(reply.map(Self.textBytes).reduce(0, +) < 1 << 20)
    #expect(try QueuePage(reply: reply).items.count >= 10)
  }

  private static func textBytes(_ value: WireValue) -> Int {
    switch value {
    case .string(let text): text.utf8.count + 5
    case .array(_, let values), .structure(let values): values.map(textBytes).reduce(0, +)
    case .dictionary(_, _, let entries): entries.reduce(0) { $0 + textBytes($1.key) + textBytes($1.value) }
    case .variant(let inner): textBytes(inner) + 4
    default: 8
    }
  }
}
