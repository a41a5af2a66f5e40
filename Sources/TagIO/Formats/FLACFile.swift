// SPDX-License-Identifier: MIT
internal import MediaModel

/// Reads the metadata blocks that come before the sound of a FLAC stream, in a FLAC file or in Ogg.
struct FLACBlocks {
  /// The kind of a block and its length.
  struct Header {
    let kind: UInt8
    let isLast: Bool
    let size: Int

    /// Reads the four bytes of a header; nil if they can't begin a block.
    init?(_ bytes: ArraySlice<UInt8>) {
      var cursor = ByteCursor(bytes)
      guard let first = cursor.number(1, .bigEndian), let size = cursor.number(3, .bigEndian),
        first & 0x7f != 0x7f
      else { return nil }
      (kind, isLast, self.size) = (UInt8(first & 0x7f), first & 0x80 != 0, size)
    }

    /// Whether the block's content is needed: the stream's description, the comments, or a picture if `picture` is true.
    func isWanted(picture: Bool) -> Bool { kind == 0 || kind == 4 || kind == 6 && picture }
  }

  /// How many frames each block of sound has, except that the last one may have fewer.
  private(set) var framesPerBlock = 0
  private(set) var hasSound = false

  mutating func read(_ header: Header, _ body: ArraySlice<UInt8>, into findings: inout TagFindings) {
    switch header.kind {
    case 0 where !hasSound: readStream(body, into: &findings)
    case 4: VorbisComments.read(body, into: &findings)
    case 6: FLACPicture.read(body, into: &findings)
    default: break
    }
  }

  private mutating func readStream(_ body: ArraySlice<UInt8>, into findings: inout TagFindings) {
    var cursor = ByteCursor(body)
    guard cursor.take(2) != nil, let block = cursor.number(2, .bigEndian), cursor.take(6) != nil,
      let bits = cursor.bits()
    else { return }
    let rate = Int(bits >> 44)
    guard rate > 0 else { return }
    (hasSound, framesPerBlock) = (true, block)
    findings.setLength(frames: Int(bits & 0xf_ffff_ffff), rate: rate, channels: Int(bits >> 41 & 7) + 1)
  }
}

/// A FLAC file, which may have ID3 before it.
enum FLACFile {
  private static let mostMissing = 65_536

  /// Reads the stream that begins at an offset; false if it does not describe its sound.
  static func read(_ file: FileBytes, at start: Int, into findings: inout TagFindings) -> Bool {
    var blocks = FLACBlocks()
    var offset = start + 4
    while let header = file.exactly(4, at: offset).flatMap({ FLACBlocks.Header($0[...]) }) {
      offset += 4
      var size = header.size
      let kind = header.kind == 6 ? Int(file.bytes(at: offset, count: 4).last ?? 0) : 0
      if header.kind == 4 {
        // Some taggers have written too small a size for this block. The sizes inside the comments are right.
        let body = file.bytes(at: offset, count: size + mostMissing)
        size = max(size, VorbisComments.read(body[...], into: &findings))
      } else if header.isWanted(picture: findings.wantsPicture && findings.wantsPicture(of: kind)) {
        // How many bytes are read of one file is limited, so no picture is read that would not be taken.
        blocks.read(header, file.bytes(at: offset, count: header.size)[...], into: &findings)
      } else if header.kind == 6, offset + header.size <= file.size {
        findings.take(.init(kind: kind, size: header.size - 32)) { [] }
      }
      offset += size
      if header.isLast { break }
    }
    findings.setKilobits(bytes: file.size - offset)
    findings.sound = min(offset, file.size)..<file.size
    return blocks.hasSound
  }
}

/// The comments that FLAC, Vorbis and Opus share: the name of the program that wrote them, a count, and a `NAME=value` each.
enum VorbisComments {
  /// How many comments are read; a block with more was made to be slow.
  private static let most = 65_536

  /// Reads a block that begins with the length of the writing program's name. Reading ends at a comment that is cut off or has a wrong size. Returns
  /// how many bytes the block takes; 0 if reading ended early.
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
    // All names that are used have at least three letters, and far fewer than 64.
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

  /// The longest text of a picture that is read: the largest picture in Base64, with the fields before it.
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

/// Bytes written as text with 64 different characters.
enum Base64 {
  /// The bytes that the text stands for. White space is skipped, and `=` ends the text. Nil if there is any other character.
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
