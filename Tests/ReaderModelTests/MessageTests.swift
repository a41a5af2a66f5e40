// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel
import Testing

@testable import ReaderModel

@Suite("Messages of agent and reader")
struct MessageTests {
  /// Tags with a value in each field.
  private static var full: FileTags {
    var tags = MediaTags()
    tags.title = "Süße Töne"
    tags.artist = ["One", "Two", ""]
    tags.album = "Album"
    tags.albumArtist = ["Three"]
    tags.composer = ["Four"]
    tags.genre = ["Folk", "Jazz"]
    tags.duration = .milliseconds(123_456) + .nanoseconds(7)
    (tags.track, tags.trackCount, tags.disc, tags.discCount) = (3, 12, 1, .max)
    tags.date = MediaDate(text: "1997-05-20T07:08:09+02:00")
    tags.bpm = 127.5
    (tags.comment, tags.lyrics) = ("a\nremark", "\u{1b}[31mla la")
    tags.isCompilation = true
    tags.mediaType = .audiobook
    tags.loudness = Loudness(trackGain: -6.5, trackPeak: 0.99, albumGain: 0, albumPeak: 1.5)
    tags.sort = SortNames(title: "T", artist: "A", album: "B", albumArtist: "C", composer: "D")
    return FileTags(
      tags: tags, format: AudioFormat(rate: 44_100, channels: 6), kilobits: 320, hasPicture: true,
      fingerprint: AudioFingerprint(high: 1, low: .max))
  }

