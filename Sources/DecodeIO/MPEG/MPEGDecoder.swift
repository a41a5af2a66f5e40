// SPDX-License-Identifier: MIT
import AudioModel

/// MPEG audio, layers I to III, on libmpg123.
///
/// Within a file the library cuts what the Info tag tells it to. For one sound that was cut into several files, see
/// `join`.
final class MPEGDecoder: Decoder {
  static let formatName = "MP3 and MP2"
  static func recognises(_ content: Content) -> Bool { MPEGSync(content).firstFrame != nil }

  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  private let stream: MPEGStream
  private var handle: Mpg123Handle
  /// Whether the handle began with the end of another file. Then the library sees no Info tag, and the padding is cut
  /// here.
  private var isJoined = false
  private var isAtEnd = false

  /// How many bytes of the previous file's end are decoded and dropped to join this file to it: enough frames for the
  /// bit reservoir and the overlap of blocks.
  private static let runUp = 8 * 1024

  init(_ content: Content) throws(DecodeError) {
    guard let stream = try MPEGStream(content) else {
      throw content.error(.damaged, "has no two frames of MPEG audio in a row")
    }
    let handle = try Self.open(stream)
    let (rate, channels) = try handle.settle()
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

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    if isJoined { try leaveJoin() }
    let target = min(frame, length.exactFrames ?? frame)
    isAtEnd = target == length.exactFrames
    let reached = isAtEnd ? target : try handle.seek(to: target)
    isAtEnd = isAtEnd || reached == nil
    position = reached ?? target
    if position < target { try drop(frames: target - position) }
  }

  func measure() throws(DecodeError) -> Int { try measure { true } }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let frames = try survey(goesOn)
    length = .exact(frames)
    return frames
  }

  /// Counts the frames of sound. If libmpg123 finds the tag's count wrong, it stops cutting by the tag when it counts,
  /// but not when it plays. So the frames behind the tag are counted without the tag, and the cuts are reckoned here.
  private func survey(_ goesOn: () -> Bool) throws(DecodeError) -> Int {
    guard goesOn() else { throw .calledOff(file: stream.source.name) }
    guard let tag = stream.tag, let stated = tag.frames else { return try Self.scanned(Self.open(stream)) }
    guard tag.hasKnownWriter, stream.header.frameSize != nil, !stream.sound.isEmpty else {
      return try counted(Self.open(stream), goesOn)
    }
    let bare = SplicedSource(.init(stream.source, stream.sound))
    let made = try Self.scanned(Mpg123Handle(bare, base: stream.sound.lowerBound, isWhole: false))
    return stream.heard(of: made, where: stated * stream.header.soundFrames)
  }

  /// Counts by decoding everything: slow, but right whatever the library makes of a tag.
  private func counted(_ handle: consuming Mpg123Handle, _ goesOn: () -> Bool) throws(DecodeError) -> Int {
    let (_, channels) = try handle.settle()
    var scratch = [Float](repeating: 0, count: 4 * 1152 * channels)
    var frames = 0
    while true {
      guard goesOn() else { throw .calledOff(file: stream.source.name) }
      var span = scratch.mutableSpan
      let more = try handle.read(samples: 4 * 1152 * channels, into: &span) / channels
      if more == 0 { return frames }
      frames += more
    }
  }

  /// Counts by the frames' headers: one call of the library, which cannot be called off. It decodes nothing, so it takes
  /// about as long as reading the file.
  private static func scanned(_ handle: consuming Mpg123Handle) throws(DecodeError) -> Int {
    try handle.scan()
    return handle.length ?? 0
  }

  func join(after previous: any Decoder) -> Bool {
    precondition(position == 0, "a join after the first read")
    guard let previous = previous as? MPEGDecoder, previous.format == format,
      stream.continues(previous.stream)
    else { return false }
    let end = previous.stream.sound
    let tail = max(end.lowerBound, end.upperBound - Self.runUp)..<end.upperBound
    let splice = SplicedSource(.init(previous.stream.source, tail), .init(stream.source, stream.sound))
    do throws(DecodeError) {
      let joined = try Mpg123Handle(splice, base: stream.sound.lowerBound - tail.count, isWhole: false)
      let (rate, channels) = try joined.settle()
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
    try handle.read(samples: frames * format.channels, into: &samples) / format.channels
  }

  /// Decodes and drops what lies before the target of a seek, where the library stops short of it.
  private func drop(frames: Int) throws(DecodeError) {
    let target = position + frames
    var scratch = [Float](repeating: 0, count: 1152 * format.channels)
    while position < target {
      var span = scratch.mutableSpan
      let dropped = try decode(frames: min(1152, target - position), into: &span)
      if dropped == 0 { break }
      position += dropped
    }
  }

  /// Opens this file alone again. All of its own frames can be found in it, but not the previous track's end, which a
  /// join adds.
  private func leaveJoin() throws(DecodeError) {
    handle = try Self.open(stream)
    _ = try handle.settle()
    isJoined = false
  }

  /// Called when the sound has ended: its length is known now. Throws if it ended too early.
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
    // A tag that does not fit the file is only good for its rate: so many frames for so many bytes.
    guard let bytes = stream.tag?.bytes, bytes > 0, stream.tag?.frames != nil else {
      return .estimated(frames)
    }
    let (product, overflow) = frames.multipliedReportingOverflow(by: stream.range.count)
    return .estimated(overflow ? frames : product / bytes)
  }
}
