// SPDX-License-Identifier: MIT
internal import MediaModel

/// Iterates over the frames of an ID3v2 tag. Faults that some taggers make do not end the tag: frames without content are skipped, names with a space
/// are accepted, and so are sizes that are written as another version writes them.
struct ID3Frames {
  /// A frame that can be read. Its name has four letters; the names of ID3v2.2, with three, are converted.
  struct Frame {
    let name: String
    /// The offset of the frame's content, counted from the end of the tag's header. `size` is the size of the content.
    /// Both are in bytes.
    let offset: Int
    let size: Int
    /// Whether a zero was inserted after each 0xff of the content, so that no part of it looks like sound.
    let isUnsynchronised: Bool
  }

  /// The version after "ID3v2.": 2, 3 or 4.
  let version: UInt8
  /// The size of the whole tag in bytes, with its header and footer.
  let size: Int

  private let body: Body
  private let isUnsynchronised: Bool
  private var place: Int
  private var passed = 0

  /// How many frames are read. No tagger writes more; a tag with more was made to be slow.
  private static let most = 16_384
  /// How many bytes are read of a tag from which inserted zeros have to be removed before its frames can be read.
  private static let largestRewritten = 18 << 20

  /// The tag at an offset of a file; nil if there is none of a known version.
  init?(_ file: FileBytes, at offset: Int) {
    let head = file.bytes(at: offset, count: ID3v2.headerSize)
    guard let size = ID3v2.size(head), (2...4).contains(head[3]) else { return nil }
    let start = offset + ID3v2.headerSize
    let end = min(start + ID3v2.number(head[6...9]), file.size)
    let flags = head[5]
    (version, self.size) = (head[3], size)
    let raw = Body.file(file, start..<max(start, end))
    let plain = flags & 0x80 != 0 && version < 4 ? Self.plain(raw, version) : nil
    (body, isUnsynchronised) = (plain ?? raw, flags & 0x80 != 0 && plain == nil)
    place = 0
    // In ID3v2.2 this flag means a compression that was never defined.
    if version > 2, flags & 0x40 != 0 { skipExtension() }
  }

  /// The next frame that can be read; nil at the end.
  mutating func next() -> Frame? {
    let headerSize = version == 2 ? 6 : 10
    while passed < Self.most, let header = body.exactly(headerSize, at: place), header[0] != 0 {
      passed += 1
      let start = place + headerSize
      guard let size = frameSize(header, at: start) else { return nil }
      place = start + size
      if size > 0, let name = Self.name(header.prefix(version == 2 ? 3 : 4)),
        let frame = frame(name, flags: version == 2 ? 0 : header[9], start, size)
      {
        return frame
      }
    }
    return nil
  }

  /// The content of a frame or its first bytes, without the zeros that were inserted after each 0xff.
  func content(_ frame: Frame, atMost count: Int = .max) -> [UInt8] {
    let bytes = body.bytes(at: frame.offset, count: min(frame.size, count))
    return frame.isUnsynchronised ? Self.synchronised(bytes) : bytes
  }

  private mutating func skipExtension() {
    guard let head = body.exactly(4, at: 0) else { return }
    // In version 3 the size does not include its own four bytes. Some taggers count as version 4 does, and some announce an extension that is not
    // there.
    if Self.name(head[...]) != nil { return }
    let plain = Self.plain(head[...])
    place = version == 3 ? (plain == 6 || plain == 10 ? plain + 4 : plain) : ID3v2.number(head[...])
    if place >= body.count { place = 0 }
  }

  /// The size of a frame's content, in the form of the tag's version. If only the form of the other version puts a frame or the tag's end behind the
  /// content, that one counts. Nil if the tag is too short for the size.
  private func frameSize(_ header: [UInt8], at start: Int) -> Int? {
    if version == 2 { return fitting([Self.plain(header[3...5])], start) }
    let (plain, safe) = (Self.plain(header[4...7]), ID3v2.number(header[4...7]))
    let isSafe = header[4...7].allSatisfy { $0 < 0x80 }
    let sizes = version == 3 ? [plain] + (isSafe ? [safe] : []) : isSafe ? [safe, plain] : [plain]
    return fitting(sizes, start)
  }

