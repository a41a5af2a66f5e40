// SPDX-License-Identifier: MIT

/// The content of a file, judged by its first bytes and never by its name.
package enum FileContent: Equatable, Sendable {
  /// Sound of a format that is played. `at` is the offset at which it begins, counted from the first of the bytes that were given.
  case sound(SoundFormat, at: Int)
  /// A known format that is not played, by its name for a person.
  case foreign(String)

  /// How many bytes at the beginning of a file are looked at to find out what it holds.
  package static let headSize = 64 * 1024

  /// Judges a file by the bytes behind its ID3v2 tags, at most the first `headSize` of them. `isWhole` says that the file ends with them.
  /// Nil if they show no known format.
  package init?(head bytes: [UInt8], isWhole: Bool) {
    let head = FileHead(bytes)
    if let film = head.filmName {
      self = .foreign(film)
    } else if let offset = head.dtsInWAV {
      self = .sound(.dts, at: offset)
    } else if let format = SoundFormat.marked(in: head) ?? head.unmarkedSound {
      self = .sound(format, at: 0)
    } else if let (format, offset) = head.laterOggSound {
      self = .sound(format, at: offset)
    } else if let name = head.foreignName {
      // This comes before the search for MPEG audio, because every large file has bytes that look like MPEG audio.
      self = .foreign(name)
    } else if let offset = head.laterADTS {
      self = .sound(.adts, at: offset)
    } else if let offset = MPEGSync(bytes, isWhole: isWhole).firstFrame {
      self = .sound(.mpeg, at: offset)
    } else {
      return nil
    }
  }
}

extension FileContent {
  /// How many bytes are searched for MPEG audio in a file whose first `headSize` bytes show no known format. A broken tag with a picture in it, or a
  /// recording that was begun in silence, may be that long.
  package static let mostJunk = 320 * 1024

  /// The offset of the first frame of MPEG audio behind bytes that are of no known format; nil if there is none.
  package static func mpegBehindJunk(_ bytes: [UInt8]) -> Int? { MPEGSync(bytes, isWhole: false).firstFrame }
}

// Names for files that are left out when a folder is added.
extension FileContent {
  /// What kind of file this is, for telling people what was left out when a folder was added: "MIDI, notes without sound", or "an unknown kind". It
  /// is for files whose name is not that of a sound file. Nil if nobody expects sound in such a file: pictures, texts, archives, programs and empty
  /// files. `head` is the file's first bytes, if it was opened.
  package static func leftOut(_ name: FilePath, head: [UInt8]?) -> String? {
    guard let head else { return name.foreignFormat }
    let content = FileHead(head)
    if let film = content.filmName { return film }
    if let format = SoundFormat.marked(in: content) {
      let ending = name.pathExtension
      return "\(format.name) \(ending.isEmpty ? "without a name's ending" : "named .\(ending)")"
    }
    if let foreign = content.foreignName { return ForeignFormat.isSilent(foreign) ? nil : foreign }
    return name.foreignFormat ?? (isText(head) ? nil : unknownKind)
  }

  /// Whether files of a kind that `leftOut` returns are played if somebody names them. In a folder they are left out, because most are films.
  package static func isPlayedByName(_ kind: String) -> Bool { ForeignFormat.isPlayedByName(kind) }

  /// What `leftOut` returns for a file that is no text and whose format is not known.
  package static let unknownKind = "an unknown kind"

  /// Whether the bytes look like text in some encoding. An empty file counts as text.
  private static func isText(_ head: [UInt8]) -> Bool {
    let isWide = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
    return isWide || head.allSatisfy { $0 >= 0x20 || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }
}

/// ID3v2 tags, which may stand before every format.
package enum ID3v2 {
  /// The size of a tag's header in bytes; a footer has the same.
  package static let headerSize = 10
  /// The most tags in a row that are skipped. Some taggers put a new tag before the old one; a file with many was made to do harm.
  private static let most = 8

  /// The size of the tag that begins with these bytes, with its header and footer; nil if no tag does.
  package static func size(_ header: some Collection<UInt8>) -> Int? {
    let header = Array(header.prefix(headerSize))
    guard header.count == headerSize, header.starts(with: "ID3".utf8), header[3] < 0xFF, header[4] < 0xFF,
      header[6...9].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let hasFooter = header[5] & 0x10 != 0
    return headerSize + number(header[6...9]) + (hasFooter ? headerSize : 0)
  }

  /// The number that is written in the low seven bits of each byte. Tags write sizes in this way so that none looks
  /// like the beginning of sound.
  package static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// The offset at which the tags at the beginning of a file end; 0 if there are none. It may lie past the end of the file, because a tag's stated
  /// size is not checked. `bytes` reads up to `count` bytes from `offset` on.
  package static func end<Failure: Error>(
    _ bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
  ) throws(Failure) -> Int {
    var end = 0
    for _ in 0..<most {
      guard let size = size(try bytes(end, headerSize)) else { break }
      end += size
    }
    return end
  }
}

/// The first bytes of a file, in which the marks of formats are looked for from `start` on.
struct FileHead {
  private let bytes: [UInt8]
  private let start: Int

