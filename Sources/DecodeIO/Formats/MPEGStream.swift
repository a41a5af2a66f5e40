// SPDX-License-Identifier: MIT
import MediaModel

/// Where the sound lies in an MP3 or MP2 file, and what its tag says about it.
struct MPEGStream {
  let source: any ByteSource
  /// The bytes of all frames, including the one with the Info tag. Left out are other tags, and the frame that has Fraunhofer's tag (VBRI).
  let range: Range<Int>
  let header: MPEGFrameHeader
  let tag: InfoTag?
  /// The bytes of the frames that have sound: `range` without the Info tag's frame.
  let sound: Range<Int>
  /// Whether the first frame of sound needs no data of a frame before it.
  let standsAlone: Bool

  /// How many samples a decoder of layer III delays the sound by, in addition to the encoder's delay.
  static let decoderDelay = 529
  /// The size of the longest frame in bytes.
  private static let largestFrame = 4_608

  /// Reads the first frame and finds the tags at the end. Nil if the content does not begin with a frame.
  init?(_ content: Content) throws(DecodeError) {
    source = content.source
    let start = try content.start + Self.sizeOfVBRI(in: source, at: content.start)
    let frame = try source.bytes(at: start, count: Self.largestFrame)
    guard let header = MPEGFrameHeader(frame) else { return nil }
    self.header = header
    tag = InfoTag(frame: Array(frame.prefix(header.frameSize ?? Self.largestFrame)), header: header)
    let end = max(start, try ClosingTags.start(in: source, after: start))
    range = start..<(try Self.statedEnd(in: source, start..<end, tag) ?? end)
    let soundStart = tag == nil ? start : min(range.upperBound, start + (header.frameSize ?? 0))
    sound = soundStart..<range.upperBound
    standsAlone = Self.standsAlone(try source.bytes(at: soundStart, count: 8))
  }

  /// Where the sound ends by its tag, if what follows there is junk; otherwise nil.
  private static func statedEnd(
    in source: any ByteSource, _ range: Range<Int>, _ tag: InfoTag?
  ) throws(DecodeError) -> Int? {
    guard let tag, tag.hasKnownWriter, let bytes = tag.bytes, bytes > 0, bytes < range.count - largestFrame,
      case let end = range.lowerBound + bytes, try isJunk(source, from: end, to: range.upperBound)
    else { return nil }
    return end
  }

  /// Whether these bytes behind the sound are neither a tag nor more sound. They may be of another file that was appended by mistake. libmpg123 would take
  /// some of them for frames and play these as loud noise.
  private static func isJunk(_ source: any ByteSource, from start: Int, to end: Int) throws(DecodeError)
    -> Bool
  {
    let bytes = try source.bytes(at: start, count: min(end - start, FileContent.headSize))
    let tags = ["TAG", "APETAGEX", "LYRICSBEGIN", "ID3"]
    if tags.contains(where: { bytes.starts(with: $0.utf8) }) { return false }
    return MPEGSync(bytes, isWhole: bytes.count == end - start).firstFrame == nil
  }

  /// The size of the frame at an offset if it is the one with Fraunhofer's tag, else 0. It holds no sound, and libmpg123 would play it. What it
  /// says of the length is read with the other tags.
  private static func sizeOfVBRI(in source: any ByteSource, at start: Int) throws(DecodeError) -> Int {
    let frame = try source.bytes(at: start, count: vbriOffset + 4)
    guard let header = MPEGFrameHeader(frame), header.layer == 3, let size = header.frameSize,
      frame.dropFirst(vbriOffset).elementsEqual("VBRI".utf8), start + size < source.size
    else { return 0 }
    return size
  }

  // Where in its frame Fraunhofer's tag begins, whatever the MPEG version and the channels.
  private static let vbriOffset = 36

  /// How many samples are cut at the front, because encoder and decoder put them before the sound.
  var lead: Int { tag?.encoder.map { $0.delay + Self.decoderDelay } ?? 0 }

