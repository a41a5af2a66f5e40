// SPDX-License-Identifier: MIT
import AudioModel
import CVorbis
import Glibc
import TimelineModel

/// Decodes Vorbis in Ogg with libvorbisfile; libsndfile is not used because its seeks in Vorbis are not exact.
///
/// A chained stream plays through as one sound as long as its parts have the same rate and channels. If pages were lost, the sound goes on after the
/// gap, and the missing frames are not counted. A part that cannot be decoded is left out.
final class VorbisDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  /// The next frame, counted by the frames that the library has delivered. The library's own position jumps in recordings whose first page does not
  /// begin at zero.
  private(set) var position = 0

  var coding: SoundCoding? {
    // In a shorter sound the pages' headers are larger than the sound in them, so its bit rate would mean nothing.
    SoundCoding("Vorbis", format, bitRate: (length.frames ?? 0) >= format.rate ? handle.bitRate : nil)
  }

  private let content: Content
  private var handle: VorbisHandle
  private let shape: (rate: Int, channels: Int)
  /// Whether `position` was counted from the beginning of the sound: no seek has skipped a frame.
  private var isCounted = true
  private var isAtEnd = false

  init(_ content: Content) throws(DecodeError) {
    var handle = try VorbisHandle(content)
    // Where a part is damaged, the library may find the parts and count no frames.
    if handle.frames == 0, Self.hasSound(content) { handle = try VorbisHandle(content, .inOrder) }
    shape = handle.shape
    try content.check(channels: shape.channels)
    format = try content.format(rate: shape.rate, layout: .xiph(channels: shape.channels))
    length = handle.frames.map { .exact($0) } ?? .unknown
    self.content = content
    self.handle = handle
  }

  /// Whether the file has sound when it is decoded in order. That can be so although the library counts no frames.
  private static func hasSound(_ content: Content) -> Bool {
    do throws(DecodeError) {
      let handle = try VorbisHandle(content, .inOrder)
      let shape = handle.shape
      var samples = [Float](repeating: 0, count: max(1, shape.channels))
      var span = samples.mutableSpan
      return try handle.read(frames: 1, like: shape, into: &span) > 0
    } catch {
      return false
    }
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    let got = try handle.read(frames: room, like: shape, into: &samples)
    position += got
    if let end = length.exactFrames, position > end { length = .exact(position) }
    if got == 0 { end() }
    return got
  }

  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let end = length.exactFrames ?? .max
    isAtEnd = frame >= end
    guard !isAtEnd else { return (position, isCounted) = (end, false) }
    // The library can only go to the beginning of a page, or to that of the file.
    let start = handle.access == .anywhere ? try handle.seek(toPageBefore: frame) : try approach(frame)
    isCounted = handle.access == .inOrder || frame == 0
    position = frame
    let dropped = try drop(frame - start) { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try handle.read(frames: most, like: shape, into: &span)
    }
    guard handle.access == .inOrder, start + dropped < frame else { return }
    position = start + dropped
    self.end()
  }

  /// Returns the frame from which decoding in order reaches this one: where it has come to, or 0, after opening the sound anew, if that is past the
  /// frame.
  private func approach(_ frame: Int) throws(DecodeError) -> Int {
    if isCounted, position <= frame { return position }
    handle = try VorbisHandle(content, .inOrder)
    return 0
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let survey = try VorbisHandle(content, .inOrder)
    let frames = try drop { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try survey.read(frames: most, like: shape, into: &span)
    }
    length = .exact(frames)
    return frames
  }

  /// Called when the library delivers no more. Only this tells where the sound ends, because the time in the last page is wrong if pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { length = .exact(position) }
  }
}

/// Owns an open `OggVorbis_File` and the reader that it reads through.
@safe struct VorbisHandle: ~Copyable {
  /// With `anywhere` the library looks for all parts of a chained stream and can go to any place, but it refuses a file with a part that it cannot
  /// decode. With `inOrder` such a file can still be read from its beginning to its end.
  enum Access { case anywhere, inOrder }

  let access: Access
  let reader: SourceReader
  // Allocated, because the library keeps pointers into it and it must not move.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  private let content: Content
  /// The library's position of the first frame. It is above zero if the first page is not whole.
  private let origin: Int

