// SPDX-License-Identifier: MIT

/// The tags that stand behind the sound: ID3v1, APEv2, Lyrics3 and ID3v2 with a footer.
enum ClosingTags {
  /// Where the sound that begins at `start` ends. Reads some bytes of each tag and never a whole tag.
  static func start(in source: any ByteSource, after start: Int) throws(DecodeError) -> Int {
    var end = source.size
    // There are four kinds, and one tag of each at most. If a file has more, the decoder skips them as junk.
    for _ in 0..<4 {
      let size = try sizeOfTag(in: source, endingAt: end)
      guard size > 0, size <= end - start else { break }
      end -= size
    }
    return end
  }

  private static func sizeOfTag(in source: any ByteSource, endingAt end: Int) throws(DecodeError) -> Int {
    let window = min(end, 128)
    let tail = try source.bytes(at: end - window, count: window)
    if tail.count == 128, tail.starts(with: "TAG".utf8) { return 128 }
    if let size = sizeOfAPE(tail.suffix(32)) { return size }
    if let size = sizeOfLyrics(tail.suffix(15)) { return size }
    return sizeOfID3(tail.suffix(10)) ?? 0
  }

  private static func sizeOfAPE(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { return nil }
    let bytes = Array(footer)
    let size = bytes[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    let hasHeader = bytes[23] & 0x80 != 0
    return max(32, size) + (hasHeader ? 32 : 0)
  }

  private static func sizeOfLyrics(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 15, footer.dropFirst(6).elementsEqual("LYRICS200".utf8) else { return nil }
    let digits = footer.prefix(6)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } + 15
  }

  private static func sizeOfID3(_ footer: ArraySlice<UInt8>) -> Int? {
    guard footer.count == 10, footer.starts(with: "3DI".utf8) else { return nil }
    return ID3.sizeOfTag(Array("ID3".utf8) + footer.dropFirst(3))
  }
}
