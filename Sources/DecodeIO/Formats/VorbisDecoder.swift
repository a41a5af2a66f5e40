// SPDX-License-Identifier: MIT
import AudioModel
import CVorbis
import Glibc
import TimelineModel

/// Decodes Vorbis in Ogg with libvorbisfile; libsndfile is not used because its seeks in Vorbis are not exact.
///
/// A chained stream plays through as one sound as long as its parts have the same rate and channels. If pages were lost, the sound goes on after the
/// gap, and the missing frames are not counted.
final class VorbisDecoder: Decoder {
  let format: AudioFormat
  var length: SoundLength { .exact(frames) }
  /// The next frame, counted by the frames that the library has delivered. The library's own position jumps in recordings whose first page does not
  /// begin at zero.
  private(set) var position = 0

  var coding: SoundCoding? {
    // In a shorter sound the pages' headers are larger than the sound in them, so its bit rate would mean nothing.
    SoundCoding("Vorbis", format, bitRate: frames >= format.rate ? handle.bitRate : nil)
  }

  private let handle: VorbisHandle
  private var frames: Int
  private let shape: (rate: Int, channels: Int)
  /// Whether `position` was counted from the beginning of the sound: no seek has skipped a frame.
  private var isCounted = true
  private var isAtEnd = false

  init(_ content: Content) throws(DecodeError) {
    let handle = try VorbisHandle(content)
    shape = handle.shape
    try content.check(channels: shape.channels)
    format = try content.format(rate: shape.rate, layout: .xiph(channels: shape.channels))
    frames = handle.frames
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    let got = try handle.read(frames: room, like: shape, into: &samples)
    position += got
    frames = max(frames, position)
    if got == 0 { end() }
    return got
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    isCounted = frame == 0
    isAtEnd = frame >= frames
    position = min(frame, frames)
    if isAtEnd { return }
    // The library can only go to the beginning of a page.
    let start = try handle.seek(toPageBefore: frame)
    _ = try drop(frame - start) { most, span throws(DecodeError) in
      try handle.read(frames: most, like: shape, into: &span)
    }
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int { frames }

  /// Called when the library delivers no more. Only this tells where the sound ends, because the time in the last page is wrong if pages were lost.
  private func end() {
    isAtEnd = true
    if isCounted { frames = position }
  }
}

/// Owns an open `OggVorbis_File` and the reader that it reads through.
@safe struct VorbisHandle: ~Copyable {
  let reader: SourceReader
  // Allocated, because the library keeps pointers into it and it must not move.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  private let content: Content
  /// The library's position of the first frame. It is above zero if the first page is not whole.
  private let origin: Int

  /// Opens a sound in Ogg Vorbis. Throws if libvorbisfile refuses it.
  init(_ content: Content) throws(DecodeError) {
    self.content = content
    reader = SourceReader(content.body, limit: SourceReader.searchLimit, opensAll: true)
    unsafe file = try Self.open(reader, content)
    unsafe origin = max(0, Int(ov_pcm_tell(file)))
  }

  /// The most entries that the tables (codebooks) of a header may have together. Encoders write less than 100,000. libvorbis takes 12 bytes of the
  /// stack for each entry of a table, and a stack that overflows ends the whole process.
  private static let mostEntries = 1 << 18

  /// Looks at the header that begins at this byte, before the library decodes by it.
  private static func check(_ content: Content, from start: Int) throws(DecodeError) {
    let body = content.body
    let entries = VorbisHeader.entries(size: body.size - start, limit: mostEntries) { offset, count in
      (try? body.bytes(at: start + offset, count: count)) ?? []
    }
    guard entries <= mostEntries else {
      throw content.error(
        .damaged, at: content.start + start,
        "has a Vorbis header that is damaged, or has tables of absurd size")
    }
  }

  // A function of its own because `init` must not throw after the handle exists, which only `deinit` clears.
  private static func open(_ reader: SourceReader, _ content: Content) throws(DecodeError)
    -> UnsafeMutablePointer<OggVorbis_File>
  {
    try check(content, from: 0)
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    let calls = unsafe ov_callbacks(
      read_func: { bytes, size, count, user in
        let got = unsafe SourceReader.read(user, bytes, size * count)
        // The library tells a failure from the end only by `errno`. If `errno` were 0 after a failure, it would take the failure for the end and
        // search on.
        errno = got < 0 ? EIO : 0
        return max(0, got)
      },
      seek_func: { unsafe SourceReader.seek($0, Int($1), $2) < 0 ? -1 : 0 },
      close_func: nil,
      tell_func: { unsafe SourceReader.tell($0) })
    let result = unsafe ov_open_callbacks(reader.pointer, file, nil, 0, calls)
    guard result == 0 else {
      // A failed open has freed everything but this memory.
      unsafe file.deallocate()
      try reader.check()
      throw content.error(.damaged, text(of: result))
    }
    do throws(DecodeError) {
      for part in unsafe 1..<max(1, Int(file.pointee.links)) {
        try check(content, from: unsafe Int(file.pointee.offsets[part]))
      }
    } catch {
      unsafe ov_clear(file)
      unsafe file.deallocate()
      throw error
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

  /// How many frames all parts of a chained stream have together. The library knows them if it can seek in the source, which is always so here.
  var frames: Int { unsafe max(0, Int(ov_pcm_total(file, -1)) - origin) }

  /// Decodes up to `frames` frames into the front of `samples`; 0 at the end. Throws if a chained stream goes on with another rate or other channels.
  func read(frames: Int, like shape: (rate: Int, channels: Int), into samples: inout MutableSpan<Float>)
    throws(DecodeError) -> Int
  {
    var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var part: Int32 = 0
    reader.begin()
    while true {
      let got = unsafe ov_read_float(file, &planes, Int32(min(frames, 4096)), &part)
      try reader.check()
      // A hole means that bytes were lost; the sound goes on after it.
      if got == Int(OV_HOLE) { continue }
      guard got >= 0 else { throw error(.damaged, Self.text(of: Int32(got))) }
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
