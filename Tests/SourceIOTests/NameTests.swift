// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import SourceIO
import Testing

@Suite("What is named")
struct NameTests {
  private let expand: Expanding
  private var folder: TemporaryDirectory { expand.folder }

  init() throws { expand = try Expanding() }

  @Test("words are URIs where they look like one, and paths otherwise")
  func written() throws {
    #expect(SourceRequest(written: "file:///a%20b".utf8) == .uri("file:///a%20b"))
    #expect(SourceRequest(written: "http://x/y".utf8) == .uri("http://x/y"))
    #expect(SourceRequest(written: "a: b.mp3".utf8) == .path("a: b.mp3"))
    #expect(SourceRequest(written: [0x42, 0xf6]) == FilePath([0x42, 0xf6]).map { .path($0) })
    #expect(SourceRequest(written: []) == nil)
    #expect(SourceRequest(written: [0x61, 0]) == nil)
  }

  @Test("URIs of files play; others say why not")
  func uris() throws {
    try folder.files("a b.mp3", "m/c.mp3")
    let root = folder.location.text
    let outcome = try expand([
      .uri("file://\(root)/a%20b.mp3"), .uri("FILE://localhost\(root)/m/"), .uri("http://x/y.mp3"),
      .uri("file://elsewhere/a"), .uri("file:///%zz"), .uri("file:///dev/zero"), .uri(""),
    ])
    #expect(outcome.names == ["a b.mp3", "m/c.mp3"])
    #expect(outcome.subjects == ["http://x/y.mp3", "file://elsewhere/a", "file:///%zz", "/dev/zero", ""])
    #expect(outcome.kinds[3] == .notAFile("a device"))
    #expect(outcome.kinds[0] == .badURI("http: is not played; only file: is"))
  }

  @Test(
    "each name that leads nowhere is told from one that can't be had",
    arguments: [
      ("nothing.mp3", SourceProblem.Kind.missing), ("song.mp3/x", .missing), ("loop", .unreadable(ELOOP)),
      (String(repeating: "x", count: 300), .unreadable(ENAMETOOLONG)), ("pipe.mp3", .notAFile("a pipe")),
      ("/dev/zero", .notAFile("a device")), ("/dev/tty", .notAFile("a device")), ("empty", .empty),
      ("gone", .missing), ("loop/../song.mp3", .unreadable(ELOOP)),
    ])
  func bad(_ name: String, _ kind: SourceProblem.Kind) throws {
    try folder.files("song.mp3", "empty/a.txt")
    try folder.link("loop", to: "loop")
    try folder.link("gone", to: "nowhere")
    try folder.pipe("pipe.mp3")
    let outcome = try expand("song.mp3", name)
    #expect(outcome.names == ["song.mp3"])
    #expect(outcome.kinds == [kind])
    let error = try #require(expand.error(name))
    #expect(error.problems.map(\.kind) == [kind])
    #expect(error.reason == (kind == .missing ? .noSuchFile : .nothingPlayable))
    #expect(error.description.contains(FilePath(name)?.name ?? ""))
    #expect(error.description.contains("; "))
  }

  @Test(
    "a file whose name promises nothing plays if its content does; where nobody can tell, it is taken",
    arguments: [(true, ["letter", "song.mp3"]), (false, ["song.mp3"]), (nil, ["letter", "song.mp3"])]
      as [(Bool?, [String])])
  func content(isSound: Bool?, names: [String]) throws {
    try folder.files("letter", "song.mp3")
    var expand = expand
    if let isSound {
      expand.expander.refusal = { path in
        // Asked for no other.
        isSound && path.name == "letter" ? nil : "is a letter"
      }
    }
    let outcome = try expand("letter", "song.mp3")
    #expect(outcome.names == names)
    #expect(outcome.kinds == (isSound == false ? [.noSound("is a letter")] : []))
  }

  @Test("a list under the name of a sound is not followed, whether such a sound could be played or not")
  func listNamedLikeSound() throws {
    try folder.files("song.mp3")
    let list = "#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:4,\nsong.mp3\n"
    _ = try folder.write("list.ofr", list)
    _ = try folder.write("list.mp3", list)
    _ = try folder.write("list", list)
    var expand = expand
    expand.expander.refusal = { _ in "is an HLS list" }
    let outcome = try expand("list", "list.ofr", "list.mp3")
    #expect(outcome.names == ["song.mp3", "list.mp3"])
    #expect(outcome.subjects == ["list.ofr"])
    #expect(outcome.kinds == [.noSound("is an HLS list")])
  }

  @Test("a socket is never opened")
  func socket() throws {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path("socket.mp3").utf8CString
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      for (index, byte) in path.enumerated() { room[index] = UInt8(bitPattern: byte) }
    }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    let bound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    #expect(expand.error("socket.mp3")?.problems.map(\.kind) == [.notAFile("a socket")])
  }

  @Test("nothing named is an error of its own, and one of several missing names is not")
  func nothing() throws {
    #expect(throws: SourceError.self) { try expand([]) }
    #expect(expand.error("x", "y")?.reason == .noSuchFile)
    #expect(expand.error("x", "/dev/zero")?.reason == .nothingPlayable)
    #expect(expand.error("x", "y")?.description.hasSuffix("(and 1 more)") == true)
  }

  @Test("parents are taken out as the file system understands them")
  func parents() throws {
    try folder.files("m/a.mp3", "far/deep/b.mp3", "far/c.mp3", "c.mp3")
    try folder.link("m/link", to: "../far/deep")
    let root = try #require(FilePath(folder.location.text))
    #expect(
      try expand("m/../m/a.mp3", "m/link/../c.mp3", "m/..//./c.mp3", "./m/./a.mp3").names == [
        "m/a.mp3", "far/c.mp3", "c.mp3", "m/a.mp3",
      ])
    #expect(try expand("m/..").names == ["c.mp3", "far/c.mp3", "far/deep/b.mp3", "m/a.mp3"])
    #expect(try expand("nowhere/../c.mp3", "c.mp3").subjects == ["nowhere/../c.mp3"])
    #expect(root.isAbsolute)
  }
}
