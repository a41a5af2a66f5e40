// SPDX-License-Identifier: MIT
internal import CTagLib
internal import MediaModel

/// An MPEG file: ID3v2 tags before the sound, an APE tag and an ID3v1 tag after it.
enum MPEGFile {
  /// Reads the sound, which begins at `start`, and the tags after it. `hasTag` says whether there are ID3v2 tags before it. Returns false if there
  /// are none and this is not MPEG audio either.
  static func read(
    _ file: FileBytes, at start: Int, hasTag: Bool, into findings: inout TagFindings
  ) -> Bool {
    var end = end(of: file)
    let appended = end.hasAPE ? nil : appendedTag(in: file, until: end.sound)
    if let appended {
      end.sound = appended
      _ = ID3Tag.read(file, at: appended, into: &findings)
    }
    findings.sound = start..<max(start, end.sound)
    if !end.hasAPE, let sound = MPEGSound(file, at: start, until: end.sound) {
      ID3v1Tag.read(file, into: &findings)
      sound.tell(&findings)
      return true
    }
    return readOdd(file, at: start, into: &findings) || hasTag || appended != nil
  }

  /// Lets TagLib read an unusual file: one with an APE tag, or one whose length `MPEGSound` can't tell. TagLib is slow: it takes as much time as
  /// everything else together.
  static func readOdd(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    let collector = TagCollector()
    var sound = ctag_sound()
    var limits = ctag_limits(text: TagReader.longestText, picture: TagReader.largestPicture)
    var answers = unsafe collector.findings(picture: findings.wantsPicture)
    let isRead = unsafe ctag_read_mpeg(
      file.descriptor, Int64(min(start, file.size)), Int64(file.size), &limits, &answers, &sound)
    withExtendedLifetime(collector) {}
    findings.properties.fill(from: collector.properties)
    ID3v1Tag.read(file, into: &findings)
    // ID3v2 goes before APE, whatever the picture is of.
    if sound.has_picture, !findings.hasPicture {
      let size = findings.wantsPicture ? collector.picture.count : 1
      findings.take(.init(kind: 3, size: size)) { collector.picture }
    }
    (findings.rate, findings.channels) = (Int(sound.rate), Int(sound.channels))
    if sound.milliseconds > 0 { findings.duration = .milliseconds(Int(sound.milliseconds)) }
    if sound.bits_per_millisecond > 0 { findings.kilobits = Int(sound.bits_per_millisecond) }
    return isRead
  }

  /// Where an ID3v2 tag begins that ends here with a footer; nil if none does.
  private static func appendedTag(in file: FileBytes, until end: Int) -> Int? {
    guard let footer = file.exactly(ID3v2.headerSize, at: end - ID3v2.headerSize),
      footer.starts(with: "3DI".utf8),
      let size = ID3v2.size("ID3".utf8 + footer.dropFirst(3)), size <= end,
      file.bytes(at: end - size, count: 3).elementsEqual("ID3".utf8)
    else { return nil }
    return end - size
  }

  /// The end of the sound. An APE tag may follow, and then an ID3v1 tag.
  private static func end(of file: FileBytes) -> (sound: Int, hasAPE: Bool) {
    var end = file.size
    if ID3v1Tag.bytes(of: file) != nil { end -= 128 }
    guard let footer = file.exactly(32, at: end - 32) else { return (end, false) }
    var cursor = ByteCursor(footer)
    guard cursor.take(mark: "APETAGEX".utf8) else { return (end, false) }
    guard cursor.take(4) != nil, let size = cursor.number(4, .littleEndian), cursor.take(4) != nil,
      let flags = cursor.number(4, .littleEndian)
    else { return (end, true) }
    // The size includes the footer, but not the header that the highest bit announces.
    return (end - size - (flags >> 31 == 1 ? 32 : 0), true)
  }
}

/// Receives the texts and the picture that the C code in `CTagLib` finds in one file. Used by one thread, during one
/// call.
final class TagCollector {
  private(set) var properties = TagProperties()
  private(set) var picture: [UInt8] = []

  /// Callbacks that lead to this object but do not retain it: the caller keeps it alive until the call is over.
  func findings(picture isWanted: Bool) -> ctag_findings {
    unsafe ctag_findings(
      context: Unmanaged.passUnretained(self).toOpaque(),
      text: { context, name, nameSize, value, valueSize in
        unsafe TagCollector.at(context)?.add(
          String(bytes: value, count: valueSize), to: String(bytes: name, count: nameSize))
      },
      picture: isWanted
        ? { context, bytes, size in
          unsafe TagCollector.at(context)?.picture = Array(UnsafeBufferPointer(start: bytes, count: size))
        } : nil)
  }

  private func add(_ value: String, to name: String) { properties.add(value, to: name) }

  private static func at(_ context: UnsafeMutableRawPointer?) -> TagCollector? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<TagCollector>.fromOpaque(context).takeUnretainedValue()
  }
}

extension String {
  /// The text of these bytes. Bytes that are not UTF-8 are replaced.
  fileprivate init(bytes: UnsafePointer<CChar>?, count: Int) {
    self = unsafe String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// Files that consist of frames only: AAC as it is broadcast, AC-3 and DTS. Tags may come before or after the frames.
enum FramedFile {
  /// Reads the frames that begin at an offset.
  static func read(
    _ format: SoundFormat, _ file: FileBytes, at start: Int, into findings: inout TagFindings
  ) -> Bool {
    findings.takeSound(of: file, from: start, isNative: false)
    if format == .adts { countFrames(file, findings.sound, into: &findings) }
    findings.setKilobits(bytes: findings.sound.count)
    return true
  }

  /// More frames than this are not counted: those of an hour and a half at the highest rate, of hours at others.
  private static let mostFrames = 400_000

  /// Counts the frames one by one, because the file does not state their number. Of a file with very many, and behind a place where no frame follows,
  /// as in a recording of a radio stream, the rest counts as long as what was counted, byte for byte.
  private static func countFrames(_ file: FileBytes, _ range: Range<Int>, into findings: inout TagFindings) {
    let rates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    var (offset, frames, blocks, rate, channels) = (range.lowerBound, 0, 0, 0, 0)
    while frames < mostFrames, offset + 7 <= range.upperBound, let header = file.exactly(7, at: offset),
      header[0] == 0xff,
      header[1] & 0xf6 == 0xf0
    {
      let size = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5]) >> 5
      let code = Int(header[2] >> 2 & 15)
      guard size > 7, rates.indices.contains(code) else { break }
      if rate == 0 { (rate, channels) = (rates[code], Int(header[2] & 1) << 2 | Int(header[3]) >> 6) }
      blocks += Int(header[6] & 3) + 1
      offset += size
      frames += 1
    }
    let rest = range.upperBound - offset
    if frames > 0, rest > 2 * (offset - range.lowerBound) / frames {
      blocks = Int(Double(blocks) * Double(range.count) / Double(offset - range.lowerBound))
    }
    findings.setLength(frames: blocks * 1_024, rate: rate, channels: channels == 7 ? 8 : channels)
  }
}
