// SPDX-License-Identifier: MIT
package import AudioModel
import MediaModel

/// The messages between an agent and the process that decodes one sound for it, in the role `decode`.
///
/// The agent sends orders, and the process answers; before its answer it may ask for bytes of the file, which the agent reads. So that process has no
/// access to any file, and never hangs on a disk. Bytes and samples are passed in shared memory; the messages say how much of it is valid. The agent
/// checks everything that the process sends.
package enum DecodeProtocol {
  /// The version of these messages. The agent refuses a process of another version.
  package static let version: UInt16 = 3
  /// The size of the part of the shared memory for samples, which comes first.
  package static let sampleBytes = 1 << 20
  /// The size of the part of the shared memory for pieces of the file, which follows.
  package static let inputBytes = 128 << 10
  package static let memorySize = sampleBytes + inputBytes
  /// How many bytes of a file one order may ask for. Without a limit, a decoder that finds no frame would search the whole file, however large it is.
  package static let mostBytesAnOrder = 512 << 20

  /// How many bytes an order in a file of this size may ask for. In a container without an index, such as DSF, FFmpeg seeks by reading everything
  /// before the place, and it may have to begin twice.
  package static func mostBytes(for order: DecodeOrder, inFileOf size: Int) -> Int {
    guard case .seek = order else { return mostBytesAnOrder }
    return max(mostBytesAnOrder, size < 1 << 48 ? size * 9 / 4 : size)
  }
  /// The largest size of a packet.
  package static let largestPacket = 4_096
  /// The longest text in an answer, in bytes.
  static let longestText = 1_024
}

/// The second message of a process in the role `decode`, after its greeting: whether it can decode.
package enum DecodeReadiness: Sendable, Equatable {
  /// The process can decode, with this release of FFmpeg.
  case ready(String)
  /// The process can't decode; the text says why, in the words of the system's loader.
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

  /// The message in a packet; nil if the packet is not valid, or of another version.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    guard cursor.number(2, .bigEndian) == Int(DecodeProtocol.version),
      let isReady = cursor.number(1, .bigEndian),
      let text = cursor.decodeText(), cursor.rest.isEmpty
    else { return nil }
    self = isReady == 1 ? .ready(text) : .missing(text)
  }
}

/// An order of the agent to a process that decodes.
package enum DecodeOrder: Sendable, Equatable {
  /// Open a file of this size in this container.
  case open(DecodeContainer, size: Int)
  /// Decode up to this many frames into the shared memory.
  case decode(frames: Int)
  /// Decode up to this many frames, and drop them.
  case drop(frames: Int)
  case seek(frame: Int)
  /// The bytes that `DecodeReply.needs` asked for are in the shared memory: this many, 0 at the end of the file, nil if they can't be had.
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

  /// The order in a packet; nil if the packet is not valid.
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

/// The containers that can be decoded, one for each demuxer. We find out the container from the content; FFmpeg does not guess.
package enum DecodeContainer: UInt8, Sendable, CaseIterable {
  case mp4, adts, wavPack, monkeys, windowsMedia, matroska, trueAudio, ac3, eac3, dts, dsf, dsdiff, musepack7,
    musepack8
}

/// The answer of a process that decodes.
package enum DecodeReply: Sendable, Equatable {
  /// The process needs this many bytes of the file first, from this offset on.
  case needs(offset: Int, count: Int)
  case opened(DecodedSound)
  /// This many frames are in the shared memory, or were dropped; 0 at the end.
  case frames(Int)
  /// The sound is at the place that was asked for, or before it: then this many frames have to be dropped to get there. In a sound that can only be
  /// decoded from its beginning they are many, and dropping all of them for one order could take too long.
  case sought(framesLeft: Int)
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
    case .sought(let left):
      writer.add(UInt8(3))
      writer.add(UInt64(clamping: left))
    case .failed(let failure):
      writer.add(UInt8(4))
      writer.add(failure.kind.rawValue)
      writer.add(text: failure.reason)
    }
    return writer.bytes
  }

  /// The answer in a packet; nil if the packet is not valid.
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
    case 3:
      guard let left = cursor.number(8, .bigEndian) else { return nil }
      self = .sought(framesLeft: left)
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

