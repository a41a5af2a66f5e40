// SPDX-License-Identifier: MIT
import BusModel
import JobLogic
import MediaModel
import Testing

@testable import FaceModel

@Suite("Our own interfaces: the library and its jobs")
struct AgentLibraryTests {
  private let interfaces = Dictionary(uniqueKeysWithValues: AgentDescriptions.all.map { ($0.name, $0) })

  private func isDescribed(_ call: AgentCall) -> Bool {
    interfaces[call.interface]?.method(call.member)?.inputs.map(\.type) == call.arguments.map(\.type)
  }

  private static let item = MediaItem.ID(rawValue: 7)
  private static let request = LibraryRequest(
    "year > 1990", search: "blue", sort: ["artist", "-year"], group: "album", limit: 9, first: 3, count: 20)

  @Test(
    "a call arrives as it was given",
    arguments: [
      (.add(libraryFolder: "/Björk"), .add("/Björk")), (.remove(libraryFolder: "/a"), .remove("/a")),
      (.scan(), .scan([])), (.scan(["/a", "/b"]), .scan(["/a", "/b"])), (.libraryStatus, .status),
      (.query(LibraryRequest()), .query(LibraryRequest())), (.query(request), .query(request)),
      (.search("a b"), .search("a b", LibraryRequest())),
      (
        .search("", LibraryRequest("album contains a", group: "album")),
        .search("", LibraryRequest("album contains a", group: "album"))
      ), (.item(item), .item(item)),
      (.rate(item, 5), .rate(item, 5)), (.note(item, key: "mood"), .note(item, key: "mood")),
      (.setNote(item, key: "mood", "calm"), .setNote(item, key: "mood", "calm")),
      (
        .numbers(LibraryRequest("rating > 3", first: 50_001, count: 50_000)),
        .numbers(LibraryRequest("rating > 3", first: 50_001, count: 50_000))
      ),
    ] as [(AgentCall, AgentLibrary.Call)])
  func calls(call: AgentCall, asked: AgentLibrary.Call) throws {
    #expect(isDescribed(call))
    #expect(try AgentLibrary.Method.read(call.member, call.arguments) == asked)
  }

  @Test(
    "an order for a job arrives as it was given",
    arguments: [JobBoard.Order.cancel, .suspend, .resume])
  func orders(order: JobBoard.Order) throws {
    let call = AgentCall.order(order, JobID(rawValue: 3))
    #expect(isDescribed(call) && isDescribed(.jobs))
    #expect(try AgentJobs.Method.read(call.member, call.arguments) == .order(order, JobID(rawValue: 3)))
  }

  @Test(
    "what cannot be meant is refused",
    arguments: [
      ("Add", [.string("Music")]), ("Rate", [.int64(1), .uint32(6)]),
      ("Note", [.int64(1), .string("")]),
      ("Query", [.string(""), .properties([("size", .uint32(1))])]),
      ("Query", [.string(""), .properties([("first", .uint32(0))])]),
      ("Query", [.string(""), .properties([("sort", [String](repeating: "title", count: 17).wireValue)])]),
      ("Numbers", [.string(""), .properties([("group", .string("album"))])]),
    ] as [(MemberName, [WireValue])])
  func refused(method: MemberName, arguments: [WireValue]) {
    #expect(throws: BusError.self) { try AgentLibrary.Method.read(method, arguments) }
  }

  @Test(
    "a page is a part of what there is, and never larger than an answer may be",
    arguments: [
      (LibraryRequest(), 0..<500), (LibraryRequest(first: 501, count: 9), 500..<509),
      (LibraryRequest(limit: 10), 0..<10), (LibraryRequest(limit: 10, first: 8), 7..<10),
      (LibraryRequest(limit: 10, first: 50), 10..<10), (LibraryRequest(count: 9_999), 0..<500),
      (LibraryRequest(count: 0), 0..<0),
      (LibraryRequest(first: Int(UInt32.max), count: Int(UInt32.max)), 4_294_967_294..<4_294_967_794),
    ])
  func rows(request: LibraryRequest, rows: Range<Int>) {
    #expect(request.rows(atMost: 500) == rows)
  }

