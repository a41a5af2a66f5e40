// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import MediaModel
import ReaderIO
import ReaderModel
import Testing

/// Files made to do harm, in the formats that another process decodes. How many are damaged is set by `FERMATA_DAMAGED`.
@Suite(
  "Harm in what FFmpeg decodes", .serialized, .enabled(if: Outside.client != nil), .endsAnyway)
struct ForeignHarmTests {
  /// More than any sound here needs, and far below what the process may have.
  private static let mostMemory = 160 << 20

  private let directory: TemporaryDirectory
  private let client: DecoderClient

  init() throws {
    directory = try TemporaryDirectory()
    client = DecoderClient(program: FilePath(try Program.beside("fermata-reader").path))
  }

  private func encode(_ kind: String, _ options: [String], frames: Int = 6_000) throws -> [UInt8] {
    if kind == "ape", let packets = Corpus.monkeys.last { return try Corpus.bytes(packets) }
    let signal = Signal.sines(rate: 44_100, channels: 2, frames: frames)
    let input = try directory.write("in.wav", WAVFile.bytes(signal))
    let output = directory.path("song.\(kind)")
    try Tool.run(Corpus.ffmpeg + ["-i", input] + options + [output])
    return try contents(of: output)
  }

  // MARK: Damage

  static let seeds: [(String, [String])] = [
    ("m4a", ["-c:a", "aac"]), ("m4a", ["-c:a", "alac"]), ("aac", ["-c:a", "aac"]),
    ("wv", ["-c:a", "wavpack"]), ("tta", ["-c:a", "tta"]), ("wma", ["-c:a", "wmav2"]),
    ("mka", ["-c:a", "libopus"]), ("mka", ["-c:a", "flac"]), ("mka", ["-c:a", "libvorbis"]),
    ("ac3", ["-c:a", "ac3"]), ("eac3", ["-c:a", "eac3"]), ("dts", ["-c:a", "dca", "-strict", "-2"]),
    ("ape", []),
  ]

  /// How many damaged files are tried of all seeds together.
  private static let damaged =
    getenv("FERMATA_DAMAGED").flatMap { Int(String(cString: $0)) } ?? 1_500

  @Test("what is damaged plays, ends or is refused, soon and in little memory", arguments: seeds)
  func damaged(kind: String, options: [String]) throws {
    // Long enough for several packets of each kind: a bad one is then not all there is.
    let bytes = try encode(kind, options, frames: 150_000)
    let many = max(1, Self.damaged / Self.seeds.count)
    var opened = 0
    for number in 0..<many {
      var generator = SeededGenerator(seed: UInt64(number))
      let damaged = damage(bytes, using: &generator)
      let start = ContinuousClock.now
      let (isOpened, error) = play(damaged, from: .random(in: 0...100_000, using: &generator))
      let took = ContinuousClock.now - start
      #expect(took < .patience, "\(kind) number \(number) took \(took)")
      opened += isOpened ? 1 : 0
      let died = error?.reason.hasPrefix("could not be decoded") == true
      #expect(!died, "\(kind) number \(number): \(String(describing: error))")
    }
    // Were all refused at the door, nothing would be shown.
    #expect(opened * 4 >= many, "only \(opened) of \(many) came as far as to be decoded")
    try checkMemory()
  }

