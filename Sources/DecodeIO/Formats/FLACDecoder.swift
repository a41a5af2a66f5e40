// SPDX-License-Identifier: MIT
import AudioModel
import CFLAC
import Glibc
import MediaModel
import TimelineModel

/// Decodes FLAC, in FLAC files and in Ogg. Uses libFLAC because libsndfile decodes neither 32 bits nor Ogg.
final class FLACDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  var coding: SoundCoding? { SoundCoding("FLAC", format, bits: handle.blocks.bits) }

  private let handle: FLACHandle
  /// The number of the first frame that is there. A recording of a stream begins with a later one than 0.
  private let origin: Int
  private var isAtEnd = false

  init(_ content: Content) throws(DecodeError) {
    let handle = try FLACHandle(content)
    let blocks = handle.blocks
    try content.check(channels: blocks.channels)
    format = try content.format(
      rate: blocks.rate, layout: ChannelLayout(mask: blocks.statedMask, channels: blocks.channels))
    // One block is decoded, and kept for the first read: whether there is sound, and with which number it begins.
    let stated = blocks.statedFrames
    let hasSound = try handle.nextBlock()
    if stated == 0 {
      origin = blocks.position
      length = hasSound ? .unknown : .exact(0)
    } else {
      // A part that was cut out of a file keeps the numbers, and states the length of the whole. A damaged beginning leaves a gap.
      origin = blocks.hasErrors ? 0 : blocks.position
      length = origin == 0 ? .exact(stated) : .estimated(max(1, stated - origin))
    }
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    guard try handle.nextBlock() else {
      try end()
      return 0
    }
    // Blocks that were lost to damage leave a gap; the frames after it keep their positions.
    position = max(0, handle.blocks.position - origin)
    let frames = handle.blocks.take(frames: room, into: &samples)
    position += frames
    return frames
  }

  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    var target = frame
    if let end = length.exactFrames {
      target = min(frame, end)
    } else {
      // The library finds a place without knowing the length; only behind the end it does not. So the sound is not decoded to its end for each seek.
      if try handle.seek(to: origin + frame) {
        (isAtEnd, position) = (false, frame)
        return
      }
      target = min(frame, try measure(goesOn: goesOn))
    }
    isAtEnd = target == length.exactFrames
    if !isAtEnd, try !handle.seek(to: origin + target) {
      throw handle.error(.damaged, "cannot be sought to frame \(target)")
    }
    position = target
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let place = position
    while try handle.nextBlock() {
      guard goesOn() else { throw .calledOff(file: handle.name) }
      position = max(0, handle.blocks.position + handle.blocks.framesLeft - origin)
      handle.blocks.drop()
    }
    let frames = position
    length = .exact(frames)
    try seek(to: place)
    return frames
  }

  private func end() throws(DecodeError) {
    if let stated = length.exactFrames {
      guard position >= stated else {
        throw handle.error(
          .cutShort, "ends after \(position) frames, though it says that there are \(stated)")
      }
    } else {
      length = .exact(position)
    }
    if try handle.hasAnotherSong {
      throw handle.error(
        .unsupported, "goes on with another song; of a recording in Ogg FLAC only the first plays")
    }
  }
}

/// Owns a `FLAC__StreamDecoder`, the reader that it reads through and the block that it decodes into.
@safe struct FLACHandle: ~Copyable {
  let blocks: FLACBlocks
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let content: Content

  /// Opens content and reads what it says of its sound: rate, channels, bits, frames. Throws if it doesn't say.
  init(_ content: Content) throws(DecodeError) {
    // The library reads through the pictures before the sound, and a scanned booklet is large. In Ogg it keeps each until it is whole, and one may be
    // without end; so there only a booklet of many scans may come before the sound.
    let most = SourceReader.searchLimit
    let inOneGo = content.format == .oggFLAC ? 4 * most : .max
    blocks = FLACBlocks(SourceReader(content.body, limit: most, opensAll: true, inOneGo: inOneGo))
    self.content = content
    unsafe decoder = try Self.open(blocks, content)
  }

