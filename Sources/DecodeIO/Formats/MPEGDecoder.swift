// SPDX-License-Identifier: MIT
import AudioModel
import CMpg123
import Glibc
import MediaModel

/// Decodes MPEG audio, layers I to III, with libmpg123.
///
/// The library cuts off the samples at a file's ends that its Info tag marks as padding. For one sound that was cut into several files, see `join`.
final class MPEGDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  var coding: SoundCoding? {
    SoundCoding("MP\(stream.header.layer)", format, bitRate: stream.bitRate)
  }

  private let stream: MPEGStream
  private var handle: Mpg123Handle
  /// Whether `join` has put the end of the previous file before this one. Then libmpg123 does not see the Info tag, and this class cuts the padding.
  private var isJoined = false
  private var isAtEnd = false

  /// How many bytes of the previous file's end are decoded and dropped before this file begins. They are enough frames for the bit reservoir and for
  /// the overlap between blocks.
  private static let runUp = 8 * 1024

  init(_ content: Content) throws(DecodeError) {
    guard let stream = try MPEGStream(content) else {
      throw content.error(.damaged, "has no two frames of MPEG audio in a row")
    }
    let handle = try Self.open(stream)
    let (rate, channels) = try handle.fixFormat()
    try content.check(channels: channels)
    format = try content.format(rate: rate, layout: .usual(channels: channels))
    length = Self.length(of: stream, by: handle)
    self.stream = stream
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    var room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    if isJoined, let end = stream.statedLength { room = max(0, min(room, end - position)) }
    let frames = room == 0 ? 0 : try decode(frames: room, into: &samples)
    position += frames
    if frames == 0 { try end() }
    return frames
  }

  func seek(to frame: Int, goesOn _: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    if isJoined { try leaveJoin() }
    let target = min(frame, length.exactFrames ?? frame)
    isAtEnd = target == length.exactFrames
    let reached = isAtEnd ? target : try handle.seek(to: target)
    isAtEnd = isAtEnd || reached == nil
    position = reached ?? target
    // The library may stop short of the target.
    if position < target {
      position += try drop(target - position) { most, span throws(DecodeError) in
        try decode(frames: most, into: &span)
      }
    }
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let frames = try survey(goesOn)
    length = .exact(frames)
    return frames
  }

  /// Counts the frames of sound. If the count in the Info tag is wrong, libmpg123 counts frames as if nothing were cut, but still cuts when it plays.
  /// So the frames after the tag are counted here without the tag, and the cuts are computed here.
  private func survey(_ goesOn: () -> Bool) throws(DecodeError) -> Int {
    guard goesOn() else { throw .calledOff(file: stream.source.name) }
    guard let tag = stream.tag, let stated = tag.frames else { return try Self.scanned(Self.open(stream)) }
    guard tag.hasKnownWriter, stream.header.frameSize != nil, !stream.sound.isEmpty else {
      return try counted(goesOn)
    }
    let bare = SplicedSource(.init(stream.source, stream.sound))
    let made = try Self.scanned(Mpg123Handle(bare, base: stream.sound.lowerBound, isWhole: false))
    return stream.heard(of: made, where: stated * stream.header.soundFrames)
  }

  /// Finds the length by decoding everything: slow, but right even if the library misunderstands a tag.
  private func counted(_ goesOn: () -> Bool) throws(DecodeError) -> Int {
    let handle = try Self.open(stream)
    let (_, channels) = try handle.fixFormat()
    return try drop { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: stream.source.name) }
      return try handle.read(samples: most * channels, into: &span) / channels
    }
  }

  /// Finds the length by the frames' headers, in one call of the library, which cannot be cancelled. It decodes nothing, so it takes about as long as
  /// reading the file.
  private static func scanned(_ handle: consuming Mpg123Handle) throws(DecodeError) -> Int {
    try handle.scan()
    return handle.length ?? 0
  }

  func join(after previous: any Decoder, if isAlbum: () -> Bool) -> Bool {
    precondition(position == 0, "a join after the first read")
    guard let previous = previous as? MPEGDecoder, previous.format == format,
      stream.continues(previous.stream), stream.tag == nil || isAlbum()
    else { return false }
    let end = previous.stream.sound
    let tail = max(end.lowerBound, end.upperBound - Self.runUp)..<end.upperBound
    let splice = SplicedSource(.init(previous.stream.source, tail), .init(stream.source, stream.sound))
    do throws(DecodeError) {
      let joined = try Mpg123Handle(splice, base: stream.sound.lowerBound - tail.count, isWhole: false)
      let (rate, channels) = try joined.fixFormat()
      guard rate == format.rate, channels == format.channels else { return false }
      try joined.skip(toByte: tail.count)
      handle = joined
    } catch {
      return false
    }
    position = -stream.lead
    isJoined = true
    return true
  }

  private func decode(frames: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let count = try handle.read(samples: frames * format.channels, into: &samples)
    SampleBounds.bound(&samples, count: count)
    return count / format.channels
  }

  /// Opens this file alone again. All of its own frames can be found in it, but not the previous track's end, which a
  /// join adds.
  private func leaveJoin() throws(DecodeError) {
    handle = try Self.open(stream)
    _ = try handle.fixFormat()
    isJoined = false
  }

  /// Called when the sound has ended: its length is known now. Throws if the file is shorter than its tag says.
  private func end() throws(DecodeError) {
    if length.exactFrames == nil { length = .exact(position) }
    guard stream.isCutShort else { return }
    throw DecodeError(
      .cutShort, file: stream.source.name, byteOffset: stream.range.upperBound,
      reason: "ends after \(position) frames; its tag speaks of a longer file")
  }

  private static func open(_ stream: MPEGStream) throws(DecodeError) -> Mpg123Handle {
    let whole = SplicedSource(.init(stream.source, stream.range))
    return try Mpg123Handle(whole, base: stream.range.lowerBound, isWhole: true)
  }

  private static func length(of stream: MPEGStream, by handle: borrowing Mpg123Handle) -> SoundLength {
    if let stated = stream.statedLength { return .exact(stated) }
    guard let frames = handle.length else { return .unknown }
    // A tag that does not fit the file still says how many frames a number of bytes has. The estimate scales that to the file's size.
    guard let bytes = stream.tag?.bytes, bytes > 0, stream.tag?.frames != nil else {
      return .estimated(frames)
    }
    let (product, overflow) = frames.multipliedReportingOverflow(by: stream.range.count)
    return .estimated(overflow ? frames : product / bytes)
  }
}

