// SPDX-License-Identifier: MIT
import MediaModel

/// The facts in an MP4 file about the length of its tracks, and about which part of a track a listener is meant to hear.
///
/// An AAC encoder puts one or two thousand frames before the sound and fills up the last packet. Two places in a file tell how many frames those are:
/// the edit list, and a text called iTunSMPB. Both are read here, since programs write and understand them differently.
package struct MP4Timeline: Sendable, Equatable {
  /// A track of sound, or of something else.
  package struct Track: Sendable, Equatable {
    /// The number that the file gives to the track.
    package var number = 0
    /// The kind of track: "soun" for sound, "vide" for video.
    package var kind = ""
    /// The coding's name of four letters, such as "mp4a".
    package var coding = ""
    /// How many ticks make a second in this track's times.
    package var scale = 0
    /// The ticks of all packets together; nil if the packets are in fragments, or if the number makes no sense.
    package var ticks: Int?
    /// The ticks of the first packet; the others usually have the same.
    package var packet = 0
    /// The tick at which playing is to begin; nil if no edit list tells.
    package var editStart: Int?
    /// How long the part to play is, in the ticks of the whole file; nil if it goes on to the end.
    package var editLength: Int?

    package init() {}

    /// Whether the content is encrypted, so that only the shop's own player can play it.
    package var isLocked: Bool { ["drms", "enca", "drmi", "encv", "aavd"].contains(coding) }
  }

  /// The number of frames before the sound, and of the sound itself, from a text of iTunes.
  package struct Priming: Sendable, Equatable {
    package let frames: Int
    package let length: Int
  }

  /// How many ticks make a second in the times that concern the whole file.
  package private(set) var scale = 0
  package private(set) var tracks: [Track] = []
  package private(set) var priming: Priming?
  /// Whether the sound is in fragments, each with a table of its own.
  package private(set) var isFragmented = false

  private static let mostTracks = 32
  /// How many entries of a table are added up. A table of a sound mostly has one or two, but one that was taken from a broadcast may have one for each
  /// packet: so many are 13 hours.
  private static let mostEntries = 1 << 21
  /// How many entries are read at once.
  private static let entriesAtOnce = 1 << 13

  /// Reads the description part of an MP4 file; nil if it has none. In a file of `size` bytes the format begins at `start`.
  package init?(from start: Int = 0, size: Int, _ bytes: @escaping MP4Boxes.Bytes) {
    guard let film = MP4Boxes.first("moov", in: start..<max(start, size), bytes) else { return nil }
    for box in MP4Boxes(in: film, bytes) {
      switch box.name {
      case "mvhd": scale = Self.scale(box.content, bytes)
      case "trak" where tracks.count < Self.mostTracks: tracks.append(Self.track(box.content, bytes))
      case "mvex": isFragmented = true
      case "udta": priming = priming ?? Self.priming(box.content, bytes)
      default: break
      }
    }
  }

  /// The tracks with sound.
  package var sounds: [Track] { tracks.filter { $0.kind == "soun" } }

  // MARK: What is to be heard

  /// The part of a track's decoded frames that is to be heard, in frames of its rate. The end is nil if the file does not tell. `number` is that of
  /// the track; if no track with sound has it, the first track with sound is taken.
  package func cut(track number: Int, rate: Int) -> (start: Int, end: Int?) {
    guard let track = tracks.first(where: { $0.number == number && $0.kind == "soun" }) ?? sounds.first,
      track.scale > 0
    else { return (0, nil) }
    func frames(_ ticks: Int) -> Int { Self.scaled(ticks, rate, track.scale) }
    let raw = isFragmented ? nil : track.ticks.map(frames)
    let doubling = Self.doubling(of: track, frames: frames(track.packet))
    if let priming { return Self.cut(priming, doubling, raw: raw) }
    var start = frames(track.editStart ?? 0)
    // Ticks of the core: the file is by an encoder that follows Apple's, which leaves out the decoder's delay.
    if start > 0, doubling > 1, track.scale * doubling == rate { start += Self.synthesisDelay * doubling }
    guard let length = track.editLength, scale > 0 else { return (start, raw) }
    let end = start + Self.scaled(length, rate, scale)
    // The length is given in ticks of the whole file, which are often milliseconds. If it agrees with the tables to within one tick, the tables are
    // more exact.
    let tick = Self.scaled(1, rate, scale) + 1
    guard let raw else { return (start, end) }
    return (start, abs(raw - end) <= tick ? raw : min(end, raw))
  }

  /// The number of frames that the decoder makes of each one that was coded. HE-AAC codes the lower half of the spectrum only, at half the rate, as
  /// what is called the core, and the decoder makes up the upper half. Its packets so have twice as many frames.
  private static func doubling(of track: Track, frames: Int) -> Int {
    track.coding == "mp4a" ? min(4, max(1, frames / 1_024)) : 1
  }

  /// The delay of HE-AAC's decoder, in frames of the core: so much later than a decoder of the core alone it delivers the same sound.
  private static let synthesisDelay = 481

  /// The part to be heard by iTunes' text.
  ///
  /// Apple's HE-AAC encoder, and those that follow it, count frames of the core and leave out the delay of the decoder. Fraunhofer's counts the
  /// frames that come out of the decoder, and its delay among them. Which of the two it was shows in the sum, which is that of all packets.
  private static func cut(_ priming: Priming, _ doubling: Int, raw: Int?) -> (start: Int, end: Int?) {
    var (start, length) = (priming.frames, priming.length)
    // Apple's own encoder may count two packets that it then does not write.
    let isOfCore = raw.map { start + length <= $0 / doubling + 2_048 } ?? true
    if doubling > 1, isOfCore {
      start = (start + synthesisDelay) * doubling
      length *= doubling
    }
    let end = start + length
    return (start, min(end, raw ?? end))
  }

  /// `number` × `by` / `divisor`, rounded to the nearest. The factors come from a file and may be any numbers.
  private static func scaled(_ number: Int, _ by: Int, _ divisor: Int) -> Int {
    let product = number.multipliedFullWidth(by: by)
    guard product.high == 0, product.low < 1 << 60 else { return 0 }
    return (Int(product.low) + divisor / 2) / divisor
  }

  // MARK: Boxes

  private static func track(_ place: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) -> Track {
    var track = Track()
    for box in MP4Boxes(in: place, bytes) {
      switch box.name {
      case "tkhd": track.number = field(box.content, bytes, short: 12, long: 20) ?? 0
      case "edts":
        if let list = MP4Boxes.first("elst", in: box.content, bytes) { readEdits(list, bytes, into: &track) }
      case "mdia": readMedia(box.content, bytes, into: &track)
      default: break
      }
    }
    return track
  }

  private static func readMedia(
    _ place: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes, into track: inout Track
  ) {
    for box in MP4Boxes(in: place, bytes) {
      switch box.name {
      case "mdhd": track.scale = scale(box.content, bytes)
      case "hdlr": track.kind = MP4Boxes.text(content(box.content, bytes, 12).dropFirst(8))
      case "minf":
        guard let table = MP4Boxes.first("stbl", in: box.content, bytes) else { break }
        if let coding = MP4Boxes.first("stsd", in: table, bytes) {
          track.coding = MP4Boxes.text(content(coding, bytes, 16).dropFirst(12))
        }
        if let times = MP4Boxes.first("stts", in: table, bytes) { readTimes(times, bytes, into: &track) }
      default: break
      }
    }
  }

  /// Adds up the lengths of all packets.
  private static func readTimes(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes, into track: inout Track) {
    var header = ByteCursor(content(place, bytes, 8))
    guard header.take(4) != nil, let stated = header.number(4, .bigEndian), stated > 0 else { return }
    let count = min(stated, (place.count - 8) / 8)
    var sum = 0
    for first in stride(from: 0, to: min(count, mostEntries), by: entriesAtOnce) {
      let start = place.lowerBound + 8 + first * 8
      var cursor = ByteCursor(bytes(start, min(entriesAtOnce, count - first) * 8)[...])
      while let packets = cursor.number(4, .bigEndian), let ticks = cursor.number(4, .bigEndian) {
        if track.packet == 0 { track.packet = ticks }
        // Two numbers of 32 bits are multiplied. Too large a sum is noticed here, so nothing overflows.
        let (product, overflow) = packets.multipliedReportingOverflow(by: ticks)
        guard !overflow, product < 1 << 52, sum < 1 << 53 else { return }
        sum += product
      }
    }
    if sum > 0, count <= mostEntries { track.ticks = sum }
  }

  /// Takes the first edit that is not a pause. If there are several, only the start of the first is used, because the others would need cuts inside
  /// the sound.
  private static func readEdits(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes, into track: inout Track) {
    var cursor = ByteCursor(content(place, bytes, 8 + 64 * 20))
    guard let version = cursor.number(1, .bigEndian), cursor.take(3) != nil,
      let count = cursor.number(4, .bigEndian)
    else { return }
    let width = version == 1 ? 8 : 4
    var found = 0
    for _ in 0..<min(count, 64) {
      guard let length = time(&cursor, width), let start = time(&cursor, width), cursor.take(4) != nil else {
        break
      }
      // A start of -1 means a pause before the sound.
      if width == 4 && start == 0xffff_ffff || start >= 1 << 53 || length >= 1 << 53 { continue }
      found += 1
      if found == 1 {
        track.editStart = start
        track.editLength = length > 0 ? length : nil
      }
    }
    if found > 1 { track.editLength = nil }
  }

  /// A time of so many bytes; one that is too large for `Int`, as -1 is in eight bytes, becomes the largest.
  private static func time(_ cursor: inout ByteCursor, _ width: Int) -> Int? {
    width == 8 ? cursor.bits().map { Int(clamping: $0) } : cursor.number(width, .bigEndian)
  }

  /// The number of ticks per second in the header of the file or of a track.
  private static func scale(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes) -> Int {
    field(place, bytes, short: 12, long: 20) ?? 0
  }

  /// A number of four bytes. Its offset depends on whether the times before it have four or eight bytes.
  private static func field(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes, short: Int, long: Int) -> Int? {
    let content = content(place, bytes, 32)
    guard let version = content.first else { return nil }
    var cursor = ByteCursor(content.dropFirst(version == 1 ? long : short))
    return cursor.number(4, .bigEndian)
  }

  private static func content(_ place: Range<Int>, _ bytes: MP4Boxes.Bytes, _ most: Int) -> ArraySlice<UInt8>
  {
    bytes(place.lowerBound, min(most, place.count))[...]
  }

  // MARK: iTunes

  /// Reads the text iTunSMPB among a file's tags.
  private static func priming(_ place: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) -> Priming? {
    // Four bytes come before the boxes in a box of tags, except in QuickTime files.
    guard let meta = MP4Boxes.first("meta", in: place, bytes) else { return nil }
    let inner = min(meta.lowerBound + 4, meta.upperBound)..<meta.upperBound
    guard let list = MP4Boxes.first("ilst", in: inner, bytes) ?? MP4Boxes.first("ilst", in: meta, bytes)
    else { return nil }
    for item in MP4Boxes(in: list, bytes) {
      guard item.name == "----", let name = MP4Boxes.first("name", in: item.content, bytes),
        content(name, bytes, 64).dropFirst(4).elementsEqual("iTunSMPB".utf8),
        let data = MP4Boxes.first("data", in: item.content, bytes)
      else { continue }
      return priming(String(decoding: content(data, bytes, 512).dropFirst(8), as: UTF8.self))
    }
    return nil
  }

  /// Reads the text iTunSMPB. It has hexadecimal numbers: an unused one, the frames before the sound, those after it, and those of the sound.
  static func priming(_ text: String) -> Priming? {
    let numbers = text.split { $0 == " " || $0 == "\0" }.prefix(4).map { Int($0, radix: 16) }
    guard numbers.count == 4, let frames = numbers[1], let padding = numbers[2], let length = numbers[3],
      (0..<1 << 20).contains(frames), (0..<1 << 20).contains(padding), (1..<1 << 52).contains(length)
    else { return nil }
    return Priming(frames: frames, length: length)
  }
}
