// SPDX-License-Identifier: MIT
package import MediaModel

/// The messages between an agent and the process that reads files for it. The agent sends requests with open files; the reader answers with one
/// record for each file, in the same order.
///
/// Each message is a packet of its own. The reader first sends a `ReaderGreeting`. Then the agent sends `ReaderRequest`s, and the reader answers with
/// `ReaderPiece`s. The reader parses files that may be malicious, so the agent checks everything that it sends: decoding has limits, and no input
/// makes it trap.
package enum ReaderProtocol {
  /// The version of these messages. After an upgrade, an agent that still runs may meet a newer reader.
  package static let version: UInt16 = 2
  /// The most files of one request.
  package static let mostFiles = 16
  /// How many requests may be unanswered, so that the reader never waits for the agent.
  package static let mostInFlight = 2
  /// The most bytes of an answer in one packet. A socket takes a little more than 200 kB at once.
  package static let pieceSize = 64 << 10
  /// The largest size of a packet.
  package static let largestPacket = pieceSize + 64

  /// The longest text that is kept of a file, in bytes; longer ones are left out.
  package static let longestText = 1 << 20
  /// The largest picture that is kept, in bytes; larger ones are left out.
  package static let largestPicture = 16 << 20
  /// The most values of a field with several of them.
  static let mostValues = 256
  /// The largest record about a file's tags, in bytes. If all texts together are longer, the last ones are left out.
  package static let largestRecord = 2 << 20
}

/// The reader's first message: the version that it speaks, and which of its protections are in force.
package struct ReaderGreeting: Sendable, Equatable {
  package var version: UInt16
  package var fence: ReaderFence

  package init(version: UInt16 = ReaderProtocol.version, fence: ReaderFence) {
    (self.version, self.fence) = (version, fence)
  }

  package var bytes: [UInt8] { [UInt8(version >> 8), UInt8(version & 0xff), fence.rawValue] }

  /// The greeting in a packet; nil if the packet is not valid. A newer version may have added bytes at the end.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard let version = cursor.number(2, .bigEndian), let fence = cursor.number(1, .bigEndian) else {
      return nil
    }
    (self.version, self.fence) = (UInt16(version), ReaderFence(rawValue: UInt8(fence)))
  }
}

/// The protections around the process that reads files. Kernels and containers differ in which of them they allow; the reader works without them too.
package struct ReaderFence: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Limits on memory, processes and open files.
  package static let limits = ReaderFence(rawValue: 1)
  /// The process ends with the agent, and no other process of the user may look into it.
  package static let privacy = ReaderFence(rawValue: 2)
  /// The process can't gain rights, and can open no path (Landlock).
  package static let paths = ReaderFence(rawValue: 4)
  /// Only the system calls that reading needs are answered (seccomp).
  package static let calls = ReaderFence(rawValue: 8)

  package static let all: ReaderFence = [.limits, .privacy, .paths, .calls]

  /// The names of these protections, for a person.
  package var names: [String] {
    let parts: [(ReaderFence, String)] = [
      (.limits, "limits"), (.privacy, "privacy"), (.paths, "no paths (Landlock)"),
      (.calls, "few system calls (seccomp)"),
    ]
    return parts.filter { contains($0.0) }.map(\.1)
  }
}