  init(_ bytes: [UInt8], from start: Int = 0) { (self.bytes, self.start) = (bytes, start) }

  func has(_ mark: Mark) -> Bool {
    if mark.isInOgg { return hasOggStream(mark) }
    return start + mark.offset <= bytes.count && mark.fits(bytes[(start + mark.offset)...])
  }

  // MARK: Ogg

  /// Where a sound that is played begins in Ogg behind the first byte. Nil if none does, or if the file begins as another known format. A recording
  /// of a radio stream may begin with the end of another song, so the page that begins a whole one comes later.
  var laterOggSound: (format: SoundFormat, offset: Int)? {
    // A file that begins like MPEG audio is taken for MPEG audio.
    guard bytes.first != 0xFF, has("OggS") || foreignName == nil else { return nil }
    // The letter is compared first because that is quick and mostly fails.
    for page in bytes.indices.dropFirst() where bytes[page] == UInt8(ascii: "O") && isPage(at: page) {
      if let format = SoundFormat.marked(in: FileHead(bytes, from: page)) { return (format, page) }
    }
    return nil
  }

  private func isPage(at offset: Int) -> Bool {
    bytes.count >= offset + 27 && bytes[offset...].starts(with: "OggS".utf8) && bytes[offset + 5] & 0x02 != 0
  }

  /// Whether the first packet of one of the Ogg streams that begin at `start` begins with this mark.
  ///
  /// The first pages of all streams in a group come before the second page of any, so another stream, such as a Skeleton, may
  /// come first.
  private func hasOggStream(_ mark: Mark) -> Bool {
    var page = start
    while isPage(at: page) {
      let packet = page + 27 + Int(bytes[page + 26])
      guard packet <= bytes.count else { return false }
      if mark.fits(bytes[packet...]) { return true }
      page = packet + bytes[page + 27..<packet].reduce(0) { $0 + Int($1) }
    }
    return false
  }

  // MARK: What is not played

  /// The name, for a person, of a format that is known and not played; nil for any other content.
  var foreignName: String? {
    if let format = ForeignFormat.marked(in: self) { return format.name }
    if has("OggS") { return SoundFormat.marked(in: self) == nil ? "Ogg with a codec that is not known" : nil }
    if has("#EXTM3U") {
      return contains("#EXT-X-") ? "an HLS list, which names the pieces of a stream" : "a playlist"
    }
    return isTransportStream ? "an MPEG transport stream" : nil
  }

  /// The name of the format of a film without sound; nil for any other content. The codings are named in the file's description. That may be at the
  /// end of the file, or longer than these bytes; in that case the decoder finds out.
  var filmName: String? {
    guard has("????ftyp"), let tracks = trackBox, ["avc1", "hvc1", "av01"].contains(where: tracks.contains),
      !["soun", "mp4a"].contains(where: tracks.contains)
    else { return nil }
    return "MPEG-4 video"
  }

