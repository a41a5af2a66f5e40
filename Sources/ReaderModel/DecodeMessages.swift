// SPDX-License-Identifier: MIT
package import AudioModel
import MediaModel

/// The conversation of an agent with the process that decodes one sound for it, in the role `decode`.
///
/// The agent asks, and the other side answers; in between it may ask for bytes of the file, which the agent reads. So that process
/// has no file at all, and a disk that does not answer is never its fault. Bytes and samples travel in memory that both have; the
/// messages say how much of it counts. The agent believes nothing of what the other side says.
package enum DecodeProtocol {
  /// The version of everything below.
  package static let version: UInt16 = 1
  /// Bytes of the shared memory that samples travel in: it begins with them.
  package static let sampleBytes = 512 << 10
  /// Bytes of the shared memory, behind the samples, that pieces of the file travel in.
  package static let inputBytes = 128 << 10
  package static let memorySize = sampleBytes + inputBytes
  /// How many bytes of a file one order may ask for. A decoder that has lost its way would search the whole file, whatever its size. A
  /// seek in AAC without an index reads all that is before its target: this is ten hours of it.
  package static let mostBytesAnOrder = 512 << 20
  /// No packet is larger.
  package static let largestPacket = 4_096
  /// Bytes of the longest text in an answer.
  static let longestText = 1_024
}

/// The second message of a process in this role, after its greeting: whether it can decode at all.
package enum DecodeReadiness: Sendable, Equatable {
  /// It can, with this release of FFmpeg.
  case ready(String)
  /// It can't; the value says why, in the words of the system's loader.
  case missing(String)

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.add(DecodeProtocol.version)
    switch self {
    case .ready(let release):
      writer.add(UInt8(1))
      writer.add(text: release)
    case .missing(let reason):
      writer.add(UInt8(0))
      writer.add(text: reason)
    }
    return writer.bytes
  }

  /// The message in a packet; nil if it is none, or one of another version.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard cursor.number(2, .bigEndian) == Int(DecodeProtocol.version),
      let isReady = cursor.number(1, .bigEndian),
      let text = cursor.decodeText(), cursor.rest.isEmpty
    else { return nil }
    self = isReady == 1 ? .ready(text) : .missing(text)
  }
}

/// What the agent asks of a process that decodes.
package enum DecodeOrder: Sendable, Equatable {
  /// Open a file of this many bytes, whose container FFmpeg calls by this name.
  case open(DecodeContainer, size: Int)
  /// Decode up to this many frames into the shared memory.
  case decode(frames: Int)
  /// Decode up to this many frames, and forget them.
  case drop(frames: Int)
  /// Go to a frame.
  case seek(frame: Int)
  /// So many bytes, asked for by `DecodeReply.needs`, are in the shared memory: 0 at the end, nil if they can't be had.
  case bytes(Int?)

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    func add(_ kind: UInt8, _ number: Int) {
      writer.add(kind)
      writer.add(UInt64(bitPattern: Int64(number)))
    }
    switch self {
    case .open(let container, let size):
      add(0, size)
      writer.add(container.rawValue)
    case .decode(let frames): add(1, frames)
    case .drop(let frames): add(2, frames)
    case .seek(let frame): add(3, frame)
    case .bytes(let count): add(4, count ?? -1)
    }
    return writer.bytes
  }

  /// The order in a packet; nil if it is none.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard let kind = cursor.number(1, .bigEndian), let bits = cursor.bits() else { return nil }
    let number = Int(Int64(bitPattern: bits))
    guard number >= 0 || (kind == 4 && number == -1) else { return nil }
    switch kind {
    case 0:
      guard let code = cursor.number(1, .bigEndian), let container = DecodeContainer(rawValue: UInt8(code))
      else {
        return nil
      }
      self = .open(container, size: number)
    case 1: self = .decode(frames: number)
    case 2: self = .drop(frames: number)
    case 3: self = .seek(frame: number)
    case 4: self = .bytes(number < 0 ? nil : number)
    default: return nil
    }
    if !cursor.rest.isEmpty { return nil }
  }
}

/// The containers that are opened for decoding: one demuxer each. Which one it is our own look at the content says; nothing is tried.
package enum DecodeContainer: UInt8, Sendable, CaseIterable {
  case mp4, adts, wavPack, monkeys, windowsMedia, matroska, trueAudio, ac3, eac3, dts, dsf, dsdiff, musepack7,
    musepack8
}