  private static let picture = CoverPicture(
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xf9, 4, 0, 0, 0, 0, 0]
      + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b])

  private static let answers: [ReaderAnswer] = [
    .tags(full), .tags(FileTags()), .picture(picture), .picture(nil), .failure(.unreadable(5)),
    .failure(.unknownFormat), .failure(.broken),
  ]

  private func request(_ count: Int, _ wanted: ReaderRequest.Wanted) -> ReaderRequest {
    ReaderRequest(
      number: 7, wanted: wanted,
      files: (0..<count).map { .init(size: $0 * 1_000_003, isNamedMPEG: $0 % 2 == 0) })
  }

  @Test("what one side says is what the other hears")
  func roundTrips() throws {
    #expect(Self.picture != nil)
    for answer in Self.answers {
      #expect(ReaderAnswer(answer.bytes.dropFirst(4)) == answer, "\(answer)")
    }
    for count in 1...ReaderProtocol.mostFiles {
      #expect(ReaderRequest(request(count, .tags).bytes) == request(count, .tags))
    }
    let greeting = ReaderGreeting(fence: [.limits, .calls])
    #expect(ReaderGreeting(greeting.bytes) == greeting)
    #expect(ReaderGreeting(greeting.bytes + [1, 2, 3]) == greeting)
    #expect(greeting.fence.names == ["limits", "few system calls (seccomp)"])
  }

  @Test(
    "an answer of any size arrives, in packets that a socket takes",
    arguments: [0, 1, 65_536, 65_537, 400_000])
  func pieces(size: Int) throws {
    var file = Self.full
    file.tags.lyrics = String(repeating: "x", count: size)
    let answers: [ReaderAnswer] = [.tags(file), .failure(.broken), .tags(Self.full)]
    var taken = ReaderAnswers(to: request(3, .tags))
    var found: [ReaderAnswer]?
    for piece in ReaderPiece.pieces(of: answers.flatMap(\.bytes), number: 7) {
      #expect(found == nil)
      #expect(piece.bytes.count <= ReaderProtocol.largestPacket)
      found = try taken.take(#require(ReaderPiece(piece.bytes)))
    }
    #expect(found == answers)
  }

  @Test("texts that do not fit into a record are left out, the lyrics first")
  func tooLong() throws {
    var file = Self.full
    file.tags.lyrics = String(repeating: "x", count: ReaderProtocol.longestText)
    file.tags.comment = String(repeating: "y", count: ReaderProtocol.longestText)
    file.tags.genre = Array(repeating: "z", count: 10_000)
    let bytes = ReaderAnswer.tags(file).bytes
    #expect(bytes.count <= ReaderProtocol.largestRecord)
    file.tags.genre = Array(repeating: "z", count: 256)
    file.tags.lyrics = nil
    #expect(ReaderAnswer(bytes.dropFirst(4)) == .tags(file))
    // Many values that are left out take some room, too.
    file.tags.title = String(repeating: "t", count: ReaderProtocol.longestText)
    file.tags.album = String(repeating: "a", count: ReaderProtocol.longestText - 400)
    let values = (0..<256).map { String(repeating: "v", count: 400) + "\($0)" }
    (file.tags.artist, file.tags.composer) = (values, values)
    #expect(ReaderAnswer.tags(file).bytes.count <= ReaderProtocol.largestRecord)
  }

  @Test("an answer to something else, or a longer one than any reader gives, is nonsense")
  func nonsense() throws {
    let picture = ReaderPiece(number: 7, isLast: true, content: ReaderAnswer.picture(nil).bytes[...])
    var other = ReaderAnswers(to: request(1, .tags))
    #expect(throws: ReaderAnswers.Nonsense.self) { try other.take(picture) }
    var few = ReaderAnswers(to: request(2, .picture))
    #expect(throws: ReaderAnswers.Nonsense.self) { try few.take(picture) }
    var late = ReaderAnswers(to: request(1, .picture))
    #expect(throws: ReaderAnswers.Nonsense.self) {
      try late.take(ReaderPiece(number: 8, isLast: true, content: picture.content))
    }
    var endless = ReaderAnswers(to: request(1, .tags))
    let size = ReaderProtocol.pieceSize
    let flood = ReaderPiece(number: 7, isLast: false, content: [UInt8](repeating: 0, count: size)[...])
    for _ in 0..<ReaderProtocol.largestRecord / size { #expect(try endless.take(flood) == nil) }
    #expect(throws: ReaderAnswers.Nonsense.self) { try endless.take(flood) }
    // A piece that is short is the last one, or the reader would keep its caller waiting with nothing at all.
    var empty = ReaderAnswers(to: request(1, .tags))
    #expect(throws: ReaderAnswers.Nonsense.self) {
      try empty.take(ReaderPiece(number: 7, isLast: false, content: []))
    }
  }

  @Test("a reader that lies can say what it wants", arguments: 0..<40)
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let messages: [[UInt8]] =
      Self.answers.map(\.bytes) + [request(3, .tags).bytes, ReaderGreeting(fence: .all).bytes]
    for message in messages {
      for _ in 0..<200 {
        var damaged = message
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          guard !damaged.isEmpty else { break }
          let at = Int.random(in: damaged.indices, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: damaged.removeSubrange(at...)
          case 1: damaged.remove(at: at)
          case 2: damaged.insert(0xff, at: at)
          case 3: damaged[at] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
          default: damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          }
        }
        survive(damaged)
      }
    }
  }

  /// Decodes bytes as everything that they could be.
  private func survive(_ bytes: [UInt8]) {
    _ = ReaderGreeting(bytes)
    _ = ReaderRequest(bytes)
    _ = ReaderPiece(bytes)
    if let answer = ReaderAnswer(bytes.dropFirst(4)), case .tags(let file) = answer {
      #expect((file.tags.bpm ?? 0).isFinite)
      #expect((file.tags.loudness.trackGain ?? 0).isFinite)
      #expect(file.tags.artist.count <= 256)
      // Whoever has it can show it, and send it on.
      _ = ReaderAnswer.tags(file).bytes
      _ = "\(file)"
    }
    for wanted in [ReaderRequest.Wanted.tags, .picture, .scaled(edge: 1), .scaled(edge: 4_096)] {
      var answers = ReaderAnswers(to: request(1, wanted))
      _ = try? answers.take(ReaderPiece(number: 7, isLast: true, content: bytes[...]))
    }
  }
}
