// SPDX-License-Identifier: MIT
internal import MediaModel

/// The comments that FLAC, Vorbis and Opus share: who made them, a count, and `NAME=value` each.
enum VorbisComments {
  /// How many comments are read; a block with more was made to be slow.
  private static let most = 65_536

  /// Reads a block that begins with the length of its maker's name. Reading ends at a comment that is cut off or lies
  /// about its size. Returns how many bytes the block takes; 0 if reading ended early.
  @discardableResult
  static func read(_ block: ArraySlice<UInt8>, into findings: inout TagFindings) -> Int {
    var cursor = ByteCursor(block)
    guard let maker = cursor.number(4, .littleEndian), cursor.take(maker) != nil,
      let count = cursor.number(4, .littleEndian)
    else { return 0 }
    for _ in 0..<min(count, most) {
      guard let size = cursor.number(4, .littleEndian), let comment = cursor.take(size) else { return 0 }
      read(comment: comment, into: &findings)
    }
    return block.count - cursor.rest.count
  }

  private static func read(comment: ArraySlice<UInt8>, into findings: inout TagFindings) {
    // The names that are known here have three letters or more, and far fewer than 64.
    guard let equals = comment.prefix(64).firstIndex(of: UInt8(ascii: "=")),
      equals - comment.startIndex > 2
    else { return }
    let name = String(decoding: comment[..<equals], as: UTF8.self).uppercased()
    let value = comment[(equals + 1)...]
    switch name {
    case "METADATA_BLOCK_PICTURE":
      guard value.count <= largestText else { return }
      readPicture(value, into: &findings)
    case "COVERART":
      guard value.count <= largestText, let bytes = Base64.decode(value) else { return }
      findings.take(.init(kind: 0, size: bytes.count)) { bytes }
    default:
      if TagField(name: name) != nil, value.count <= TagReader.longestText {
        findings.add(String(decoding: value, as: UTF8.self), to: name)
      }
    }
  }

  private static func readPicture(_ text: ArraySlice<UInt8>, into findings: inout TagFindings) {
    if findings.wantsPicture {
      if let block = Base64.decode(text) { FLACPicture.read(block[...], into: &findings) }
    } else if let head = Base64.decode(text.prefix(8)), head.count > 3 {
      findings.take(.init(kind: Int(head[3]), size: text.count / 4 * 3 - 32)) { [] }
    }
  }

  /// How long the text of a picture may be: the largest picture in Base64, with the fields that stand before it.
  private static let largestText = (TagReader.largestPicture + 4_096) / 3 * 4
}

/// A picture as FLAC writes it: its kind, its type and a description before the bytes.
enum FLACPicture {
  static func read(_ block: ArraySlice<UInt8>, into findings: inout TagFindings) {
    var cursor = ByteCursor(block)
    guard let kind = cursor.number(4, .bigEndian), let type = cursor.number(4, .bigEndian),
      cursor.take(type) != nil, let words = cursor.number(4, .bigEndian), cursor.take(words) != nil,
      cursor.take(16) != nil, let size = cursor.number(4, .bigEndian), let bytes = cursor.take(size)
    else { return }
    findings.take(.init(kind: kind, size: size)) { Array(bytes) }
  }
}

/// Bytes written with 64 letters.
enum Base64 {
  /// The bytes; white space is passed over. Nil where a letter is none of the 64.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(text.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for letter in text {
      if letter == UInt8(ascii: "=") { break }
      if letter <= 0x20 { continue }
      guard let value = values[Int(letter)] else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return out
  }

  private static let values: [UInt8?] = {
    var table = [UInt8?](repeating: nil, count: 256)
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, letter) in letters.utf8.enumerated() { table[Int(letter)] = UInt8(value) }
    return table
  }()
}
