// SPDX-License-Identifier: MIT
import AudioModel
import COpus
import TimelineModel

/// Decodes Opus in Ogg with libopusfile.
///
/// A chained stream plays through as one sound as long as its parts have the same channels. If pages were lost or are damaged, the sound goes on
/// after the gap, and the missing frames are not counted.
final class OpusDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  /// The next frame, counted by the frames that the library delivers, as the times that the pages state may be wrong.
  private(set) var position = 0

  let coding: SoundCoding?

  private let content: Content
  private var handle: OpusHandle
  private var isAtEnd = false
  /// Whether `position` was counted from the beginning of the sound: no seek has skipped a frame.
  private var isCounted = true
  /// Whether the times that the pages state are right. Some servers write wrong ones: then a place can be found only by decoding everything before
  /// it.
  private var hasTrueTimes: Bool

  /// The codec's own rate, whatever rate the sound had before it was encoded.
  private static let rate = 48_000
  /// How many frames before the target of a seek are decoded and dropped: a second. The library itself decodes 80 ms,
  /// as the format's specification asks for, and after that music is still off by a tenth of full scale. After a second
  /// it is exact.
  private static let runUp = 48_000

  init(_ content: Content) throws(DecodeError) {
    let handle = try OpusHandle(content)
    try content.check(channels: handle.channels)
    format = try content.format(rate: Self.rate, layout: .xiph(channels: handle.channels))
    hasTrueTimes =
      handle.access == .anywhere
      && OpusTimes.seemTrue(size: content.body.size) {
        (try? content.body.bytes(at: $0, count: $1)) ?? []
      }
    length = hasTrueTimes ? handle.frames.map { .exact($0) } ?? .unknown : .unknown
    coding = SoundCoding("Opus", format, bitRate: hasTrueTimes ? handle.bitRate : nil)
    self.content = content
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    let frames = try handle.read(frames: room, channels: format.channels, into: &samples)
    SampleBounds.bound(&samples, count: frames * format.channels)
    position += frames
    if frames == 0 { end() } else { checkTimes() }
    return frames
  }

  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let end = length.exactFrames ?? .max
    isAtEnd = frame >= end
    if isAtEnd {
      position = end
      isCounted = false
    } else {
      try approach(frame)
      try drop(before: frame, goesOn)
    }
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let survey = try OpusHandle(content, .inOrder)
    let frames = try drop { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try survey.read(frames: most, channels: format.channels, into: &span)
    }
    length = .exact(frames)
    return frames
  }

  /// Called when the library delivers no more. Only this tells where the sound ends, because the time in the last page is wrong if pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { length = .exact(position) }
  }

  /// Stops using the pages' times if there is more sound than they state, because then they are wrong. If there is less, pages were lost.
  private func checkTimes() {
    guard hasTrueTimes, handle.position < position else { return }
    hasTrueTimes = false
    length = .unknown
  }

  /// Goes to a place before a frame from which the frame can be decoded exactly.
  private func approach(_ frame: Int) throws(DecodeError) {
    let start = max(0, frame - Self.runUp)
    if hasTrueTimes {
      // A failed seek moves the cursor too, to an unknown place. After it, only the beginning can be found again.
      isCounted = false
      if try handle.seek(to: start) {
        position = start
        isCounted = start == 0
        return
      }
      hasTrueTimes = false
    }
    if isCounted, position <= frame { return }
    handle = try OpusHandle(content, .inOrder)
    position = 0
    isCounted = true
  }

  private func drop(before frame: Int, _ goesOn: () -> Bool) throws(DecodeError) {
    position += try drop(frame - position) { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try handle.read(frames: most, channels: format.channels, into: &span)
    }
    if position < frame { end() }
  }
}

/// Owns an open `OggOpusFile` and the reader that it reads through.
@safe struct OpusHandle: ~Copyable {
  /// With `anywhere` the library looks at the end of the file and can go to any place in it, but it refuses a file whose pages contradict each other.
  /// With `inOrder` such a file can still be read from its beginning to its end.
  enum Access { case anywhere, inOrder }

  let access: Access
  private let reader: SourceReader
  private let file: OpaquePointer
  private let content: Content

  /// How many damaged packets in a row are skipped; after more than this the file is given up.
  private static let mostBadPackets = 64

  /// Opens content with access `anywhere` if that can be done, otherwise `inOrder`. Throws if neither can.
  init(_ content: Content) throws(DecodeError) {
    do throws(DecodeError) {
      try self.init(content, .anywhere)
    } catch  where error.code != .unreadable {
      try self.init(content, .inOrder)
    }
  }