  /// Damages bytes where they stand in half of the files, so that what describes the rest still fits and the decoder comes to see the
  /// damage; in the other half moves and cuts as well, mostly in the head, for whoever reads the description.
  private func damage(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    let staysInPlace = Bool.random(using: &generator)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let isInHead = !staysInPlace && Bool.random(using: &generator)
      let reach = isInHead ? min(bytes.count, 400) : bytes.count
      let place = Int.random(in: 0..<reach, using: &generator)
      let length = min(Int.random(in: 1...16, using: &generator), bytes.count - place)
      switch Int.random(in: staysInPlace ? 3..<6 : 0..<6, using: &generator) {
      case 0: bytes.removeSubrange(place..<place + length)
      case 1: bytes.removeLast(min(bytes.count / 2, Int.random(in: 0...2_000, using: &generator)))
      case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 3: for index in place..<place + min(4, length) { bytes[index] = 0xFF }
      default: bytes[place] = .random(in: 0...255, using: &generator)
      }
    }
    return bytes
  }

  /// Seeks somewhere, and plays from there as long as a sound of this size could last. Returns whether it could be opened at
  /// all, and what was thrown.
  private func play(_ bytes: [UInt8], from frame: Int) -> (isOpened: Bool, DecodeError?) {
    var isOpened = false
    do throws(DecodeError) {
      let decoder = try Decoders.open(MemorySource(bytes), outside: client)
      isOpened = true
      var room = [Float](repeating: 0, count: 4_096 * decoder.format.channels)
      var made = 0
      try decoder.seek(to: frame)
      while made < 400_000 {
        var span = room.mutableSpan
        let got = try decoder.read(into: &span)
        if got == 0 { break }
        made += got
      }
      return (true, nil)
    } catch {
      #expect(!error.reason.isEmpty)
      return (isOpened, error)
    }
  }

  /// Expects that no process that waits for work has ever held much.
  private func checkMemory() throws {
    for process in client.idleProcesses {
      let status = try Child.run(.named("cat", package: "coreutils"), ["/proc/\(process)/status"])
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
      let kilobytes = try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
      #expect(kilobytes << 10 < Self.mostMemory, "\(line)")
    }
  }

  // MARK: Size

  @Test("what claims fifty million packets is refused soon, in little memory, and the next sound plays")
  func bomb() throws {
    let start = ContinuousClock.now
    let error = #expect(throws: DecodeError.self) {
      _ = try Decoders.open(MemorySource(Self.bomb), outside: client)
    }
    #expect(ContinuousClock.now - start < .patience)
    #expect(error?.reason.isEmpty == false)
    let song = try encode("m4a", ["-c:a", "alac"])
    #expect(try Decoders.open(MemorySource(song), outside: client).rest().frames == 6_000)
    try checkMemory()
  }

  /// An MP4 file of little more than its description, whose table of sizes claims fifty million packets of the same size.
  private static var bomb: [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }
    func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count + 8) + Array(name.utf8) + content
    }
    let most = 50_000_000
    let none = [UInt8](repeating: 0, count: 64)
    let coding = box(
      "stsd",
      number(0) + number(1)
        + box(
          "alac",
          Array(none.prefix(16)) + [0, 2, 0, 16, 0, 0, 0, 0] + number(44_100 << 16)
            + [UInt8](repeating: 0, count: 0)))
    let table = box(
      "stbl",
      coding + box("stts", number(0) + number(1) + number(most) + number(4_096))
        + box("stsc", number(0) + number(1) + number(1) + number(most) + number(1))
        + box("stsz", number(0) + number(1) + number(most)) + box("stco", number(0) + number(1) + number(40)))
    let media = box(
      "mdia",
      box("mdhd", number(0) + number(0) + number(0) + number(44_100) + number(0) + number(0))
        + box("hdlr", number(0) + number(0) + Array("soun".utf8) + Array(none.prefix(13)))
        + box("minf", table))
    let film = box(
      "moov",
      box("mvhd", number(0) + number(0) + number(0) + number(1_000) + none + none.prefix(20))
        + box(
          "trak", box("tkhd", number(7) + number(0) + number(0) + number(1) + none + none.prefix(4)) + media))
    return box("ftyp", Array("M4A \0\0\0\0".utf8)) + box("mdat", [UInt8](repeating: 0, count: 4_096)) + film
  }

  // MARK: Other files, and the network

  @Test("a text that names other files and addresses opens none, whatever its file is called")
  func scripts() throws {
    let bait = try Bait(in: directory)
    for (text, script) in bait.scripts.enumerated() {
      for ending in [
        "m4a", "m4b", "mp4", "aac", "wma", "ape", "wv", "mpc", "tta", "ac3", "dts", "dsf", "dff", "mka",
        "webm", "mp3", "flac", "ogg", "opus", "wav",
      ] {
        let path = try directory.write("\(text).\(ending)", Array(script.utf8))
        #expect(throws: DecodeError.self) {
          _ = try Decoders.open(#require(FilePath(path)), outside: client)
        }
      }
    }
    try bait.expectUntouched()
  }

  @Test("nor if it comes to FFmpeg itself, as each of the formats", arguments: DecodeContainer.allCases)
  func scriptsInside(container: DecodeContainer) throws {
    let bait = try Bait(in: directory)
    for script in bait.scripts {
      // Long enough to be looked into.
      let bytes = Array(script.utf8) + [UInt8](repeating: 0x0A, count: 8_192)
      let process = try client.take()
      defer { client.giveBack(process) }
      let reply = try process.carryOut(.open(container, size: bytes.count)) { offset, room in
        let count = max(0, min(room.byteCount, bytes.count - offset))
        for index in 0..<count {
          room.storeBytes(of: bytes[offset + index], toByteOffset: index, as: UInt8.self)
        }
        return count
      }
      if case .opened(let sound) = reply { Issue.record("\(container) took it for \(sound)") }
    }
    try bait.expectUntouched()
  }

  @Test("MP4 whose sound lies in another file does not open that")
  func reference() throws {
    let bait = try Bait(in: directory)
    let song = try encode("m4a", ["-c:a", "alac"])
    let elsewhere = try #require(Self.referring(to: bait.path, song))
    _ = play(elsewhere, from: 0)
    try bait.expectUntouched()
  }

  /// The file with a reference to another one as where its sound lies. `moov` is the last box, so no offset changes.
  private static func referring(to path: String, _ file: [UInt8]) -> [UInt8]? {
    func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * (count - 1 - $0)) & 0xff) }
    }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let name = Array(path.utf8)
    let padded = name + zeros(name.count % 2)
    // As a Macintosh wrote it: the names of volume and file, how far up and down, then the whole path.
    let parts: [[UInt8]] = [
      zeros(10), zeros(28), zeros(12), [4], Array("bait".utf8), zeros(59), zeros(16), number(1, 2),
      number(1, 2),
      zeros(16), number(2, 2), number(name.count, 2), padded, number(0xFFFF, 2), zeros(2),
    ]
    let alias = Array(parts.joined())
    let entry: [UInt8] = number(alias.count + 12) + Array("alis".utf8) + zeros(4) + alias
    guard let table = place(of: "dref", in: file), file[(table + 16)...].starts(with: "url ".utf8) else {
      return nil
    }
    var file = file
    file.replaceSubrange(table + 12..<table + 24, with: entry)
    for name in ["moov", "trak", "mdia", "minf", "dinf", "dref"] {
      guard let box = place(of: name, in: file) else { return nil }
      let size = file[box - 4..<box].reduce(0) { $0 << 8 | Int($1) }
      file.replaceSubrange(box - 4..<box, with: number(size + entry.count - 12))
    }
    return file
  }

  private static func place(of name: String, in file: [UInt8]) -> Int? {
    let name = Array(name.utf8)
    return file.indices.last { file[$0] == name[0] && file[$0...].starts(with: name) }
  }
}