  /// The box that describes the tracks of an MPEG-4 file; nil if these bytes do not have all of it.
  private var trackBox: FileHead? {
    var box = start
    while box + 8 <= bytes.count {
      let size = bytes[box..<box + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8 else { return nil }
      if bytes[(box + 4)...].starts(with: "moov".utf8) {
        return box + size <= bytes.count ? FileHead(Array(bytes[box..<box + size])) : nil
      }
      box += size
    }
    return nil
  }

  /// Where DTS begins in a WAV file that calls it samples, as copies of discs with DTS do; nil if there is none. Played as samples it would be loud noise.
  /// Its frames are found by their marks, three of them at equal distances.
  var dtsInWAV: Int? {
    guard has("RIFF????WAVE") else { return nil }
    var (last, distance) = (Int?.none, Int?.none)
    for offset in bytes.indices.dropFirst(44) where Self.dtsStarts.contains(bytes[offset]) {
      guard Self.dtsMarks.contains(where: { bytes[offset...].starts(with: $0) }) else { continue }
      let step = last.map { offset - $0 }
      if let distance, let step, step == distance { return offset - 2 * step }
      (last, distance) = (offset, step)
    }
    return nil
  }

  /// The marks of DTS's frames in 16 and in 14 bits of a sample.
  private static let dtsMarks: [[UInt8]] = [[0xFE, 0x7F, 0x01, 0x80], [0xFF, 0x1F, 0x00, 0xE8]]
  private static let dtsStarts: Set<UInt8> = [0xFE, 0xFF]

  /// The format of a sound that has no mark, but frames that state their lengths.
  var unmarkedSound: SoundFormat? { hasADTS ? .adts : hasAC3 ? .ac3 : nil }

  /// Whether this ASCII text occurs anywhere in the bytes.
  private func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
  }

  // MARK: Streams without a header of their own

  private var isTransportStream: Bool {
    bytes.count > 188 * 4 && (0...4).allSatisfy { bytes[$0 * 188] == 0x47 }
  }

  /// Whether the bytes begin with two frames of AAC in a row.
  private var hasADTS: Bool { adtsEnd(0).flatMap { adtsEnd($0) } != nil }

  /// Where the first three frames of AAC in a row begin, in a recording of a radio stream that begins in the middle of a frame.
  var laterADTS: Int? {
    (1..<max(1, min(bytes.count, Self.largestADTS))).first { start in
      guard bytes[start] == 0xFF, let second = adtsEnd(start), let third = adtsEnd(second),
        adtsEnd(third) != nil
      else { return false }
      // Rate and channels stay the same.
      return [second, third].allSatisfy {
        bytes[$0 + 1] == bytes[start + 1] && bytes[$0 + 2] == bytes[start + 2]
      }
    }
  }

  private static let largestADTS = 1 << 13

  /// Where the frame of AAC ends that begins at this offset; nil if none begins there. Each frame states how long it is.
  private func adtsEnd(_ offset: Int) -> Int? {
    guard offset + 7 <= bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] & 0xF6 == 0xF0 else {
      return nil
    }
    let size = Int(bytes[offset + 3] & 3) << 11 | Int(bytes[offset + 4]) << 3 | Int(bytes[offset + 5]) >> 5
    return size > 7 ? offset + size : nil
  }

  /// Whether the bytes begin with two frames of AC-3 or E-AC-3 in a row.
  private var hasAC3: Bool {
    let sync: [UInt8] = [0x0B, 0x77]
    guard has(Mark(sync)), bytes.count > 5 else { return false }
    let (code, isEnhanced) = (Int(bytes[4]), bytes[5] >> 3 > 10)
    if isEnhanced { return has(Mark(sync, at: ((Int(bytes[2]) & 7) << 8 | Int(bytes[3])) * 2 + 2)) }
    guard code & 0x3F < Self.ac3Kilobits.count * 2 else { return false }
    let kilobits = Self.ac3Kilobits[(code & 0x3F) / 2]
    switch code >> 6 {
    case 0: return has(Mark(sync, at: kilobits * 4))
    case 1: return has(Mark(sync, at: (kilobits * 320 / 147 + code & 1) * 2))
    case 2: return has(Mark(sync, at: kilobits * 6))
    default: return false
    }
  }

  private static let ac3Kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
}

/// The chunk with the sound in a WAV file whose size is written as 0: either nothing was recorded, or the recorder was ended before it could write how
/// much it was.
package enum UnsizedSound {
  /// If more bytes than this follow, they are the sound, whatever they look like.
  private static let mostTags = 1 << 20

  /// Whether sound follows. `next` are the eight bytes behind the chunk's header, and `room` is the number of bytes from there to the file's end.
  /// Otherwise nothing follows, or another chunk, such as one of tags: four letters, and a size that fits.
  package static func follows(_ next: [UInt8], _ order: ByteCursor.Order, room: Int) -> Bool {
    guard room > 0, room <= mostTags else { return room > 0 }
    var cursor = ByteCursor(next)
    guard let name = cursor.take(4), name.allSatisfy({ (0x20...0x7e).contains($0) }),
      let size = cursor.number(4, order)
    else { return true }
    return size > room - 8
  }
}
