// SPDX-License-Identifier: MIT
import FermataTestKit
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("MPRIS: the track list")
struct TrackListTests {
  private func sources(_ count: Int) -> [EntrySource] { (0..<count).map { EntrySource("/\($0).mp3") } }

  private func queue(_ count: Int) -> PlayQueue {
    var queue = PlayQueue(seed: 1)
    _ = queue.append(sources(count))
    return queue
  }

  private func shown(_ queue: PlayQueue) -> TrackListFace {
    var face = TrackListFace()
    _ = face.update(to: queue)
    return face
  }

  @Test("of very long tags a list has the beginning, so that many of them fit into a message")
  func longTags() throws {
    var tags = MediaTags()
    (tags.title, tags.lyrics) = (String(repeating: "t", count: 60_000), "la")
    tags.artist = (1...255).map { String(repeating: "a", count: 60_000) + "\($0)" }
    let item = MediaItem(location: .file("/m/a.flac"), tags: tags)
    let fields = MPRISTrackList.metadata(of: EntryID(rawValue: 1), item)
    let text = "\(fields)"
    #expect(text.utf8.count < 20_000 && text.utf8.count > 2_000, "\(text.utf8.count)")
  }

  @Test("a short queue is shown whole")
  func short() {
    let queue = queue(3)
    let face = shown(queue)
    #expect(face.tracks == queue.entries(at: 0..<3).map(\.id))
    expect(MPRISTrackList.properties.values(of: face), fit: MPRISDescriptions.trackList)
  }

  @Test("of a long queue the rows around the current one are shown", arguments: [0, 20, 5000, 9990])
  func window(row: Int) {
    var queue = queue(10_000)
    _ = queue.jump(to: queue[row].id)
    let face = shown(queue)
    #expect(face.tracks.count == TrackListFace.longest)
    #expect(queue.current.map(face.shows) == true)
    let place = face.tracks.firstIndex { $0 == queue.current } ?? 0
    #expect(place == min(row, 100) || row == 9990)
  }

  @Test("the list stands still while the tracks go by, and moves on in time")
  func steady() {
    var queue = queue(1000)
    _ = queue.start()
    var face = shown(queue)
    var moves = 0
    while queue.next != nil {
      _ = queue.skipToNext()
      let news = face.update(to: queue)
      moves += news.count
      #expect(news.allSatisfy { if case .replaced = $0 { true } else { false } })
      #expect(queue.current.map(face.shows) == true)
    }
    #expect(moves > 5 && moves < 15)
  }

  @Test("one that comes and one that goes are told by name")
  func steps() {
    var queue = queue(3)
    var face = shown(queue)
    let ids = queue.entries(at: 0..<3).map(\.id)
    _ = queue.insert(sources(1), at: 1)
    let new = queue[1].id
    #expect(face.update(to: queue) == [.added(new, after: ids[0])])
    _ = queue.remove([ids[0]])
    #expect(face.update(to: queue) == [.removed(ids[0])])
    _ = queue.insert(sources(1), at: 0)
    #expect(face.update(to: queue) == [.added(queue[0].id, after: nil)])
    #expect(face.update(to: queue).isEmpty)
  }

  @Test("rows that move, and many at once, are a new list, with the current track where it is shown")
  func replaced() {
    var queue = queue(5)
    _ = queue.start()
    var face = shown(queue)
    _ = queue.move(0..<1, to: 4)
    #expect(face.update(to: queue) == [.replaced(face.tracks, current: queue.current)])
    _ = queue.append(sources(100))
    #expect(face.update(to: queue) == [.replaced(face.tracks, current: queue.current)])
    _ = queue.clear()
    #expect(face.update(to: queue) == [.replaced([], current: nil)])
  }

  @Test("an edit far above the window is not told")
  func farAway() {
    var queue = queue(10_000)
    _ = queue.jump(to: queue[5000].id)
    var face = shown(queue)
    _ = queue.insert(sources(7), at: 0)
    #expect(face.update(to: queue).isEmpty)
    _ = queue.remove(at: RangeSet(9000..<9100))
    #expect(face.update(to: queue).isEmpty)
  }