  deinit { unsafe FLAC__stream_decoder_delete(decoder) }

  var name: String { content.source.name }

  /// Decodes a block, unless frames of the last one are left; false at the end of the stream.
  func nextBlock() throws(DecodeError) -> Bool {
    blocks.reader.begin()
    while blocks.framesLeft == 0 {
      let goesOn = unsafe FLAC__stream_decoder_process_single(decoder) != 0
      try blocks.reader.check()
      if blocks.hasOtherShape {
        throw error(
          .unsupported, "goes on with other channels or another rate; only one sound a file can be played")
      }
      let state = unsafe FLAC__stream_decoder_get_state(decoder)
      if state == FLAC__STREAM_DECODER_END_OF_STREAM { return false }
      // Once aborted, the library says for ever that all is well, and reads nothing.
      guard goesOn, state != FLAC__STREAM_DECODER_ABORTED else {
        throw error(.damaged, "has FLAC that cannot be decoded further")
      }
    }
    return true
  }

  /// Goes to a frame, and drops the frames decoded before. The next block begins with that frame. Returns false if the library does not find it.
  func seek(to frame: Int) throws(DecodeError) -> Bool {
    blocks.reader.begin()
    blocks.drop()
    let found = unsafe FLAC__stream_decoder_seek_absolute(decoder, FLAC__uint64(frame)) != 0
    // After a failed seek the decoder works again only if it is flushed.
    if !found { unsafe _ = FLAC__stream_decoder_flush(decoder) }
    try blocks.reader.check()
    return found
  }

  /// Whether an Ogg file has another song after the first, which is the only one that libFLAC decodes. Then the file's last page has the number of another
  /// stream than its first page. So it may have where several streams begin at once, such as those of a film; these are no songs.
  var hasAnotherSong: Bool {
    get throws(DecodeError) {
      guard content.format == .oggFLAC else { return false }
      let body = content.body
      let first = try body.bytes(at: 0, count: OggMark.largestPage)
      let tail = try body.bytes(at: max(0, body.size - OggMark.largestPage), count: OggMark.largestPage)
      guard first.count > Self.parts,
        let last = tail.indices.last(where: { OggMark.stands(in: tail, at: $0) }),
        last + Self.parts < tail.count
      else { return false }
      let lengths = first[(Self.parts + 1)...].prefix(Int(first[Self.parts]))
      let second = lengths.reduce(Self.parts + 1 + lengths.count) { $0 + Int($1) }
      let isFilm = second + Self.flags < first.count && first[second + Self.flags] & 2 != 0
      return !isFilm
        && first[Self.serial] != tail[(last + Self.serial.lowerBound)..<(last + Self.serial.upperBound)]
    }
  }

  /// Where in the header of an Ogg page its flags, its stream's number, and the number of its parts are.
  private static let (flags, serial, parts) = (5, 14..<18, 26)

  /// An error that states the byte up to which the library has read.
  func error(_ code: DecodeError.Code, _ reason: String) -> DecodeError {
    content.error(code, at: content.start + blocks.reader.offset, reason)
  }

  // A function of its own because `init` must not throw after the handle exists, which only `deinit` deletes.
  private static func open(_ blocks: FLACBlocks, _ content: Content) throws(DecodeError)
    -> UnsafeMutablePointer<FLAC__StreamDecoder>
  {
    guard let decoder = unsafe FLAC__stream_decoder_new() else {
      throw content.error(.unsupported, "cannot be decoded: there is no memory for it")
    }
    let initialize =
      unsafe content.format == .oggFLAC
      ? FLAC__stream_decoder_init_ogg_stream : FLAC__stream_decoder_init_stream
    // It may tell where the channels belong.
    unsafe _ = FLAC__stream_decoder_set_metadata_respond(decoder, FLAC__METADATA_TYPE_VORBIS_COMMENT)
    let status = unsafe initialize(
      decoder, readBytes, seekBytes, tellBytes, sizeInBytes, isAtEnd, takeBlock, takeDescription,
      { unsafe FLACBlocks.at($2)?.hasErrors = true },
      blocks.pointer)
    let isDescribed =
      unsafe status == FLAC__STREAM_DECODER_INIT_STATUS_OK
      && FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0 && blocks.channels > 0
    if isDescribed { return unsafe decoder }
    unsafe FLAC__stream_decoder_delete(decoder)
    try blocks.reader.check()
    throw content.error(
      .damaged, at: content.start + blocks.reader.offset,
      "has no description of its sound where it should begin")
  }
}

