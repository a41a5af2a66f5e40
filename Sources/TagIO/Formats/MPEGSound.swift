// SPDX-License-Identifier: MIT
internal import MediaModel

/// The length and bit rate of an MP3 file, computed from its first and its last frame.
///
/// The stated length must be the same as TagLib's, which reads unusual files: fingerprints contain it, and must not depend on who has read a file. Where
/// it is known to be wrong, there is a truer one beside it. Only usual files are read here, whose sound is frames of layer III from its first byte
/// on.
struct MPEGSound {
  private let header: MPEGFrameHeader
  private let milliseconds: Int
  /// The length if it differs much from `milliseconds`, as far as it can be told without reading the whole file.
  private var truerMilliseconds: Int?
  private var kilobits: Int

  /// Reads the sound in a range of a file. Nil if it is an unusual file.
  init?(_ file: FileBytes, at start: Int, until end: Int) {
    guard let header = Self.header(file, at: start), let size = header.frameSize,
      let second = Self.header(file, at: start + size), second.continues(header)
    else { return nil }
    self.header = header
    let frame = file.bytes(at: start, count: min(size, end - start))
    switch StatedLength(frame) {
    case .broken: return nil
    case .stated(let frames, let bytes):
      let length = Double(header.soundFrames) * 1_000 / Double(header.rate) * Double(frames)
      guard length >= 1, length < 2e9 else { return nil }
      milliseconds = Int(length + 0.5)
      kilobits = Int(Double(bytes) * 8 / length + 0.5)
      // Of a file that was cut short the tag states what it once was.
      if end - start < bytes - bytes / 50 {
        truerMilliseconds = Int(length * Double(end - start) / Double(bytes) + 0.5)
      }
    case .none:
      guard let last = Self.endOfLastFrame(file, start, end) else { return nil }
      milliseconds = Int(Double(last - start) * 8 / Double(header.kilobits) + 0.5)
      kilobits = header.kilobits
      if let mean = Self.meanRate(file, header, start, last) {
        truerMilliseconds = Int(Double(last - start) * 8 / mean + 0.5)
        kilobits = Int(mean + 0.5)
      }
    }
  }

  func tell(_ findings: inout TagFindings) {
    (findings.rate, findings.channels) = (header.rate, header.isMono ? 1 : 2)
    if milliseconds > 0 { findings.duration = .milliseconds(truerMilliseconds ?? milliseconds) }
    if truerMilliseconds != nil { findings.uncutDuration = .milliseconds(milliseconds) }
    findings.kilobits = kilobits > 0 ? kilobits : nil
  }

  /// The length of the whole sound that an encoder may have stated in the first frame.
  private enum StatedLength {
    case none
    /// The encoder has stated an impossible length.
    case broken
    case stated(frames: Int, bytes: Int)

    init(_ frame: [UInt8]) {
      if let mark = Self.place(of: "Xing", in: frame) ?? Self.place(of: "Info", in: frame) {
        // A stated length counts only if it has both numbers.
        self = Self.read(frame, mark, least: 16, frames: 8, bytes: 12, isWhole: { $0[mark + 7] & 3 == 3 })
      } else if let mark = Self.place(of: "VBRI", in: frame) {
        self = Self.read(frame, mark, least: 32, frames: 14, bytes: 10, isWhole: { _ in true })
      } else {
        self = .none
      }
    }

    private static func read(
      _ frame: [UInt8], _ mark: Int, least: Int, frames: Int, bytes: Int, isWhole: ([UInt8]) -> Bool
    ) -> StatedLength {
      guard frame.count >= mark + least, isWhole(frame) else { return .none }
      func number(_ at: Int) -> Int { frame[(mark + at)..<(mark + at + 4)].reduce(0) { $0 << 8 | Int($1) } }
      // A stated length with a zero in it counts as none.
      guard number(frames) > 0, number(bytes) > 0 else { return .none }
      return .stated(frames: number(frames), bytes: number(bytes))
    }