/// What a process answers that decodes.
package enum DecodeReply: Sendable, Equatable {
  /// It needs so many bytes of the file first, from this offset on.
  case needs(offset: Int, count: Int)
  case opened(DecodedSound)
  /// So many frames are in the shared memory, or were forgotten; 0 at the end.
  case frames(Int)
  case sought
  case failed(DecodeFailure)

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .needs(let offset, let count):
      writer.add(UInt8(0))
      writer.add(UInt64(clamping: offset))
      writer.add(UInt32(clamping: count))
    case .opened(let sound):
      writer.add(UInt8(1))
      sound.add(to: &writer)
    case .frames(let count):
      writer.add(UInt8(2))
      writer.add(UInt32(clamping: count))
    case .sought: writer.add(UInt8(3))
    case .failed(let failure):
      writer.add(UInt8(4))
      writer.add(failure.kind.rawValue)
      writer.add(text: failure.reason)
    }
    return writer.bytes
  }

  /// The answer in a packet; nil if it is none.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    switch cursor.number(1, .bigEndian) {
    case 0:
      guard let offset = cursor.number(8, .bigEndian), let count = cursor.number(4, .bigEndian),
        (1...DecodeProtocol.inputBytes).contains(count)
      else { return nil }
      self = .needs(offset: offset, count: count)
    case 1:
      guard let sound = DecodedSound(&cursor) else { return nil }
      self = .opened(sound)
    case 2:
      guard let count = cursor.number(4, .bigEndian) else { return nil }
      self = .frames(count)
    case 3: self = .sought
    case 4:
      guard let code = cursor.number(1, .bigEndian), let kind = DecodeFailure.Kind(rawValue: UInt8(code)),
        let reason = cursor.decodeText()
      else { return nil }
      self = .failed(DecodeFailure(kind, reason))
    default: return nil
    }
    if !cursor.rest.isEmpty { return nil }
  }
}

/// A sound that was opened in the other process.
package struct DecodedSound: Sendable, Equatable {
  /// How many frames it has, as far as is known before it is decoded.
  package enum Length: Sendable, Equatable {
    case exact(Int)
    case estimated(Int)
    case unknown
  }

  package var format: AudioFormat
  package var length: Length
  /// FFmpeg's name of the coding.
  package var codec: String

  package init(format: AudioFormat, length: Length, codec: String) {
    (self.format, self.length, self.codec) = (format, length, codec)
  }

  func add(to writer: inout ByteWriter) {
    writer.add(UInt32(format.rate))
    writer.add(UInt8(format.channels))
    for position in format.layout.positions { writer.add(position.rawValue) }
    let (kind, frames): (UInt8, Int) =
      switch length {
      case .exact(let frames): (0, frames)
      case .estimated(let frames): (1, frames)
      case .unknown: (2, 0)
      }
    writer.add(kind)
    writer.add(UInt64(clamping: frames))
    writer.add(text: codec)
  }

  init?(_ cursor: inout ByteCursor) {
    guard let rate = cursor.number(4, .bigEndian), AudioFormat.rates.contains(rate),
      let channels = cursor.number(1, .bigEndian), AudioFormat.channelCounts.contains(channels),
      let codes = cursor.take(channels), let kind = cursor.number(1, .bigEndian),
      let frames = cursor.number(8, .bigEndian), let codec = cursor.decodeText()
    else { return nil }
    let positions = codes.compactMap(ChannelPosition.init(rawValue:))
    // 2^53 frames are 1,500 years at the highest rate; nothing below overflows.
    guard positions.count == channels, frames < 1 << 53 else { return nil }
    self.codec = codec
    format = AudioFormat(rate: rate, layout: ChannelLayout(positions))
    switch kind {
    case 0: length = .exact(frames)
    case 1: length = .estimated(frames)
    case 2: length = .unknown
    default: return nil
    }
  }
}

/// Why something could not be decoded, or not any further.
package struct DecodeFailure: Error, Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// The content breaks the rules of its format.
    case damaged
    /// There is no sound in it.
    case silent
    /// It is recognised, but not decoded here.
    case unsupported
    /// The process decodes no sound at all: a library is missing.
    case missing
    /// The process died of the file, or came to no end with it.
    case died
    /// No process can be started, or this one was ended from outside.
    case noProcess
  }

  package let kind: Kind
  /// The rest of a sentence that begins with the file's name.
  package let reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}

extension ByteWriter {
  /// Adds a short text with its length before it; it is cut if it is too long.
  mutating func add(text: String) {
    let text = Array(text.utf8.prefix(DecodeProtocol.longestText))
    add(UInt16(text.count))
    bytes += text
  }
}

extension ByteCursor {
  /// Takes a text as `add(text:)` writes it. What is no text in it becomes replacement characters.
  fileprivate mutating func decodeText() -> String? {
    guard let count = number(2, .bigEndian), count <= DecodeProtocol.longestText, let bytes = take(count)
    else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A process that decodes one sound at a time, as its user sees it. Used by one thread at a time; calls block.
package protocol SoundDecoding: AnyObject {
  /// Gives an order and returns its answer. While it is carried out, `supply` is called to put bytes of the file, from an offset on,
  /// to the front of a span; it returns how many those are, 0 at the end, and nil if they can't be had. After a failure that is
  /// `died` or `noProcess`, this object is of no use any more.
  func carryOut(
    _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
  ) throws(DecodeFailure) -> DecodeReply

  /// Copies the samples of the last answer to the front of `samples`, as many as that says there are.
  func copySamples(_ count: Int, into samples: inout MutableSpan<Float>)

  /// Whether the process has ended for want of work: then the same can be asked of another.
  var hasRetired: Bool { get }
}

/// Where processes come from that decode. Any thread.
package protocol SoundDecodings: Sendable {
  /// A process that nobody else uses. Blocks for some milliseconds if one has to be started.
  func take() throws(DecodeFailure) -> any SoundDecoding
  /// Gives back a process, which may be taken by the next who needs one.
  func giveBack(_ decoding: any SoundDecoding)
}
