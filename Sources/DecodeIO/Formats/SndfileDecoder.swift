// SPDX-License-Identifier: MIT
import AudioModel
import CSndfile
import MediaModel

/// Decodes WAV, Wave64, AIFF, CAF and AU with libsndfile.
final class SndfileDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  var coding: SoundCoding? {
    let (coding, bits) = handle.samples
    return SoundCoding(coding ?? content.format.name, format, bits: bits)
  }

  private var handle: SndfileHandle
  private let content: Content
  private let source: any ByteSource

  init(_ content: Content) throws(DecodeError) {
    let body = content.body
    source = try BrokenOffWAV(body) ?? body
    let handle = try SndfileHandle(source, of: content.format.name)
    try content.check(channels: handle.channels)
    let layout = handle.positions.map(ChannelLayout.init) ?? .usual(channels: handle.channels)
    format = try content.format(rate: handle.rate, layout: layout)
    length = handle.frames.map { handle.isMPEG ? .estimated($0) : .exact($0) } ?? .unknown
    self.content = content
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if let end = length.exactFrames, position >= end { return 0 }
    let frames = try handle.read(frames: room, into: &samples)
    if handle.isFloatingPoint { SampleBounds.bound(&samples, count: frames * format.channels) }
    if frames == 0 { try checkEnd() }
    position += frames
    return frames
  }

  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let target = min(frame, length.exactFrames ?? frame)
    // The end is a valid position, but some codecs cannot seek to it.
    if target != length.exactFrames, try handle.seek(to: target) != target {
      try approach(target, goesOn)
    }
    position = target
  }

  /// Comes to a frame by decoding everything before it. The library does not seek in some codings, such as GSM.
  private func approach(_ frame: Int, _ goesOn: () -> Bool) throws(DecodeError) {
    handle = try SndfileHandle(source, of: content.format.name)
    let dropped = try drop(frame) { most, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try handle.read(frames: most, into: &span)
    }
    if dropped < frame { throw failure("cannot be sought to frame \(frame)") }
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let place = position
    _ = try drop { _, span throws(DecodeError) in
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      return try read(into: &span)
    }
    let frames = position
    length = .exact(frames)
    try seek(to: place)
    return frames
  }

  /// Called when the library delivers no more. Throws if the stated end was not reached.
  private func checkEnd() throws(DecodeError) {
    if handle.hasComplaint { throw failure("has \(content.format.name) that cannot be decoded further") }
    guard let end = length.exactFrames, position < end else { return }
    throw content.error(
      .cutShort, at: content.start + handle.reader.offset,
      "ends after \(position) frames, though it says that there are \(end)")
  }

  private func failure(_ reason: String) -> DecodeError {
    content.error(.damaged, at: content.start + handle.reader.offset, reason)
  }
}

/// Owns an open `SNDFILE` and the reader that it reads through.
@safe struct SndfileHandle: ~Copyable {
  let reader: SourceReader
  private let info: SF_INFO
  private let file: OpaquePointer