  /// How many errors in a row the library may return without reading further in the file. Each error takes a page out of the 2,048 bytes that it reads
  /// at once, and a page has at least 27.
  private static let mostRefusals = 100

  /// Opens a sound in Ogg Vorbis with access `anywhere` if that can be done, otherwise `inOrder`. Throws if libvorbisfile refuses both.
  init(_ content: Content) throws(DecodeError) {
    let first: DecodeError
    do throws(DecodeError) {
      try self.init(content, .anywhere)
      return
    } catch {
      guard error.code != .unreadable else { throw error }
      first = error
    }
    do throws(DecodeError) { try self.init(content, .inOrder) } catch { throw first }
  }

  /// Opens a sound for one kind of access.
  init(_ content: Content, _ access: Access) throws(DecodeError) {
    (self.content, self.access) = (content, access)
    let effort = Effort()
    let parts = CheckedParts(content.body) { (try? Self.check(content, from: $0, effort)) != nil }
    reader = SourceReader(parts, limit: SourceReader.searchLimit, opensAll: access == .anywhere)
    unsafe file = try Self.open(reader, parts, content, access)
    unsafe origin = max(0, Int(ov_pcm_tell(file)))
  }

  /// How large the tables (codebooks) of a header may be together. Encoders write less than 100,000 entries and values. libvorbis takes 12 bytes of the
  /// stack for each entry of a table, and a stack that overflows ends the whole process; and 4 bytes of memory for each value.
  private static let largest = VorbisHeader.Tables(entries: 1 << 18, values: 1 << 22)

  /// How many more reads may be spent on looking at headers. The limit is for a hostile file, which may have a header in each of its pages.
  private final class Effort {
    var left = 1_000_000
  }

  /// Looks at the header that begins at this byte, before the library decodes by it. Once too much was read for that, no header is good.
  private static func check(
    _ content: Content, from start: Int, _ effort: Effort = Effort()
  ) throws(DecodeError) {
    let body = content.body
    let tables = VorbisHeader.tables(size: body.size - start, limit: largest) { offset, count in
      effort.left -= 1
      return effort.left < 0 ? [] : (try? body.bytes(at: start + offset, count: count)) ?? []
    }
    guard let tables, tables.fits(largest), effort.left >= 0 else {
      throw content.error(
        .damaged, at: content.start + start,
        "has a Vorbis header that is damaged, or has tables of absurd size")
    }
  }

  // A function of its own because `init` must not throw after the handle exists, which only `deinit` clears.
  private static func open(
    _ reader: SourceReader, _ parts: CheckedParts, _ content: Content, _ access: Access
  ) throws(DecodeError) -> UnsafeMutablePointer<OggVorbis_File> {
    try check(content, from: 0)
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    var calls = unsafe ov_callbacks(
      read_func: { bytes, size, count, user in
        let got = unsafe SourceReader.read(user, bytes, size * count)
        // The library tells a failure from the end only by `errno`. If `errno` were 0 after a failure, it would take the failure for the end and
        // search on.
        errno = got < 0 ? EIO : 0
        return max(0, got)
      },
      seek_func: nil, close_func: nil, tell_func: nil)
    if access == .anywhere {
      unsafe calls.seek_func = { unsafe SourceReader.seek($0, Int($1), $2) < 0 ? -1 : 0 }
      unsafe calls.tell_func = { unsafe SourceReader.tell($0) }
    }
    let result = unsafe ov_open_callbacks(reader.pointer, file, nil, 0, calls)
    guard result == 0 else {
      // A failed open has freed everything but this memory.
      unsafe file.deallocate()
      try reader.check()
      throw content.error(.damaged, text(of: result))
    }
    if access == .anywhere {
      guard !parts.hidesAny else {
        unsafe ov_clear(file)
        unsafe file.deallocate()
        throw content.error(
          .damaged, "has a part with a Vorbis header that is damaged, or has tables of absurd size")
      }
      // The library has read the headers of all parts, and reads none again.
      parts.isOpen = true
    }
    return unsafe file
  }

  deinit {
    unsafe ov_clear(file)
    unsafe file.deallocate()
  }

  /// The rate and channels in the part of a chained stream where the cursor is.
  var shape: (rate: Int, channels: Int) {
    guard let info = unsafe ov_info(file, -1) else { return (0, 0) }
    return unsafe (Int(info.pointee.rate), Int(info.pointee.channels))
  }