/// Asks for something about several files, whose descriptors are sent in the same packet.
package struct ReaderRequest: Sendable, Equatable {
  package enum Wanted: Sendable, Equatable {
    case tags
    /// The picture in a sound file, unchanged.
    case picture
    /// The picture in a sound file, or a file that is a picture itself, as a PNG that fits into a square of this many pixels.
    case scaled(edge: Int)

    /// The size of the largest picture that is made.
    package static let largestEdge = 4_096

    /// The kind and the size as they are sent.
    fileprivate var code: (kind: UInt8, edge: UInt16) {
      switch self {
      case .tags: (0, 0)
      case .picture: (1, 0)
      case .scaled(let edge): (2, UInt16(clamping: edge))
      }
    }

    fileprivate init?(kind: Int, edge: Int) {
      switch (kind, edge) {
      case (0, 0): self = .tags
      case (1, 0): self = .picture
      case (2, 1...Self.largestEdge): self = .scaled(edge: edge)
      default: return nil
      }
    }
  }

  /// The facts about a file that the reader gets. Its path is not among them.
  package struct File: Sendable, Equatable {
    package var size: Int
    /// Whether the file's name ends like that of MPEG audio, which cannot be recognised by its first bytes.
    package var isNamedMPEG: Bool

    package init(size: Int, isNamedMPEG: Bool) { (self.size, self.isNamedMPEG) = (size, isNamedMPEG) }
  }

  /// The number of the request, which the pieces of its answer have too.
  package var number: UInt32
  package var wanted: Wanted
  /// The files, at most `ReaderProtocol.mostFiles`.
  package var files: [File]

  package init(number: UInt32, wanted: Wanted, files: [File]) {
    (self.number, self.wanted, self.files) = (number, wanted, files)
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.add(number)
    writer.add(wanted.code.kind)
    writer.add(wanted.code.edge)
    writer.add(UInt8(files.count))
    for file in files {
      writer.add(UInt64(clamping: file.size))
      writer.add(UInt8(file.isNamedMPEG ? 1 : 0))
    }
    return writer.bytes
  }

  /// The request in a packet; nil if the packet is not valid.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard let number = cursor.number(4, .bigEndian), let kind = cursor.number(1, .bigEndian),
      let edge = cursor.number(2, .bigEndian), let wanted = Wanted(kind: kind, edge: edge),
      let count = cursor.number(1, .bigEndian),
      (1...ReaderProtocol.mostFiles).contains(count)
    else { return nil }
    var files: [File] = []
    for _ in 0..<count {
      guard let size = cursor.number(8, .bigEndian), let mark = cursor.number(1, .bigEndian) else {
        return nil
      }
      files.append(File(size: size, isNamedMPEG: mark == 1))
    }
    guard cursor.rest.isEmpty else { return nil }
    self.init(number: UInt32(number), wanted: wanted, files: files)
  }
}

/// A part of the answer to one request, in one packet.
package struct ReaderPiece: Sendable, Equatable {
  package var number: UInt32
  package var isLast: Bool
  package var content: ArraySlice<UInt8>

  package init(number: UInt32, isLast: Bool, content: ArraySlice<UInt8>) {
    (self.number, self.isLast, self.content) = (number, isLast, content)
  }

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.add(number)
    writer.add(UInt8(isLast ? 1 : 0))
    writer.bytes += content
    return writer.bytes
  }

  /// The piece in a packet; nil if the packet is not valid.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard let number = cursor.number(4, .bigEndian), let last = cursor.number(1, .bigEndian), last < 2 else {
      return nil
    }
    self.init(number: UInt32(number), isLast: last == 1, content: cursor.rest)
  }

  /// An answer cut into pieces; an empty answer is one piece.
  package static func pieces(of answer: [UInt8], number: UInt32) -> [ReaderPiece] {
    let starts = stride(from: 0, to: max(1, answer.count), by: ReaderProtocol.pieceSize)
    return starts.map { start in
      let end = min(answer.count, start + ReaderProtocol.pieceSize)
      return ReaderPiece(number: number, isLast: end == answer.count, content: answer[start..<end])
    }
  }
}