  /// How many of the last samples that come out of the decoder are padding.
  var excess: Int { max(0, (tag?.encoder?.padding ?? 0) - Self.decoderDelay) }

  /// How many frames of sound the tag states. Nil without a tag, if the tag belongs to a file of another size, or if its writer may have counted the
  /// tag's own frame.
  var statedLength: Int? {
    guard let frames = tag?.frames, !isCutShort, !isTooLong, tag?.countsSoundOnly == true else { return nil }
    return max(0, frames * header.soundFrames - lead - excess)
  }

  /// The average number of bits per second; nil without a tag that counts the frames. A single frame shows only its own bit rate, and others may
  /// differ.
  var bitRate: Double? {
    guard let frames = tag?.frames, frames > 0, statedLength != nil else { return nil }
    return Double(sound.count) * 8 * Double(header.rate) / (Double(frames) * Double(header.soundFrames))
  }

  /// How many of the `made` frames that come out of the decoder are heard when the lead and the padding are cut. The
  /// padding ends where the tag says that the last frame ends (`stated`), or at the true end if there are more frames.
  func heard(of made: Int, where stated: Int) -> Int {
    max(0, (made > stated ? made - excess : min(made, stated - excess)) - lead)
  }

  /// Whether the tag states more bytes than there are. A tag whose count includes the file's other tags is accepted.
  var isCutShort: Bool { (tag?.bytes).map { $0 > source.size - range.lowerBound } ?? false }

  /// Whether there are more frames than the tag states, as in files that were appended to each other.
  private var isTooLong: Bool { (tag?.bytes).map { range.count > $0 + Self.largestFrame } ?? false }

  /// Whether an encoder cut one sound so that this file goes on where the other one ends.
  ///
  /// Encoders that write a tag say so in the tag. LAME usually leaves the tag out of such files, so two files without tags count as one sound.
  /// Playing them as one is safe: nothing is cut from either, and the decoder goes from the first to the second without a reset.
  func continues(_ other: MPEGStream) -> Bool {
    guard header.continues(other.header), standsAlone else { return false }
    switch (other.tag, tag) {
    case (nil, nil): return true
    case (let previous?, let this?):
      guard let previous = previous.encoder, let this = this.encoder else { return false }
      return previous.hasNext && this.hasPrevious && previous.name == this.name && other.excess == 0
    default: return false
    }
  }

  /// Whether a frame needs no data of earlier ones. In layer III a frame's data may begin in the frames before it; the
  /// side information says how far back.
  private static func standsAlone(_ frame: [UInt8]) -> Bool {
    guard frame.count == 8, let header = MPEGFrameHeader(frame), header.layer == 3 else {
      return frame.count == 8
    }
    let start = header.sideInformation.lowerBound
    return frame[start] == 0 && (header.version != .one || frame[start + 1] & 0x80 == 0)
  }
}

/// The tag that encoders write into a silent first frame. It says how long the sound is, and how much to cut from its ends.
///
/// Xing's part gives the numbers of frames and bytes, LAME's part the numbers of samples that the encoder added before and after the sound.
struct InfoTag: Equatable {
  /// The number of frames with data; nil if the tag does not say. It should not include the frame with the tag; see `countsSoundOnly`.
  let frames: Int?
  /// How many bytes the sound has, the tag's own frame included; nil if the tag does not say.
  let bytes: Int?
  /// What the encoder says of itself and of the samples that it added, in LAME's part of the tag; nil if the tag has no such part.
  let encoder: Encoder?

  struct Encoder: Equatable {
    /// The encoder's name and version: "LAME3.100".
    let name: [UInt8]
    /// How many samples the encoder added before the sound.
    let delay: Int
    /// How many samples the encoder added after the sound.
    let padding: Int
    /// Whether one sound was cut into several files, and another one comes after this.
    let hasNext: Bool
    /// Whether one sound was cut into several files, and another one comes before this.
    let hasPrevious: Bool
  }