  /// Opens a source. `format` is the name of its format, for errors. Throws if libsndfile refuses it.
  init(_ source: any ByteSource, of format: String) throws(DecodeError) {
    reader = SourceReader(source, limit: SourceReader.searchLimit)
    var calls = unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe sf_count_t(SourceReader.at($0)?.size ?? -1) },
      seek: { unsafe sf_count_t(SourceReader.seek($2, Int($0), $1)) },
      read: { unsafe sf_count_t(max(0, SourceReader.read($2, $0, Int($1)))) },
      write: { _, _, _ in 0 },
      tell: { unsafe sf_count_t(SourceReader.tell($0)) })
    var info = SF_INFO()
    let file = unsafe sf_open_virtual(&calls, Int32(SFM_READ), &info, reader.pointer)
    do throws(DecodeError) { try reader.check() } catch {
      if let file = unsafe file { unsafe _ = sf_close(file) }
      throw error
    }
    guard let file = unsafe file else {
      throw Int(sf_error(nil)) == SF_ERR_UNSUPPORTED_ENCODING
        ? DecodeError(
          .unsupported, file: source.name,
          reason: "is \(format) whose samples are coded in a way that cannot be played")
        : DecodeError(
          .damaged, file: source.name, reason: "begins like \(format), but its header is damaged or not whole"
        )
    }
    self.info = info
    unsafe self.file = file
  }

  deinit { unsafe _ = sf_close(file) }

  var rate: Int { Int(info.samplerate) }
  var channels: Int { Int(info.channels) }
  /// How many frames there are; nil if the file does not say, which the library reports as the largest number there is.
  var frames: Int? { info.frames >= 0 && info.frames < .max ? Int(info.frames) : nil }

  var isFloatingPoint: Bool {
    [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE].contains(Int(info.format) & SF_FORMAT_SUBMASK)
  }

  /// Whether the samples are MPEG audio. The number of frames that libsndfile states for it is too large.
  var isMPEG: Bool { (0x80...0x82).contains(Int(info.format) & SF_FORMAT_SUBMASK) }

  /// The name of the samples' coding, nil for plain numbers (PCM), and how many bits a sample has.
  var samples: (coding: String?, bits: Int?) {
    switch Int(info.format) & SF_FORMAT_SUBMASK {
    case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: (nil, 8)
    case SF_FORMAT_PCM_16: (nil, 16)
    case SF_FORMAT_PCM_24: (nil, 24)
    case SF_FORMAT_PCM_32, SF_FORMAT_FLOAT: (nil, 32)
    case SF_FORMAT_DOUBLE: (nil, 64)
    case SF_FORMAT_ULAW: ("µ-law", nil)
    case SF_FORMAT_ALAW: ("A-law", nil)
    case SF_FORMAT_IMA_ADPCM, SF_FORMAT_MS_ADPCM, SF_FORMAT_VOX_ADPCM: ("ADPCM", nil)
    case SF_FORMAT_ALAC_16: ("ALAC", 16)
    case SF_FORMAT_ALAC_20: ("ALAC", 20)
    case SF_FORMAT_ALAC_24: ("ALAC", 24)
    case SF_FORMAT_ALAC_32: ("ALAC", 32)
    default: (nil, nil)
    }
  }

  /// The position of each channel; nil unless the file states a known one for each channel, and no two are the same. A single channel is for both
  /// ears, also where the file says "centre", as FFmpeg writes.
  var positions: [ChannelPosition]? {
    if info.channels == 1 { return nil }
    var map = [Int32](repeating: 0, count: Int(info.channels))
    let size = Int32(map.count * MemoryLayout<Int32>.size)
    guard unsafe sf_command(file, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, size) != 0 else { return nil }
    let positions = map.compactMap(ChannelPosition.init(sndfile:))
    return positions.count == map.count && Set(positions).count == map.count ? positions : nil
  }

  /// Decodes up to `frames` frames into the front of `samples`, which must have room for them.
  func read(frames: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    reader.begin()
    let got = unsafe samples.withUnsafeMutableBufferPointer {
      unsafe sf_readf_float(file, $0.baseAddress, sf_count_t(frames))
    }
    try reader.check()
    return max(0, Int(got))
  }

  /// Goes to a frame, and returns the cursor's place afterwards; negative if that failed.
  func seek(to frame: Int) throws(DecodeError) -> Int {
    reader.begin()
    let position = unsafe sf_seek(file, sf_count_t(frame), 0)
    try reader.check()
    return Int(position)
  }

  /// Whether libsndfile reports an error for the file. Its message is not shown, because a listener would not understand it.
  var hasComplaint: Bool { unsafe sf_error(file) != 0 }
}

extension ChannelPosition {
  /// The position for libsndfile's number; nil if a sound server has no name for it.
  fileprivate init?(sndfile place: Int32) {
    switch Int(place) {
    case SF_CHANNEL_MAP_MONO: self = .mono
    case SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_FRONT_LEFT: self = .frontLeft
    case SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_FRONT_RIGHT: self = .frontRight
    case SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_FRONT_CENTER: self = .frontCenter
    case SF_CHANNEL_MAP_LFE: self = .lowFrequency
    case SF_CHANNEL_MAP_REAR_LEFT: self = .rearLeft
    case SF_CHANNEL_MAP_REAR_RIGHT: self = .rearRight
    case SF_CHANNEL_MAP_REAR_CENTER: self = .rearCenter
    case SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER: self = .frontLeftOfCenter
    case SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER: self = .frontRightOfCenter
    case SF_CHANNEL_MAP_SIDE_LEFT: self = .sideLeft
    case SF_CHANNEL_MAP_SIDE_RIGHT: self = .sideRight
    default: return nil
    }
  }
}