  /// The average number of bits per second, by the size of the data after the headers; nil if the library does not know.
  var bitRate: Double? {
    let rate = unsafe ov_bitrate(file, -1)
    return rate > 0 ? Double(rate) : nil
  }

  /// How many frames all parts of a chained stream have together; nil if the stream has to be decoded to its end to find that out.
  var frames: Int? {
    guard access == .anywhere else { return nil }
    return unsafe max(0, Int(ov_pcm_total(file, -1)) - origin)
  }

  /// Decodes up to `frames` frames into the front of `samples`; 0 at the end. Throws if a chained stream goes on with another rate or other channels, or
  /// if it ends with a part that cannot be decoded.
  func read(frames: Int, like shape: (rate: Int, channels: Int), into samples: inout MutableSpan<Float>)
    throws(DecodeError) -> Int
  {
    var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var part: Int32 = 0
    reader.begin()
    var refused: (reason: Int32, at: Int, count: Int)?
    while true {
      let got = unsafe ov_read_float(file, &planes, Int32(min(frames, 4096)), &part)
      try reader.check()
      // A hole means that bytes were lost; the sound goes on after it.
      if got == Int(OV_HOLE) { continue }
      if got < 0, access == .inOrder, (refused?.count ?? 0) < Self.mostRefusals {
        // Each call takes a page of a part that cannot be decoded. There may be another part behind it.
        let stays = refused?.at == reader.offset
        refused = (Int32(got), reader.offset, stays ? (refused?.count ?? 0) + 1 : 1)
        continue
      }
      guard got >= 0 else { throw error(.damaged, Self.text(of: Int32(got))) }
      if got == 0, let refused { throw error(.damaged, Self.text(of: refused.reason)) }
      guard got > 0, let planes = unsafe planes else { return 0 }
      guard self.shape == shape else {
        throw error(
          .unsupported, "goes on with other channels or another rate; only one sound a file can be played")
      }
      unsafe interleave(planes, channels: shape.channels, frames: got, into: &samples)
      // The values of a hostile header's tables may be of any size.
      SampleBounds.bound(&samples, count: got * shape.channels)
      return got
    }
  }

  /// Goes to the beginning of the page that a frame is in, and returns the frame that the page begins with.
  ///
  /// The library's own seek to a single frame uses a count that goes wrong if the first page does not begin at zero.
  /// Its seek to a page is right.
  func seek(toPageBefore frame: Int) throws(DecodeError) -> Int {
    reader.begin()
    let result = unsafe ov_pcm_seek_page(file, Int64(frame + origin))
    try reader.check()
    let reached = unsafe max(0, Int(ov_pcm_tell(file)) - origin)
    guard result == 0, reached <= frame else { throw error(.damaged, "cannot be sought to frame \(frame)") }
    return reached
  }

  /// An error that states the byte up to which the library has read.
  func error(_ code: DecodeError.Code, _ reason: String) -> DecodeError {
    content.error(code, at: content.start + reader.offset, reason)
  }

  private func interleave(
    _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, channels: Int, frames: Int,
    into samples: inout MutableSpan<Float>
  ) {
    for channel in 0..<channels {
      guard let plane = unsafe planes[channel] else { continue }
      var index = channel
      for frame in 0..<frames {
        samples[index] = unsafe plane[frame]
        index += channels
      }
    }
  }

  private static func text(of result: Int32) -> String {
    switch result {
    case OV_EREAD: "has parts that do not belong together"
    case OV_ENOTVORBIS: "is not Vorbis"
    case OV_EVERSION: "is of a Vorbis version that is not known"
    case OV_EBADHEADER: "has a damaged Vorbis header"
    case OV_EBADLINK: "has a part that cannot be decoded"
    case OV_EBADPACKET: "has a damaged packet"
    default: "cannot be decoded as Vorbis"
    }
  }
}

extension ChannelLayout {
  /// The order in which Vorbis and Opus keep their channels.
  static func xiph(channels: Int) -> ChannelLayout {
    switch channels {
    case 3: ChannelLayout([.frontLeft, .frontCenter, .frontRight])
    case 5: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight])
    case 6: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight, .lowFrequency])
    case 7:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearCenter, .lowFrequency,
      ])
    case 8:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearLeft, .rearRight, .lowFrequency,
      ])
    default: .usual(channels: channels)
    }
  }
}