    private static func place(of mark: StaticString, in frame: [UInt8]) -> Int? {
      let letters = unsafe [UInt8](UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount))
      guard frame.count >= letters.count else { return nil }
      return (0...(frame.count - letters.count)).first { place in
        frame[place] == letters[0] && frame[place...].starts(with: letters)
      }
    }
  }

  // MARK: Frames of several rates

  /// At so many places frames are looked at, and so many bytes at each: three of the longest frames.
  private static let places = 16
  private static let window = 4_096

  /// The mean rate of a sound, in kilobits a second, from the frames at some places; nil if all of these have the first one's rate.
  private static func meanRate(_ file: FileBytes, _ first: MPEGFrameHeader, _ start: Int, _ end: Int)
    -> Double?
  {
    var rates: [Int] = []
    for place in 0..<places {
      let from = start + (end - start) / places * place
      rates += Self.rates(of: file.bytes(at: from, count: min(window, end - from)), like: first)
    }
    guard rates.contains(where: { $0 != first.kilobits }) else { return nil }
    return Double(rates.reduce(0, +)) / Double(rates.count)
  }

  /// The rates of the frames in these bytes, from the first one on that is followed by another.
  private static func rates(of bytes: [UInt8], like first: MPEGFrameHeader) -> [Int] {
    func frame(_ place: Int) -> (header: MPEGFrameHeader, end: Int)? {
      guard place + MPEGFrameHeader.size <= bytes.count, bytes[place] == 0xff, isSync(bytes[place + 1]),
        let header = MPEGFrameHeader(Array(bytes[place..<place + MPEGFrameHeader.size])),
        header.continues(first),
        let size = header.frameSize
      else { return nil }
      return (header, place + size)
    }
    var place = 0
    while let found = bytes[place...].firstIndex(of: 0xff) {
      if let one = frame(found), frame(one.end) != nil {
        place = found
        break
      }
      place = found + 1
    }
    var rates: [Int] = []
    while let one = frame(place) {
      rates.append(one.header.kilobits)
      place = one.end
    }
    return rates
  }

  // MARK: The last frame

  /// How far from the end the last frames are searched for.
  private static let tail = 8_192

  /// The end of the last frame. To find it, the last header that is followed by another one is searched for; the frame after that is the last.
  private static func endOfLastFrame(_ file: FileBytes, _ start: Int, _ end: Int) -> Int? {
    let from = max(start, end - tail)
    let bytes = file.bytes(at: from, count: end - from)
    guard bytes.count == end - from, bytes.count >= 8 else { return nil }
    for place in (0...(bytes.count - 4)).reversed() where bytes[place] == 0xff && isSync(bytes[place + 1]) {
      let word = bytes[place..<(place + 4)]
      guard let size = size(word), place + size + 4 <= bytes.count else { continue }
      let next = bytes[(place + size)..<(place + size + 4)]
      guard isLike(word, next) else { continue }
      // For the last frame, all fields must be valid.
      guard let lastSize = Self.size(next) else { return nil }
      return from + place + size + lastSize
    }
    return nil
  }

  /// The size of the frame that begins with these four bytes, as TagLib computes it; nil if TagLib does not accept them as a header.
  private static func size(_ word: ArraySlice<UInt8>) -> Int? {
    var word = Array(word)
    guard isSync(word[1]) else { return nil }
    // TagLib does not check the emphasis, one value of which is forbidden.
    word[3] &= 0xfc
    guard let header = MPEGFrameHeader(word), header.frameSize != nil else { return nil }
    guard header.layer == 1 else { return header.frameSize }
    return 48_000 * header.kilobits / header.rate + (word[2] & 2 != 0 ? 4 : 0)
  }

  private static func isSync(_ second: UInt8) -> Bool { second != 0xff && second & 0xe0 == 0xe0 }

  /// Whether two headers have the same version, layer and sample rate.
  private static func isLike(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    zip(zip(one, other), [0xff, 0xfe, 0x0c, 0] as [UInt8]).allSatisfy { $0.0 & $1 == $0.1 & $1 }
  }

  private static func header(_ file: FileBytes, at place: Int) -> MPEGFrameHeader? {
    let bytes = file.bytes(at: place, count: MPEGFrameHeader.size)
    guard bytes.count == MPEGFrameHeader.size, isSync(bytes[1]), let header = MPEGFrameHeader(bytes),
      header.layer == 3
    else { return nil }
    return header
  }
}
