// SPDX-License-Identifier: MIT
internal import MediaModel
internal import TimelineModel

/// A page of an Ogg file: a piece of one of the streams that share it.
struct OggPage {
  static let headerSize = 27
  static let largest = OggMark.largestPage
  /// The largest number of frames up to a page that is accepted. No sound is that long, and sums of such numbers do not overflow.
  private static let greatestPosition = 1 << 53

  let offset: Int
  let isBeginning: Bool
  /// How many frames of sound the stream has up to the end of this page; nil if no packet ends in it, or if the number is impossible.
  let position: Int?
  let stream: ArraySlice<UInt8>
  let segments: [UInt8]

  /// The page that begins at an offset; nil if none does.
  init?(_ file: FileBytes, at offset: Int) {
    guard let header = file.exactly(Self.headerSize, at: offset), header.starts(with: "OggS".utf8),
      header[4] == 0
    else { return nil }
    let count = Int(header[26])
    let segments = file.bytes(at: offset + Self.headerSize, count: count)
    guard segments.count == count else { return nil }
    (self.offset, self.segments, isBeginning) = (offset, segments, header[5] & 0x02 != 0)
    var cursor = ByteCursor(header[6..<14])
    // nil for -1 as well, which means that no packet ends here
    position = cursor.number(8, .littleEndian).flatMap { $0 <= Self.greatestPosition ? $0 : nil }
    stream = header[14..<18]
  }

  var bodyOffset: Int { offset + Self.headerSize + segments.count }
  var end: Int { bodyOffset + segments.reduce(0) { $0 + Int($1) } }
  /// How many packets end in the page.
  var packetEnds: Int { segments.count { $0 < 255 } }
}

/// The packets of one stream of an Ogg file, from its beginning on.
struct OggPackets {
  /// Of larger packets the beginning is read; comments with the largest picture are smaller than this.
  private static let largest = 24 << 20

  let file: FileBytes
  let stream: ArraySlice<UInt8>
  /// The offset at which the next page is searched for.
  private(set) var offset: Int
  private var page: OggPage?
  private var segment = 0
  private var place = 0

  init(_ file: FileBytes, of stream: ArraySlice<UInt8>, from offset: Int) {
    (self.file, self.stream, self.offset) = (file, stream, offset)
  }

  /// The next packet, or the beginning of one that is too large; nil if the file breaks off.
  mutating func next() -> [UInt8]? {
    var packet: [UInt8] = []
    while turn(), let page {
      let lengths = page.segments[segment...]
      let ending = lengths.firstIndex { $0 < 255 }
      let taken = lengths[...(ending ?? page.segments.count - 1)]
      let count = taken.reduce(0) { $0 + Int($1) }
      if packet.count <= Self.largest {
        guard let piece = file.exactly(count, at: place) else { return nil }
        packet += piece
      }
      place += count
      segment = taken.endIndex
      if ending != nil { return packet }
    }
    return nil
  }

  /// Goes on to the page after the packets read so far, and returns it; nil if there is none. After the last header packet this is the first page
  /// with sound.
  mutating func firstSoundPage() -> OggPage? {
    segment = page?.segments.count ?? 0
    return turn() ? page : nil
  }

  /// The first bytes of the sound, without the pages' headers, which change when the tags before them change.
  mutating func beginningOfSound(atMost count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let page = firstSoundPage() {
      bytes += file.bytes(at: page.bodyOffset, count: min(count - bytes.count, page.end - page.bodyOffset))
    }
    return bytes
  }

  /// Goes on to the stream's next page if the current one is used up; false if there is none.
  private mutating func turn() -> Bool {
    if let page, segment < page.segments.count { return true }
    while let next = OggPage(file, at: offset) {
      offset = next.end
      guard next.stream.elementsEqual(stream), !next.segments.isEmpty else { continue }
      (page, segment, place) = (next, 0, next.bodyOffset)
      return true
    }
    return false
  }
}

/// An Ogg file with Vorbis, Opus or FLAC in it, which may have other streams beside it.
enum OggFile {
  /// The most streams that are looked at. The first pages of all streams come before the other pages, and even a film has only a picture, some sounds
  /// and subtitles.
  private static let mostStreams = 64

  /// The serial number of the first stream of a format, as its bytes; nil if there is none.
  private static func stream(
    of format: SoundFormat, _ file: FileBytes, at start: Int
  ) -> ArraySlice<UInt8>? {
    guard let mark = format.oggMark else { return nil }
    var offset = start
    for _ in 0..<mostStreams {
      guard let page = OggPage(file, at: offset), page.isBeginning else { return nil }
      if file.bytes(at: page.bodyOffset, count: mark.count) == mark { return page.stream }
      offset = page.end
    }
    return nil
  }