/// Joins the pieces of one answer. It takes no more memory than a correct answer needs.
package struct ReaderAnswers: Sendable {
  /// Thrown for a piece that no correct reader sends. The caller ends the reader.
  package struct Nonsense: Error {
    package init() {}
  }

  private let request: ReaderRequest
  private var bytes: [UInt8] = []

  /// The answer to a request, before its first piece has come.
  package init(to request: ReaderRequest) { self.request = request }

  package var number: UInt32 { request.number }

  /// Takes the next piece. Returns the answer for each file if this was the last piece, and nil otherwise.
  package mutating func take(_ piece: ReaderPiece) throws(Nonsense) -> [ReaderAnswer]? {
    let most = request.wanted == .tags ? ReaderProtocol.largestRecord : ReaderProtocol.largestPicture + 64
    // Every piece but the last must be full; otherwise a malicious reader could send tiny pieces for ever.
    guard piece.number == number, piece.isLast || piece.content.count == ReaderProtocol.pieceSize,
      bytes.count + piece.content.count <= request.files.count * (most + 8)
    else { throw Nonsense() }
    bytes += piece.content
    return piece.isLast ? try decoded() : nil
  }

  private func decoded() throws(Nonsense) -> [ReaderAnswer] {
    var cursor = ByteCursor(bytes)
    var answers: [ReaderAnswer] = []
    for _ in request.files {
      guard let size = cursor.number(4, .bigEndian), let record = cursor.take(size),
        let answer = ReaderAnswer(record), answer.fits(request.wanted)
      else { throw Nonsense() }
      answers.append(answer)
    }
    guard cursor.rest.isEmpty else { throw Nonsense() }
    return answers
  }
}

/// Collects numbers and bytes for a message.
struct ByteWriter {
  var bytes: [UInt8] = []

  /// Adds a number, its highest byte first.
  mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}

/// The reader's answer about one file.
package enum ReaderAnswer: Sendable, Equatable {
  case tags(FileTags)
  /// The embedded picture; nil if the file has none in a format that desktops show.
  case picture(CoverPicture?)
  case failure(ReadFailure)

  /// Whether this may be the answer to a request for `wanted`.
  func fits(_ wanted: ReaderRequest.Wanted) -> Bool {
    switch self {
    case .tags: wanted == .tags
    case .picture(let picture):
      switch wanted {
      case .tags: false
      case .picture: true
      case .scaled: picture.map { $0.format == .png } ?? true
      }
    case .failure: true
    }
  }

  /// The answer as a record, after its length, in the form in which it is sent.
  package var bytes: [UInt8] {
    let record = record
    var writer = ByteWriter()
    writer.add(UInt32(record.count))
    return writer.bytes + record
  }

  private var record: [UInt8] {
    switch self {
    case .tags(let tags): TagsRecord.bytes(of: tags)
    case .picture(let picture): [Kind.picture] + (picture?.bytes ?? [])
    case .failure(.unreadable(let code)):
      [Kind.unreadable] + (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
    case .failure(.unknownFormat): [Kind.unknownFormat]
    // Of all failures, the reader itself can only find that a file is broken. The agent finds the others.
    case .failure: [Kind.broken]
    }
  }

  /// The answer in a record; nil if the record is not valid.
  init?(_ record: ArraySlice<UInt8>) {
    guard let kind = record.first else { return nil }
    let rest = record.dropFirst()
    switch kind {
    case Kind.tags:
      guard let tags = TagsRecord.tags(in: rest) else { return nil }
      self = .tags(tags)
    case Kind.picture:
      guard !rest.isEmpty else {
        self = .picture(nil)
        return
      }
      // The picture's headers are checked again here, because the reader may send anything.
      guard let picture = CoverPicture(Array(rest)) else { return nil }
      self = .picture(picture)
    case Kind.unreadable:
      var cursor = ByteCursor(rest)
      guard let code = cursor.number(4, .bigEndian), cursor.rest.isEmpty else { return nil }
      self = .failure(.unreadable(Int32(truncatingIfNeeded: code)))
    case Kind.unknownFormat: self = .failure(.unknownFormat)
    case Kind.broken: self = .failure(.broken)
    default: return nil
    }
  }

  /// The first byte of a record, which tells the kind of answer.
  enum Kind {
    static let tags: UInt8 = 0
    static let picture: UInt8 = 1
    static let unreadable: UInt8 = 2
    static let unknownFormat: UInt8 = 3
    static let broken: UInt8 = 4
  }
}