  /// Opens content for one kind of access.
  init(_ content: Content, _ access: Access) throws(DecodeError) {
    (self.access, self.content) = (access, content)
    reader = SourceReader(content.body, limit: SourceReader.searchLimit, opensAll: true)
    unsafe file = try Self.open(reader, content, access)
  }

  // A function of its own because `init` must not throw after the handle exists, which only `deinit` frees.
  private static func open(_ reader: SourceReader, _ content: Content, _ access: Access) throws(DecodeError)
    -> OpaquePointer
  {
    var calls = unsafe OpusFileCallbacks(
      read: { unsafe Int32(SourceReader.read($0, $1, Int($2))) }, seek: nil, tell: nil, close: nil)
    if access == .anywhere {
      unsafe calls.seek = { unsafe SourceReader.seek($0, Int($1), $2) < 0 ? -1 : 0 }
      unsafe calls.tell = { unsafe Int64(SourceReader.tell($0)) }
    }
    var problem: Int32 = 0
    let file = unsafe op_open_callbacks(reader.pointer, &calls, nil, 0, &problem)
    do throws(DecodeError) { try reader.check() } catch {
      unsafe op_free(file)
      throw error
    }
    guard let file = unsafe file else {
      throw content.error(problem == OP_EIMPL ? .unsupported : .damaged, text(of: problem))
    }
    return unsafe file
  }

  deinit { unsafe op_free(file) }

  /// The number of channels in the part of a chained stream where the cursor is.
  var channels: Int { unsafe Int(op_channel_count(file, -1)) }

  /// The number of frames in all parts together, as the pages state it; nil if only reading to the end can tell.
  var frames: Int? {
    let total = unsafe op_pcm_total(file, -1)
    return total >= 0 ? Int(total) : nil
  }

  /// The average number of bits per second, without the tags, which may hold pictures. Nil for a chained stream, for one that cannot be measured
  /// without reading it, and for one of less than a second, in which the pages' headers are larger than the sound in them.
  var bitRate: Double? {
    guard unsafe op_link_count(file) == 1, let frames, frames >= 48_000, let tags = unsafe op_tags(file, 0)
    else { return nil }
    let lengths = unsafe UnsafeBufferPointer(
      start: tags.pointee.comment_lengths, count: Int(tags.pointee.comments))
    let bytes = unsafe Int(op_raw_total(file, -1)) - lengths.reduce(0) { $0 + Int($1) }
    return bytes > 0 ? Double(bytes) * 8 * 48_000 / Double(frames) : nil
  }

  /// The frame that the next read begins with, as the pages state it.
  var position: Int { unsafe Int(op_pcm_tell(file)) }

  /// Decodes up to `frames` frames into the front of `samples`; 0 at the end. Skips lost and damaged packets. Throws if a chained stream goes on with
  /// other channels.
  func read(frames: Int, channels: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    reader.begin()
    var badPackets = 0
    while true {
      let room = Int32(clamping: frames * channels)
      var part: Int32 = 0
      let got = unsafe samples.withUnsafeMutableBufferPointer {
        unsafe op_read_float(file, $0.baseAddress, room, &part)
      }
      try reader.check()
      switch got {
      case OP_HOLE: continue
      case OP_EBADPACKET where badPackets < Self.mostBadPackets: badPackets += 1
      case ..<0: throw error(.damaged, Self.text(of: got))
      default:
        let there = unsafe Int(op_channel_count(file, part))
        guard got == 0 || there == channels else {
          throw error(.unsupported, "goes on with other channels; only one sound a file can be played")
        }
        return Int(got)
      }
    }
  }

  /// Goes to a frame, and returns whether that could be done.
  func seek(to frame: Int) throws(DecodeError) -> Bool {
    reader.begin()
    let result = unsafe op_pcm_seek(file, Int64(frame))
    try reader.check()
    return result == 0
  }

  /// An error that states the byte up to which the library has read.
  private func error(_ code: DecodeError.Code, _ reason: String) -> DecodeError {
    content.error(code, at: content.start + reader.offset, reason)
  }

  private static func text(of problem: Int32) -> String {
    switch problem {
    case OP_ENOTFORMAT, OP_EBADHEADER: "has a damaged Opus header"
    case OP_EVERSION: "is of an Opus version that is not known"
    case OP_EIMPL: "has Opus channels that are not those of loudspeakers, which cannot be played"
    case OP_EBADPACKET: "has nothing but damaged packets"
    case OP_EBADLINK: "has a part that cannot be decoded"
    case OP_EBADTIMESTAMP: "has pages whose times contradict each other"
    default: "cannot be decoded as Opus"
    }
  }
}