  /// Reads the tag in a frame of layer III; nil if it has none.
  init?(frame: [UInt8], header: MPEGFrameHeader) {
    // The tag is at the same place whether or not the frame has a checksum.
    var cursor = ByteCursor(frame.dropFirst(MPEGFrameHeader.size + header.sideInformation.count))
    guard header.layer == 3, cursor.take(mark: "Xing".utf8) || cursor.take(mark: "Info".utf8),
      let flags = cursor.number(4, .bigEndian)
    else { return nil }
    frames = flags & 1 != 0 ? cursor.number(4, .bigEndian) : nil
    bytes = flags & 2 != 0 ? cursor.number(4, .bigEndian) : nil
    // Two fields to skip: a table for seeking, and the encoder's own rating of its quality.
    let isWhole = (flags & 4 == 0 || cursor.take(100) != nil) && (flags & 8 == 0 || cursor.take(4) != nil)
    encoder = isWhole ? cursor.take(Encoder.size).flatMap { Encoder(Array($0)) } : nil
  }

  /// Whether `frames` is known to leave out the frame with the tag. LAME and FFmpeg leave it out. iTunes and the encoder of mp3HD count it, and for
  /// other writers it is not known.
  var countsSoundOnly: Bool { isBy("LAME", "Lavc", "Lavf") }

  /// Whether the tag's delay and padding can be trusted, because it was written by a known encoder.
  var hasKnownWriter: Bool { countsSoundOnly || isBy("iTunes") }

  private func isBy(_ names: String...) -> Bool {
    guard let encoder else { return false }
    return names.contains { encoder.name.starts(with: $0.utf8) }
  }
}

extension InfoTag.Encoder {
  fileprivate static let size = 24

  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes[0] != 0 else { return nil }
    name = Array(bytes[..<9])
    delay = Int(bytes[21]) << 4 | Int(bytes[22]) >> 4
    padding = (Int(bytes[22]) & 0x0F) << 8 | Int(bytes[23])
    hasNext = bytes[19] & 0x40 != 0
    hasPrevious = bytes[19] & 0x80 != 0
  }
}

/// The tags that come after the sound: ID3v1, APEv2, Lyrics3 and ID3v2 with a footer.
enum ClosingTags {
  /// The offset at which the sound that begins at `start` ends. Reads a few bytes of each tag and never a whole tag.
  static func start(in source: any ByteSource, after start: Int) throws(DecodeError) -> Int {
    var end = source.size
    // There are four kinds, and one tag of each at most. If a file has more, the decoder skips them as junk.
    for _ in 0..<4 {
      let size = try sizeOfTag(in: source, endingAt: end)
      guard size > 0, size <= end - start else { break }
      end -= size
    }
    return end
  }

  private static func sizeOfTag(in source: any ByteSource, endingAt end: Int) throws(DecodeError) -> Int {
    let window = min(end, 128)
    let tail = try source.bytes(at: end - window, count: window)
    if tail.count == 128, tail.starts(with: "TAG".utf8) { return 128 }
    if let size = sizeOfAPE(tail.suffix(32)) { return size }
    if let size = sizeOfLyrics(tail.suffix(15)) { return size }
    return sizeOfID3(tail.suffix(10)) ?? 0
  }

  private static func sizeOfAPE(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { return nil }
    let bytes = Array(footer)
    let size = bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    let hasHeader = bytes[23] & 0x80 != 0
    return max(32, size) + (hasHeader ? 32 : 0)
  }

  private static func sizeOfLyrics(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 15, footer.dropFirst(6).elementsEqual("LYRICS200".utf8) else { return nil }
    let digits = footer.prefix(6)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } + 15
  }

  private static func sizeOfID3(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 10, footer.starts(with: "3DI".utf8) else { return nil }
    return ID3v2.size(Array("ID3".utf8) + footer.dropFirst(3))
  }
}