/// A file, and an address on this machine, that nobody is to touch. Both notice it.
private final class Bait {
  let path: String
  private let listener: Int32
  private let watch: Int32
  private let port: UInt16

  init(in directory: TemporaryDirectory) throws {
    path = try directory.write("bait.wav", WAVFile.bytes(.sines(rate: 44_100, channels: 1, frames: 1_000)))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_addr.s_addr) = (sa_family_t(AF_INET), UInt32(0x7F00_0001).bigEndian)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isListening else { throw KitError("nothing listens on loopback: \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    watch = inotify_init1(Int32(IN_NONBLOCK))
    guard inotify_add_watch(watch, path, UInt32(IN_OPEN | IN_ACCESS)) >= 0 else {
      throw KitError("the bait is not watched: \(errno)")
    }
  }

  deinit {
    close(listener)
    close(watch)
  }

  /// Texts that send whoever believes them to the file or to the address.
  var scripts: [String] {
    [path, "file://\(path)", "http://127.0.0.1:\(port)/a", "tcp://127.0.0.1:\(port)"].flatMap { target in
      [
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(target)\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile '\(target)'\n",
        "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period><AdaptationSet>"
          + "<Representation id=\"a\"><BaseURL>\(target)</BaseURL></Representation></AdaptationSet></Period></MPD>",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio \(port) RTP/AVP 0\n",
        "[Reference]\nRef1=\(target)\n",
      ]
    }
  }

  func expectUntouched() throws {
    #expect(accept(listener, nil, nil) == -1 && errno == EAGAIN, "somebody connected")
    var event = [UInt8](repeating: 0, count: 4_096)
    #expect(read(watch, &event, event.count) == -1 && errno == EAGAIN, "somebody opened \(path)")
    // That both notice it at all.
    #expect(try !contents(of: path).isEmpty)
    #expect(read(watch, &event, event.count) > 0)
  }
}
