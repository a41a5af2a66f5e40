// SPDX-License-Identifier: MIT

/// The blocks before the sound of a FLAC stream, in a file of its own or in Ogg.
struct FLACBlocks {
  /// The kind of a block and how long it is.
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

    /// Whether the block's content is needed: the stream's description, the comments, or a picture that is asked for.
    func isWanted(picture: Bool) -> Bool { kind == 0 || kind == 4 || kind == 6 && picture }
  }

  /// How many frames of sound a block of the stream has; the last one may have fewer.
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
      let bits = cursor.take(8)?.reduce(UInt64(0), { $0 << 8 | UInt64($1) })
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
      if header.kind == 4 {
        // Some taggers have written too small a size for this block. The sizes inside the comments are right.
        let body = file.bytes(at: offset, count: size + mostMissing)
        size = max(size, VorbisComments.read(body[...], into: &findings))
      } else if header.isWanted(picture: findings.wantsPicture) {
        blocks.read(header, file.bytes(at: offset, count: header.size)[...], into: &findings)
      } else if header.kind == 6, offset + header.size <= file.size {
        let kind = file.bytes(at: offset, count: 4).last.map { Int($0) }
        findings.take(.init(kind: kind ?? 0, size: header.size - 32)) { [] }
      }
      offset += size
      if header.isLast { break }
    }
    findings.setKilobits(bytes: file.size - offset)
    return blocks.hasSound
  }
}
