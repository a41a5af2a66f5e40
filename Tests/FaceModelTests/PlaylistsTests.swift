// SPDX-License-Identifier: MIT
import FermataTestKit
import BusModel
import MediaModel
import Testing

@testable import FaceModel

@Suite("MPRIS: playlists")
struct PlaylistsTests {
  private let face = PlaylistsFace([
    SavedPlaylist(file: "/p/b.m3u8", name: "Mix 10", modified: 40),
    SavedPlaylist(file: "/p/a.m3u8", name: "Mix 9", modified: 30),
    SavedPlaylist(file: "/p/c.m3u8", name: "Abend", modified: 30),
  ])

  private func names(
    _ index: UInt32, _ count: UInt32, _ order: String, _ isReversed: Bool = false
  ) throws -> [String] {
    let reply = try page(of: face, .arguments(index, count, order, isReversed))
    #expect(reply.map(\.type) == ["a(oss)"] && reply[0].travels(as: "a(oss)"))
    guard case .array(_, let rows) = reply[0] else { return [] }
    return rows.compactMap { $0.fields?[1] }.compactMap(String.init(wire:))
  }

  private func page(of face: PlaylistsFace, _ arguments: [WireValue]) throws -> [WireValue] {
    let call = try MPRISPlaylists.Method.read("GetPlaylists", arguments)
    guard case .page(let index, let count, let order, let isReversed) = call else { return [] }
    return try face.page(from: index, count: count, order: order, isReversed: isReversed)
  }

  private func properties(_ face: PlaylistsFace) -> [(MemberName, WireValue)] {
    MPRISPlaylists.properties.values(of: face)
  }

  private func changes(_ old: PlaylistsFace, _ new: PlaylistsFace) -> [MemberName] {
    MPRISPlaylists.properties.changes(from: old, to: new).map(\.0)
  }

  @Test("the properties are of the text's types, with a playlist that is active and without")
  func properties() {
    var active = face
    active.active = .file("/p/a.m3u8")
    expect(properties(face), fit: MPRISDescriptions.playlists)
    expect(properties(active), fit: MPRISDescriptions.playlists)
    #expect(
      properties(PlaylistsFace()).last?.1
        == .structure([.boolean(false), .structure([.objectPath("/"), .string(""), .string("")])]))
    #expect(
      properties(active).last?.1
        == .structure([
          .boolean(true),
          .structure([
            .objectPath("/org/fermata/Playlist/_2Fp_2Fa_2Em3u8"), .string("Mix 9"), .string(""),
          ]),
        ]))
  }

  @Test(
    "playlists come in the order that is asked for",
    arguments: [
      ("Alphabetical", ["Abend", "Mix 9", "Mix 10"]), ("Modified", ["Abend", "Mix 9", "Mix 10"]),
    ])
  func order(order: String, expected: [String]) throws {
    #expect(try names(0, 9, order) == expected)
    #expect(try names(0, 9, order, true) == expected.reversed())
    #expect(try (0..<3).flatMap { try names($0, 1, order) } == expected)
  }

  @Test(
    "a page lies within the list, however it is asked for",
    arguments: [(0, 0, 0), (0, UInt32.max, 3), (2, .max, 1), (3, 5, 0), (.max, .max, 0), (.max, 1, 0)])
  func page(index: UInt32, count: UInt32, expected: Int) throws {
    #expect(try names(index, count, "Alphabetical").count == expected)
  }

  @Test("an order that there is not is refused")
  func unknownOrder() {
    let error = #expect(throws: BusError.self) { try names(0, 1, "User") }
    #expect(error?.name == .invalidArgs)
  }

  @Test("only what changed is told")
  func changes() {
    #expect(changes(face, face).isEmpty)
    var other = face
    other.playlists[0].name = "Mix X"
    other.playlists.append(SavedPlaylist(file: "/p/d.m3u8", name: "New"))
    #expect(changes(face, other) == ["PlaylistCount"])
    let told = other.signals(from: face).map(\.1)
    #expect(told.count == 1 && told[0][0].fields?[1] == .string("Mix X"))
    #expect(
      told[0].map(\.type) == MPRISDescriptions.playlists.signal("PlaylistChanged")?.arguments.map(\.type))
    other.active = .file("/p/a.m3u8")
    #expect(changes(face, other) == ["PlaylistCount", "ActivePlaylist"])
  }

  @Test("a playlist that is written anew or renamed is told, and no other")
  func writtenAnew() {
    var other = face
    other.playlists[1].modified = 50
    #expect(other.signals(from: face).map { $0.1[0].fields?[1] } == [.string("Mix 9")])
    var renamed = face
    renamed.playlists[2] = SavedPlaylist(file: "/p/d.m3u8", name: "Morgen", modified: 30)
    #expect(changes(face, renamed).isEmpty)
    #expect(renamed.signals(from: face).map { $0.1[0].fields?[1] } == [.string("Morgen")])
  }

  @Test("only orders by what is known are offered and taken")
  func orderings() {
    #expect(properties(face)[1].1 == ["Alphabetical", "Modified"].wireValue)
    #expect(throws: Never.self) { try page(of: face, .arguments(UInt32(0), UInt32(1), "Modified", false)) }
    #expect(throws: BusError.self) { try page(of: face, .arguments(UInt32(0), UInt32(1), "Played", false)) }
  }

  @Test("a playlist that there is is put into the queue; any other is refused")
  func activate() throws {
    let path = PlaylistPath.path(of: .file("/p/c.m3u8"))
    #expect(try MPRISPlaylists.Method.read("ActivatePlaylist", [.objectPath(path)]) == .activate(path))
    #expect(try face.playlist(at: path) == .file("/p/c.m3u8"))
    for path: ObjectPath in ["/", PlaylistPath.path(of: .file("/etc/passwd")), "/org/fermata/Playlist/_2"] {
      #expect(throws: BusError.self) { try face.playlist(at: path) }
    }
  }

  @Test("any file has a path, and only its own leads back to it", arguments: 0..<20)
  func paths(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    guard let file = FilePath([1] + random.bytes(upTo: 40, of: Array(1...255))) else { return }
    for key in [SavedPlaylist.Key.file(file), .smart(file.text)] {
      let path = PlaylistPath.path(of: key)
      #expect(ObjectPath.allows(path.text.utf8) && PlaylistPath.key(at: path) == key, "seed \(seed)")
      #expect(PlaylistPath.key(at: ObjectPath(unchecked: path.text + "_")) == nil)
    }
    #expect(PlaylistPath.key(at: "/org/fermata/Playlist/_61") == nil, "another spelling of a")
    #expect(PlaylistPath.key(at: "/org/fermata/Playlist/smart/_61") == nil)
  }

  @Test("a smart playlist stands beside a plain one of its name, and is told when its answer changes")
  func smart() throws {
    var both = face
    both.playlists.append(SavedPlaylist(smart: "Abend", content: 1))
    #expect(changes(face, both) == ["PlaylistCount"])
    let path = PlaylistPath.path(of: .smart("Abend"))
    #expect(
      try both.playlist(at: path) == .smart("Abend") && both.playlist(at: path) != both.playlists[2].key)
    #expect(throws: BusError.self) { try face.playlist(at: path) }
    var other = both
    other.playlists[3].content = 2
    #expect(other.signals(from: both).map { $0.1[0].fields?[0] } == [.objectPath(path)])
  }
}
