// SPDX-License-Identifier: MIT
internal import MediaModel

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