  /// Reads the stream of a format; false if there is none or its beginning is damaged.
  static func read(
    _ file: FileBytes, _ format: SoundFormat, at start: Int, into findings: inout TagFindings
  ) -> Bool {
    guard let stream = stream(of: format, file, at: start) else { return false }
    var packets = OggPackets(file, of: stream, from: start)
    guard let first = packets.next() else { return false }
    let reading =
      switch format {
      case .vorbis: readVorbis(first, &packets, into: &findings)
      case .opus: readOpus(first, &packets, into: &findings)
      default: readFLAC(first, &packets, into: &findings)
      }
    guard let timing = reading else { return false }
    var sound = packets
    findings.soundPiece = sound.beginningOfSound(atMost: TagFindings.pieceSize)
    (findings.rate, findings.channels) = (timing.rate, timing.channels)
    if findings.duration == nil, let frames = timing.frames(&packets) {
      findings.setLength(frames: frames, rate: timing.rate, channels: timing.channels)
    }
    findings.setKilobits(bytes: file.size - packets.offset)
    return true
  }

  private static func readFLAC(
    _ first: [UInt8], _ packets: inout OggPackets, into findings: inout TagFindings
  ) -> OggTiming? {
    var blocks = FLACBlocks()
    // Before the first block come the signature, a version, the number of the following packets, and "fLaC".
    var packet: [UInt8]? = Array(first.dropFirst(13))
    while let bytes = packet, let header = FLACBlocks.Header(bytes.prefix(4)) {
      blocks.read(header, bytes.dropFirst(4), into: &findings)
      packet = header.isLast ? nil : packets.next()
    }
    guard blocks.hasSound else { return nil }
    return OggTiming(
      rate: findings.rate, channels: findings.channels, framesPerPacket: { _ in blocks.framesPerBlock })
  }

  private static func readVorbis(
    _ first: [UInt8], _ packets: inout OggPackets, into findings: inout TagFindings
  ) -> OggTiming? {
    var cursor = ByteCursor(first.dropFirst(11))
    guard let channels = cursor.number(1, .littleEndian), let rate = cursor.number(4, .littleEndian),
      cursor.take(12) != nil, let blocks = cursor.number(1, .littleEndian)
    else { return nil }
    if let comments = packets.next(), comments.starts(with: "\u{3}vorbis".utf8) {
      VorbisComments.read(comments.dropFirst(7), into: &findings)
    }
    _ = packets.next()  // how the sound is coded
    // Each long block adds half of its length as new sound.
    return OggTiming(rate: rate, channels: channels, framesPerPacket: { _ in (1 << (blocks >> 4)) / 2 })
  }

  private static func readOpus(
    _ first: [UInt8], _ packets: inout OggPackets, into findings: inout TagFindings
  ) -> OggTiming? {
    var cursor = ByteCursor(first.dropFirst(9))
    guard let channels = cursor.number(1, .littleEndian), let skipped = cursor.number(2, .littleEndian) else {
      return nil
    }
    if let comments = packets.next(), comments.starts(with: "OpusTags".utf8) {
      VorbisComments.read(comments.dropFirst(8), into: &findings)
    }
    return OggTiming(
      rate: 48_000, channels: channels, skipped: skipped, framesPerPacket: OggTiming.opusFrames)
  }
}

/// Computes the length of a stream from the positions in its pages.
struct OggTiming {
  let rate: Int
  let channels: Int
  /// How many frames at the beginning are not heard.
  var skipped = 0
  /// Returns the largest number of frames in a packet that begins with these bytes.
  let framesPerPacket: (_ head: ArraySlice<UInt8>) -> Int

  /// How many frames the stream has: the position of its last page, less what is skipped at the beginning, less the
  /// position at which a recording that began late begins. Nil if no page of the stream is found near the end of the
  /// file.
  func frames(_ packets: inout OggPackets) -> Int? {
    guard let last = Self.lastPosition(packets.file, packets.stream) else { return nil }
    return last - skipped - late(&packets)
  }

  private func late(_ packets: inout OggPackets) -> Int {
    guard let page = packets.firstSoundPage(), let position = page.position else { return 0 }
    let each = framesPerPacket(packets.file.bytes(at: page.bodyOffset, count: 2)[...])
    return max(0, position - page.packetEnds * each)
  }

  /// The position that the stream's last page states, in frames; nil if no such page is found. Looks at the last 16 pieces of the file, from the end.
  private static func lastPosition(_ file: FileBytes, _ stream: ArraySlice<UInt8>) -> Int? {
    let step = OggPage.largest
    var end = file.size
    // In a film, the picture's stream may have long pages after the last page of the sound.
    for _ in 0..<16 where end > 0 {
      let start = max(0, end - step)
      let bytes = file.bytes(at: start, count: end - start + 3)
      for index in bytes.indices.dropLast(3).reversed() where OggMark.stands(in: bytes, at: index) {
        if let page = OggPage(file, at: start + index), page.stream.elementsEqual(stream),
          let position = page.position
        {
          return position
        }
      }
      end = start
    }
    return nil
  }

  /// How many frames an Opus packet has, at 48,000 a second, according to its first bytes.
  static func opusFrames(_ head: ArraySlice<UInt8>) -> Int {
    guard let first = head.first else { return 0 }
    let kind = Int(first >> 3)
    let frame: Int
    if kind < 12 {
      frame = [480, 960, 1_920, 2_880][kind % 4]
    } else if kind < 16 {
      frame = [480, 960][kind % 2]
    } else {
      frame = [120, 240, 480, 960][kind % 4]
    }
    switch first & 3 {
    case 0: return frame
    case 1, 2: return frame * 2
    default: return frame * Int((head.dropFirst().first ?? 0) & 0x3f)
    }
  }
}