  private func fitting(_ sizes: [Int], _ start: Int) -> Int? {
    let fitting = sizes.filter { $0 <= body.count - start }
    if fitting.count < 2 || fitting[0] == fitting[1] { return fitting.first }
    return fitting.first { isPlausible(start + $0) } ?? fitting.first
  }

  /// Whether this place can be the end of the tag or the beginning of a frame.
  private func isPlausible(_ place: Int) -> Bool {
    let head = body.bytes(at: place, count: 4)
    return head.isEmpty || head[0] == 0 || head.count == 4 && Self.name(head[...]) != nil
  }

  /// The content of a tag of version 2 or 3 without the zeros that were inserted after each 0xff. The sizes of frames should not include these zeros;
  /// nil if they do, as some taggers write them, or if no zeros were inserted.
  private static func plain(_ raw: Body, _ version: UInt8) -> Body? {
    let bytes = raw.bytes(at: 0, count: largestRewritten)
    if hasSynchronisation(bytes) { return nil }
    let plain = Body.memory(synchronised(bytes))
    return framesLed(raw, version) > framesLed(plain, version) ? nil : plain
  }

  /// How many frames are found by following their sizes from one name to the next, up to the padding or the end. 0 if a size leads to a place without
  /// a name.
  private static func framesLed(_ body: Body, _ version: UInt8) -> Int {
    let letters = version == 2 ? 3 : 4
    var (place, count) = (0, 0)
    while count < most, let header = body.exactly(version == 2 ? 6 : 10, at: place), header[0] != 0 {
      guard name(header.prefix(letters)) != nil else { return 0 }
      place += header.count + plain(header[letters..<2 * letters])
      count += 1
    }
    return place <= body.count ? count : 0
  }

  /// The frame after a header, without the fields that its flags announce before the content. Nil if it is compressed or encrypted: taggers don't do
  /// that, and a few compressed bytes can become very many.
  private func frame(_ name: String, flags: UInt8, _ start: Int, _ size: Int) -> Frame? {
    var before = 0
    var isUnsynchronised = isUnsynchronised
    if version == 3 {
      guard flags & 0xc0 == 0 else { return nil }
      before = flags & 0x20 != 0 ? 1 : 0  // a group's number
    } else if version == 4 {
      guard flags & 0x0c == 0 else { return nil }
      before = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0)  // and the length once more
      isUnsynchronised = isUnsynchronised || flags & 0x02 != 0
    }
    guard size > before else { return nil }
    return Frame(name: name, offset: start + before, size: size - before, isUnsynchronised: isUnsynchronised)
  }

  /// The name in these bytes; nil if they can't be a name. iTunes writes names of three letters into tags with names of four, followed by a NUL or a
  /// space.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    var letters = bytes
    if letters.count == 4, letters.last == 0 || letters.last == 0x20 { letters = letters.dropLast() }
    let isName = letters.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
    return isName ? String(decoding: letters, as: UTF8.self) : nil
  }

  private static func plain(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

  /// Whether these bytes have what looks like the beginning of an MPEG frame. The zeros are inserted so that they do not: some taggers say that they
  /// inserted them, and did not.
  private static func hasSynchronisation(_ bytes: [UInt8]) -> Bool {
    zip(bytes, bytes.dropFirst()).contains { $0 == 0xff && $1 >= 0xe0 }
  }

  private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xff), !hasSynchronisation(bytes) else { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if previous != 0xff || byte != 0 { out.append(byte) }
      previous = byte
    }
    return out
  }

  /// The content after the tag's header: a range of the file, or a copy of it without the zeros that were inserted after each 0xff.
  private enum Body {
    case file(FileBytes, Range<Int>)
    case memory([UInt8])

    var count: Int {
      switch self {
      case .file(_, let range): range.count
      case .memory(let bytes): bytes.count
      }
    }

    func bytes(at offset: Int, count wanted: Int) -> [UInt8] {
      let count = min(wanted, count - offset)
      guard count > 0 else { return [] }
      switch self {
      case .file(let file, let range): return file.bytes(at: range.lowerBound + offset, count: count)
      case .memory(let bytes): return Array(bytes[offset..<offset + count])
      }
    }

    func exactly(_ wanted: Int, at offset: Int) -> [UInt8]? {
      let bytes = bytes(at: offset, count: wanted)
      return bytes.count == wanted ? bytes : nil
    }
  }
}