  @Test("a client that does what it is told has the same list", arguments: 0..<30)
  func mirror(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = queue(Int.random(in: 0...400, using: &random))
    var face = shown(queue)
    var list = face.tracks
    for _ in 0..<100 {
      edit(&queue, &random)
      for news in face.update(to: queue) { follow(news, &list, seed) }
      try #require(list == face.tracks, "seed \(seed)")
      #expect(list.count == min(queue.count, TrackListFace.longest), "seed \(seed)")
      if let current = queue.current { #expect(face.shows(current), "seed \(seed)") }
    }
  }

  private func edit(_ queue: inout PlayQueue, _ random: inout SeededGenerator) {
    let row = Int.random(in: 0...max(0, queue.count - 1), using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: _ = queue.insert(sources(.random(in: 1...40, using: &random)), at: min(row, queue.count))
    case 1 where !queue.isEmpty: _ = queue.remove(at: RangeSet(row..<min(row + 3, queue.count)))
    case 2 where !queue.isEmpty:
      _ = queue.move(row..<row + 1, to: .random(in: 0..<queue.count, using: &random))
    case 3: _ = queue.undo()
    case 4 where !queue.isEmpty: _ = queue.jump(to: queue[row].id)
    default: _ = queue.skipToNext()
    }
  }

  private func follow(_ news: TrackListNews, _ list: inout [EntryID], _ seed: UInt64) {
    switch news {
    case .replaced(let tracks, let current):
      list = tracks
      #expect(current.map(tracks.contains) ?? true)
    case .added(let track, let other):
      #expect(!list.contains(track), "seed \(seed): told twice")
      let place = other.map { other in (list.firstIndex(of: other) ?? -2) + 1 } ?? 0
      #expect(place >= 0, "seed \(seed): behind a track that is not there")
      list.insert(track, at: max(0, place))
    case .removed(let track):
      #expect(list.contains(track), "seed \(seed)")
      list.removeAll { $0 == track }
    case .metadataChanged: break
    }
  }

  @Test("news are signals of the described types")
  func signals() {
    let (one, two) = (EntryID(rawValue: 1), EntryID(rawValue: 2))
    let news: [TrackListNews] = [
      .replaced([one, two], current: nil), .added(two, after: one), .added(one, after: nil), .removed(one),
      .metadataChanged(two),
    ]
    for news in news {
      let (name, arguments) = news.signal { MPRISTrackList.metadata(of: $0, Faces.fullItem) }
      let types = MPRISDescriptions.trackList.signal(name)?.arguments.map(\.type)
      #expect(arguments.map(\.type) == types)
    }
    let (_, arguments) = TrackListNews.added(one, after: nil).signal { _ in Fields() }
    #expect(arguments.last == .objectPath(TrackPath.none))
  }

  @Test("a list's metadata leave out the words, which can be long")
  func words() {
    let metadata = MPRISTrackList.metadata(of: EntryID(rawValue: 1), Faces.fullItem)
    #expect(metadata.table["xesam:asText"] == nil && metadata.table["xesam:title"] == .string("Jóga"))
  }

  @Test("tracks that are asked for are ours, and not without end")
  func asked() throws {
    let paths: [ObjectPath] = ["/org/fermata/Entry/2", "/", TrackPath.none, "/org/fermata/Entry/1"]
    let (one, two) = (EntryID(rawValue: 1), EntryID(rawValue: 2))
    #expect(try call("GetTracksMetadata", [paths.wireValue]) == .metadata([two, one]))
    let many = [ObjectPath](repeating: paths[0], count: 10_000)
    let most = [EntryID](repeating: two, count: TrackListFace.longest)
    #expect(try call("GetTracksMetadata", [many.wireValue]) == .metadata(most))
    #expect(throws: BusError.self) { try call("GetTracksMetadata", [["a"].wireValue]) }
  }

  private func call(_ method: MemberName, _ arguments: [WireValue]) throws -> MPRISTrackList.Call {
    try MPRISTrackList.Method.read(method, arguments)
  }

  @Test("the list is edited by the tracks' names; those of others are ignored")
  func orders() throws {
    let (path, five) = (WireValue.objectPath("/org/fermata/Entry/5"), EntryID(rawValue: 5))
    #expect(try call("RemoveTrack", [path]) == .remove(five))
    #expect(try call("GoTo", [path]) == .goTo(five))
    #expect(try call("GoTo", [.objectPath(TrackPath.none)]) == .goTo(nil))
    #expect(try call("RemoveTrack", [.objectPath("/org/fermata/Entry/05")]) == .remove(nil))
    let file = WireValue.string("file:///a.mp3")
    #expect(try call("AddTrack", [file, path, .boolean(true)]) == .add("/a.mp3", after: five, plays: true))
    #expect(
      try call("AddTrack", [file, .objectPath(TrackPath.none), .boolean(false)])
        == .add("/a.mp3", after: nil, plays: false))
    for wrong: [WireValue] in [
      [file, .objectPath("/"), .boolean(true)], [.string("http://a/b"), path, .boolean(true)], [file, path],
      [],
    ] {
      let error = #expect(throws: BusError.self) { try call("AddTrack", wrong) }
      #expect(error?.name == .invalidArgs)
    }
  }
}