/// The description of a sound that the other process has opened.
package struct DecodedSound: Sendable, Equatable {
  /// How many frames the sound has, as far as that is known before it is decoded.
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

/// Why a sound could not be decoded, or not any further.
package struct DecodeFailure: Error, Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// The content breaks the rules of its format.
    case damaged
    /// There is no sound in the file.
    case silent
    /// The format is recognised, but not decoded here.
    case unsupported
    /// The decoding process can decode no file at all, because a library that it needs is not installed.
    case missing
    /// The process died of the file, or did not finish with it in time.
    case died
    /// No process can be started, or the process was ended from outside.
    case noProcess
  }

  package let kind: Kind
  /// The reason, worded as the rest of a sentence that begins with the file's name.
  package let reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }
}

extension ByteWriter {
  /// Adds the length of a text in two bytes, and the text. It is cut if it is longer than `DecodeProtocol.longestText`.
  mutating func add(text: String) {
    let text = Array(text.utf8.prefix(DecodeProtocol.longestText))
    add(UInt16(text.count))
    bytes += text
  }
}

extension ByteCursor {
  /// Takes a text as `add(text:)` writes it. Bytes that are not valid UTF-8 become replacement characters.
  fileprivate mutating func decodeText() -> String? {
    guard let count = number(2, .bigEndian), count <= DecodeProtocol.longestText, let bytes = take(count)
    else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A process that decodes one sound at a time. Used by one thread at a time; calls block.
package protocol SoundDecoding: AnyObject {
  /// Gives an order and returns its answer. Meanwhile `supply` is called with an offset and a span: it puts bytes of the file, from that offset on,
  /// at the front of the span, and returns how many there are, 0 at the end, or nil if they can't be had. After a failure that is `died` or
  /// `noProcess`, this object can't be used any more.
  func carryOut(
    _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
  ) throws(DecodeFailure) -> DecodeReply

  /// Copies `count` samples of the last answer, from number `start` on, to the front of `samples`. Traps if the answer had fewer.
  func copySamples(from start: Int, _ count: Int, into samples: inout MutableSpan<Float>)

  /// Whether the process has ended for lack of work. If so, the same order can be given to another process.
  var hasRetired: Bool { get }
}

/// A supply of processes that decode. Safe on any thread.
package protocol SoundDecodings: Sendable {
  /// A process that nobody else uses. Blocks for some milliseconds if one has to be started.
  func take() throws(DecodeFailure) -> any SoundDecoding
  /// Gives back a process, for others to take.
  func giveBack(_ decoding: any SoundDecoding)
}

/// Advice for a library that the system's loader did not find.
package enum MissingLibrary {
  /// The advice, worded as the end of a sentence. `reason` is the loader's message, such as "libavformat.so.59: cannot open shared object file: No
  /// such file or directory".
  package static func advice(_ reason: String) -> String {
    if let package = package(in: reason) { return "needs FFmpeg: install the package \(package)" }
    return "needs FFmpeg, with which this fermata was not built: install libavformat-dev and build it anew"
  }

  /// The package of Debian and Ubuntu that has the missing library, to tell the user what to install. It is made from the library's name and number,
  /// as in "libavformat59".
  static func package(in reason: String) -> String? {
    let file = reason.prefix { $0 != ":" }
    let name = file.split(separator: "/").last ?? file
    let parts = name.split(separator: ".")
    guard parts.count >= 3, parts[1] == "so", let number = Int(parts[2]), number > 0,
      parts[0].utf8.starts(with: "lib".utf8),
      parts[0].allSatisfy({ $0.isLetter })
    else { return nil }
    return "\(parts[0])\(number)"
  }
}