private func readBytes(
  _: UnsafePointer<FLAC__StreamDecoder>?, bytes: UnsafeMutablePointer<FLAC__byte>?,
  count: UnsafeMutablePointer<Int>?,
  client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderReadStatus {
  guard let reader = unsafe FLACBlocks.at(client)?.reader, let count = unsafe count else {
    return FLAC__STREAM_DECODER_READ_STATUS_ABORT
  }
  let got = unsafe reader.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count.pointee))
  unsafe count.pointee = max(0, got)
  if got < 0 { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
  return got == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private func seekBytes(
  _: UnsafePointer<FLAC__StreamDecoder>?, offset: FLAC__uint64, client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderSeekStatus {
  let reached = unsafe FLACBlocks.at(client)?.reader.seek(Int(clamping: offset), SEEK_SET) ?? -1
  return reached < 0 ? FLAC__STREAM_DECODER_SEEK_STATUS_ERROR : FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

private func tellBytes(
  _: UnsafePointer<FLAC__StreamDecoder>?, offset: UnsafeMutablePointer<FLAC__uint64>?,
  client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderTellStatus {
  unsafe offset?.pointee = FLAC__uint64(FLACBlocks.at(client)?.reader.offset ?? 0)
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private func sizeInBytes(
  _: UnsafePointer<FLAC__StreamDecoder>?, size: UnsafeMutablePointer<FLAC__uint64>?,
  client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderLengthStatus {
  unsafe size?.pointee = FLAC__uint64(FLACBlocks.at(client)?.reader.size ?? 0)
  return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

private func isAtEnd(_: UnsafePointer<FLAC__StreamDecoder>?, client: UnsafeMutableRawPointer?) -> FLAC__bool {
  guard let reader = unsafe FLACBlocks.at(client)?.reader else { return 1 }
  return reader.offset >= reader.size ? 1 : 0
}

private func takeBlock(
  _: UnsafePointer<FLAC__StreamDecoder>?, frame: UnsafePointer<FLAC__Frame>?,
  planes: UnsafePointer<UnsafePointer<FLAC__int32>?>?, client: UnsafeMutableRawPointer?
) -> FLAC__StreamDecoderWriteStatus {
  guard let blocks = unsafe FLACBlocks.at(client), let header = unsafe frame?.pointee.header,
    let planes = unsafe planes
  else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
  unsafe blocks.put(
    planes, frames: Int(header.blocksize), channels: Int(header.channels), rate: Int(header.sample_rate),
    bits: Int(header.bits_per_sample), at: Int(clamping: header.number.sample_number))
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private func takeDescription(
  _: UnsafePointer<FLAC__StreamDecoder>?, metadata: UnsafePointer<FLAC__StreamMetadata>?,
  client: UnsafeMutableRawPointer?
) {
  guard let metadata = unsafe metadata, let blocks = unsafe FLACBlocks.at(client) else { return }
  switch unsafe metadata.pointee.type {
  case FLAC__METADATA_TYPE_STREAMINFO:
    let info = unsafe metadata.pointee.data.stream_info
    blocks.describe(
      rate: Int(info.sample_rate), channels: Int(info.channels), bits: Int(info.bits_per_sample),
      frames: Int(clamping: info.total_samples))
  case FLAC__METADATA_TYPE_VORBIS_COMMENT:
    let texts = unsafe metadata.pointee.data.vorbis_comment
    for index in unsafe 0..<Int(texts.num_comments) {
      guard let text = unsafe texts.comments?[index] else { return }
      unsafe blocks.take(text: UnsafeBufferPointer(start: text.entry, count: Int(text.length)))
    }
  default: break
  }
}

/// Receives libFLAC's callbacks: the stream's description, and one decoded block at a time.
final class FLACBlocks {
  let reader: SourceReader

  private(set) var rate = 0
  private(set) var channels = 0
  /// How many bits a sample has.
  private(set) var bits = 0
  /// How many frames the file says that the sound has; 0 if it doesn't say.
  private(set) var statedFrames = 0
  /// The loudspeakers that the channels are for, as the bits of WAV's header; 0 if the file doesn't say.
  private(set) var statedMask: UInt64 = 0
  /// Whether libFLAC has reported that something in the file is damaged.
  fileprivate(set) var hasErrors = false
  /// Whether a block came with another rate or other channels than the stream's description says.
  private(set) var hasOtherShape = false

  /// How many frames of the block that was decoded last `take` has not handed out yet.
  var framesLeft: Int { (block.count - taken) / max(1, channels) }
  /// The number, in the whole sound, of the next frame that `take` hands out.
  var position: Int { blockStart + taken / max(1, channels) }

  private var block: [Float] = []
  private var blockStart = 0
  private var taken = 0

  init(_ reader: SourceReader) { self.reader = reader }

  /// Stores the stream's description. `frames` is 0 if the stream does not state how many there are.
  func describe(rate: Int, channels: Int, bits: Int, frames: Int) {
    (self.rate, self.channels, self.bits) = (rate, channels, bits)
    statedFrames = frames
  }

  private static let maskName = Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x".utf8)

  /// Takes a text of the stream's tag, of which only one concerns the sound: where its channels belong.
  func take(text: UnsafeBufferPointer<UInt8>) {
    let name = Self.maskName
    guard text.count > name.count, text.count <= name.count + 8 else { return }
    let text = unsafe Array(text)
    guard zip(text, name).allSatisfy({ $0 == $1 || $0 ^ 0x20 == $1 }) else { return }
    statedMask = UInt64(String(decoding: text[name.count...], as: UTF8.self), radix: 16) ?? 0
  }

  /// Drops the frames of the decoded block that `take` has not handed out.
  func drop() {
    block.removeAll(keepingCapacity: true)
    taken = 0
  }

  /// Moves up to `frames` frames of the block to the front of `samples`, and returns how many.
  func take(frames: Int, into samples: inout MutableSpan<Float>) -> Int {
    let count = min(frames, framesLeft) * channels
    precondition(count <= samples.count, "no room for \(frames) frames")
    unsafe samples.withUnsafeMutableBufferPointer { room in
      unsafe block.withUnsafeBufferPointer { block in
        _ = unsafe room.update(fromContentsOf: block[taken..<taken + count])
      }
    }
    taken += count
    return channels == 0 ? 0 : count / channels
  }

  /// Stores a decoded block as floating-point samples. It comes as integers of `bits` bits, one plane for each channel. Frames left over from the
  /// last block are dropped.
  func put(
    _ planes: UnsafePointer<UnsafePointer<Int32>?>, frames: Int, channels: Int, rate: Int, bits: Int,
    at start: Int
  ) {
    drop()
    guard channels == self.channels, rate == self.rate else {
      hasOtherShape = true
      return
    }
    block.append(contentsOf: repeatElement(0, count: frames * channels))
    let scale = 1 / Float(1 << (bits - 1))
    var samples = block.mutableSpan
    for channel in 0..<channels {
      guard let plane = unsafe planes[channel] else { continue }
      var index = channel
      for frame in 0..<frames {
        samples[index] = unsafe Float(plane[frame]) * scale
        index += channels
      }
    }
    blockStart = start
  }
}

extension FLACBlocks {
  /// The object behind a pointer that was made by `pointer`; it lives as long as the decoder of libFLAC that calls back with it.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> FLACBlocks? {
    unsafe pointer.map { unsafe Unmanaged<FLACBlocks>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The client data for libFLAC. It is not retained: the owner of the handle owns this object too.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