  @Test("rows with long texts are sent in more than one answer, and never none")
  func longRows() throws {
    let path = try #require(FilePath("/" + String(repeating: "x", count: 4_000)))
    var item = MediaItem(location: .file(path))
    let reply = AgentLibrary.reply([ItemFace](repeating: ItemFace(item), count: 400), total: 900)
    let (items, total) = try AgentLibrary.items(reply: reply)
    #expect((2...200).contains(items.count) && total == 900)
    item.tags.artist = [String](repeating: String(repeating: "y", count: 60_000), count: 20)
    #expect(try AgentLibrary.items(reply: AgentLibrary.reply([ItemFace(item)], total: 1)).items.count == 1)
  }

  @Test("what the library answers has travelled as it was")
  func replies() throws {
    var item = MediaItem(id: Self.item, location: .file("/a.ogg"))
    item.tags.title = "Blue"
    let face = ItemFace(item)
    let album = CollectionFace(
      title: "Blue", section: "B", count: 9, duration: .seconds(90), representative: face)
    let (collections, total) = try AgentLibrary.collections(reply: AgentLibrary.reply([album], total: 3))
    #expect(collections == [album] && total == 3)
    let numbers = try AgentLibrary.numbers(reply: AgentLibrary.reply([Self.item], total: 8))
    #expect(numbers.items == [Self.item] && numbers.total == 8)
    // A slash and a byte: no NUL, so there is such a path.
    let odd = FilePath([47, 255])!
    let status = LibraryStatus(
      folders: [LibraryFolderFace(path: odd, tracks: 4, lastScan: 1_000, why: "it is gone")], tracks: 4,
      albums: 2, artists: 1, job: JobID(rawValue: 2), why: "put aside", unmeasured: 7, unfit: 3,
      whyUnfit: "'/a' is broken")
    #expect(LibraryStatus(wire: status.wireValue) == status)
    #expect(LibraryStatus(wire: LibraryStatus().wireValue) == LibraryStatus())
  }

  @Test("an item's gains have travelled as they were, to a hundredth of a decibel, and with who says so")
  func gains() throws {
    for loudness in [
      Loudness(trackGain: -6.126, albumGain: 3.999), Loudness(trackGain: 1e30), Loudness(albumGain: -0.004),
    ] {
      for origin in [ItemGains.Origin.tags, .measured] {
        var face = ItemFace(MediaItem(location: .file("/m/a.flac")))
        face.gains = ItemGains(loudness, from: origin)
        #expect(face.gains != nil && ItemFace(wire: face.wireValue())?.gains == face.gains)
      }
    }
    #expect(ItemGains(Loudness(trackPeak: 1), from: .tags) == nil)
    #expect(ItemGains(Loudness(trackGain: -6.126), from: .tags)?.track == -613)
  }

  @Test("a job has travelled as it was", arguments: JobState.allCases)
  func job(state: JobState) throws {
    let job = Job(
      id: JobID(rawValue: 5), title: "Scan ~/Music", state: state, done: 3, total: 10, current: "a.ogg",
      rate: 2.5, remaining: .seconds(3), why: "x")
    let bare = Job(id: JobID(rawValue: 6), title: "b", state: state)
    #expect(try AgentJobs.jobs(reply: [AgentJobs.reply([job, bare])]) == [job, bare])
    let (signal, arguments) = AgentJobs.changed(job)
    #expect(AgentNews.news(AgentDescriptions.jobs.name, signal, arguments) == [.job(job)])
  }

  @Test("a change of the library has travelled as it was")
  func changed() {
    let (signal, arguments) = AgentLibrary.changed(added: 1, changed: 2, removed: 3)
    #expect(
      AgentNews.news(AgentDescriptions.library.name, signal, arguments)
        == [.library(added: 1, changed: 2, removed: 3)])
  }
}