/// Owns an open `mpg123_handle` and the reader that it reads through.
@safe struct Mpg123Handle: ~Copyable {
  let reader: SourceReader
  private let handle: OpaquePointer
  private let name: String
  // The source's offset in the file that errors are about; below zero if the source begins with the end of another
  // file.
  private let base: Int

  /// How many bytes of junk between two frames are searched for the second one.
  private static let resyncLimit = 256 << 10
  /// How many frames before the target of a seek are decoded and dropped. A frame's data may begin up to 511 bytes earlier, in the frames before it,
  /// and the smallest frames carry only a few bytes of data each.
  private static let preframes = 32
  /// How many calls of libmpg123 in a row may deliver nothing before the file counts as broken.
  private static let emptyCalls = 64

  /// Opens a source that begins at the byte `base` of its file. `isWhole` says that the source has the file's Info tag,
  /// which is then used.
  init(_ source: any ByteSource, base: Int, isWhole: Bool) throws(DecodeError) {
    reader = SourceReader(source)
    name = source.name
    self.base = base
    let flags = isWhole ? MPG123_GAPLESS.rawValue : MPG123_IGNORE_INFOFRAME.rawValue
    unsafe handle = try Self.open(reader, name: name, flags: flags)
  }

  private static func open(_ reader: SourceReader, name: String, flags: UInt32) throws(DecodeError)
    -> OpaquePointer
  {
    guard let handle = unsafe mpg123_new(nil, nil) else {
      throw DecodeError(.unsupported, file: name, reason: "cannot be decoded: there is no memory for it")
    }
    let always =
      MPG123_QUIET.rawValue | MPG123_AUTO_RESAMPLE.rawValue | MPG123_FORCE_FLOAT.rawValue
      | MPG123_SKIP_ID3V2.rawValue
    unsafe mpg123_param2(handle, Int32(MPG123_FLAGS.rawValue), Int(always | flags), 0)
    unsafe mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), resyncLimit, 0)
    unsafe mpg123_param2(handle, Int32(MPG123_PREFRAMES.rawValue), preframes, 0)
    unsafe mpg123_replace_reader_handle(
      handle,
      { unsafe SourceReader.read($0, $1, $2) }, { unsafe SourceReader.seek($0, $1, $2) }, nil)
    let result = unsafe mpg123_open_handle(handle, reader.pointer)
    if result == MPG123_OK.rawValue { return unsafe handle }
    unsafe mpg123_delete(handle)
    try reader.check()
    throw DecodeError(.damaged, file: name, reason: "cannot be read as MPEG audio")
  }

  deinit { unsafe mpg123_delete(handle) }

  /// Parses as far as the first frame, and fixes the rate and channels. If the stream changes them later, the library
  /// mixes and resamples, so that the listener's format stays the same.
  func fixFormat() throws(DecodeError) -> (rate: Int, channels: Int) {
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    try check(unsafe mpg123_getformat(handle, &rate, &channels, &encoding))
    unsafe mpg123_format_none(handle)
    unsafe mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue))
    return (rate, Int(channels))
  }

  /// Decodes up to `count` samples into the front of `samples`, which must have room for them; 0 at the end.
  func read(samples count: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    for _ in 0..<Self.emptyCalls {
      var bytes = 0
      let result = unsafe samples.withUnsafeMutableBufferPointer {
        unsafe mpg123_read(handle, $0.baseAddress, count * MemoryLayout<Float>.size, &bytes)
      }
      if bytes > 0 { return bytes / MemoryLayout<Float>.size }
      if result == MPG123_DONE.rawValue { return 0 }
      if result != MPG123_NEW_FORMAT.rawValue { try check(result) }
    }
    throw error("has frames without any sound")
  }

  /// Decodes and drops the frames that begin before the byte `offset` of the source, where another MP3 file was joined on. Throws if no frame begins
  /// there: then the first file's last frame was cut short, and mpg123 has taken bytes of the second file for the rest of it.
  func skip(toByte offset: Int) throws(DecodeError) {
    while true {
      let next = unsafe mpg123_framebyframe_next(handle)
      if next != MPG123_NEW_FORMAT.rawValue { try check(next) }
      let place = unsafe Int(mpg123_framepos(handle))
      if place == offset { return }
      guard place < offset else { throw error("has no frame at the byte \(offset)") }
      var number = 0
      var samples: UnsafeMutablePointer<UInt8>?
      var bytes = 0
      let result = unsafe mpg123_framebyframe_decode(handle, &number, &samples, &bytes)
      if result != MPG123_NEW_FORMAT.rawValue { try check(result) }
    }
  }

  /// Goes to a frame of sound, and returns where it got to; nil if that is past the end.
  func seek(to frame: Int) throws(DecodeError) -> Int? {
    let result = unsafe mpg123_seek(handle, frame, SEEK_SET)
    try reader.check()
    if result >= 0 { return result }
    if result == Int(MPG123_DONE.rawValue) { return nil }
    throw error(text)
  }

  /// Parses the whole stream, after which `length` is exact.
  func scan() throws(DecodeError) { try check(unsafe mpg123_scan(handle)) }

  /// How many frames of sound there are: an estimate before `scan`; nil if the library has none.
  var length: Int? {
    let length = unsafe mpg123_length(handle)
    return length >= 0 ? length : nil
  }

  private func check(_ result: Int32) throws(DecodeError) {
    try reader.check()
    if result != MPG123_OK.rawValue { throw error(text) }
  }

  /// The reason for the last error, in words for a listener; the library's own words are for programmers.
  private var text: String {
    switch unsafe mpg123_errcode(handle) {
    case Int32(MPG123_RESYNC_FAIL.rawValue), Int32(MPG123_OUT_OF_SYNC.rawValue):
      "has no frame of MPEG audio in \(Self.resyncLimit >> 10) kB that were searched"
    case Int32(MPG123_ERR_READER.rawValue): "ends in the middle of its first frames"
    default: "has MPEG audio that cannot be decoded further"
    }
  }

  private func error(_ reason: String) -> DecodeError {
    DecodeError(.damaged, file: name, byteOffset: max(0, base + reader.offset), reason: reason)
  }
}
