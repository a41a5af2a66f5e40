// SPDX-License-Identifier: MIT

/// Where the sound lies in an MP3 or MP2 file, and what the file says about it.
struct MPEGStream {
  let source: any ByteSource
  /// The bytes of all frames, including the one with the Info tag, but of no other tags.
  let range: Range<Int>
  /// The first frame's header.
  let header: MPEGFrameHeader
  /// What the Info tag says.
  let tag: InfoTag?
  /// The bytes of the frames that have sound: `range` without the Info tag's frame.
  let sound: Range<Int>
  /// Whether the first frame of sound needs no data of a frame before it.
  let standsAlone: Bool

  /// By how many samples a decoder of layer III delivers the sound later than the encoder's delay says.
  static let decoderDelay = 529
  /// No frame is longer.
  private static let largestFrame = 4_608

  /// Surveys content that has MPEG audio; nil if it hasn't.
  init?(_ content: Content) throws(DecodeError) {
    guard let offset = MPEGSync(content).firstFrame else { return nil }
    source = content.source
    let start = content.start + offset
    range = start..<max(start, try ClosingTags.start(in: source, after: start))
    let frame = try source.bytes(at: start, count: Self.largestFrame)
    guard let header = MPEGFrameHeader(frame) else { return nil }
    self.header = header
    tag = InfoTag(frame: Array(frame.prefix(header.frameSize ?? Self.largestFrame)), header: header)
    let soundStart = tag == nil ? start : min(range.upperBound, start + (header.frameSize ?? 0))
    sound = soundStart..<range.upperBound
    standsAlone = Self.standsAlone(try source.bytes(at: soundStart, count: 8))
  }

  /// How many samples a decoder cuts at the front.
  var lead: Int { tag?.encoder.map { $0.delay + Self.decoderDelay } ?? 0 }

  /// How many of the last samples that come out of the decoder are padding.
  var excess: Int { max(0, (tag?.encoder?.padding ?? 0) - Self.decoderDelay) }

  /// How many frames of sound the tag states. Nil without a tag, if the tag is about a file of another size, or if its
  /// writer may have counted the tag's own frame.
  var statedLength: Int? {
    guard let frames = tag?.frames, !isCutShort, !isTooLong, tag?.countsSoundOnly == true else { return nil }
    return max(0, frames * header.soundFrames - lead - excess)
  }

  /// How many of the `made` frames that come out of the decoder are heard when the lead and the padding are cut. The
  /// padding ends where the tag says that the last frame ends (`stated`), or at the true end if there are more frames.
  func heard(of made: Int, where stated: Int) -> Int {
    max(0, (made > stated ? made - excess : min(made, stated - excess)) - lead)
  }

  /// Whether the tag states more bytes than there are. A tag that counts the file's other tags too is accepted.
  var isCutShort: Bool { (tag?.bytes).map { $0 > source.size - range.lowerBound } ?? false }

  /// Whether there are more frames than the tag states, as in files that were appended to each other.
  private var isTooLong: Bool { (tag?.bytes).map { range.count > $0 + Self.largestFrame } ?? false }

  /// Whether an encoder cut one sound so that this file goes on where the other one ends.
  ///
  /// Encoders that write a tag say so in it. LAME usually leaves the tag out of such files. Two files without tags can
  /// be played as one: nothing is cut from either, and what the decoder remembers of the first belongs to the second.
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
