// SPDX-License-Identifier: MIT

/// Edits MP4 files by FFmpeg, so that they say in other ways how much padding their encoder has added.
package enum MP4Boxes {
  /// The file with its last box of this name renamed to one that nobody reads; nil if it has none.
  package static func without(_ name: String, in file: [UInt8]) -> [UInt8]? {
    guard let place = find(name, in: file) else { return nil }
    var file = file
    file.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    return file
  }

  /// The file with the text iTunSMPB, as iTunes writes it, in place of its tags. Nil if the box `moov`, which grows by that, is not the last.
  package static func withSMPB(priming: Int, length: Int, in file: [UInt8]) -> [UInt8]? {
    guard let film = find("moov", in: file), var file = without("udta", in: file) else { return nil }
    let size = (0..<4).reduce(0) { $0 << 8 | Int(file[film - 4 + $1]) }
    guard film - 4 + size == file.count else { return nil }
    let text = " 00000000 \(hex(priming)) 00000231 00000000\(hex(length)) 00000000"
    let item = box(
      "----",
      box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
        + box("name", [0, 0, 0, 0] + Array("iTunSMPB".utf8))
        + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
    let added = box("udta", box("meta", [0, 0, 0, 0] + box("ilst", item)))
    for index in 0..<4 { file[film - 4 + index] = UInt8((size + added.count) >> (24 - 8 * index) & 0xff) }
    return file + added
  }

  /// The file with a first packet that is to be shown later than the others, by so many ticks, as faac writes it. Nil if it is not a file of one track.
  package static func withLateFirst(by ticks: Int, in file: [UInt8]) -> [UInt8]? {
    var file = file
    let offsets = [0, 2, 1, ticks, 0xffff, 0].flatMap { number in
      (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xff) }
    }
    let added = box("ctts", offsets)
    guard let table = find("stbl", in: file) else { return nil }
    file.insert(contentsOf: added, at: table - 4 + size(at: table, in: file))
    for name in ["stbl", "minf", "mdia", "trak", "moov"] {
      guard let place = find(name, in: file) else { return nil }
      let grown = size(at: place, in: file) + added.count
      for index in 0..<4 { file[place - 4 + index] = UInt8(grown >> (24 - 8 * index) & 0xff) }
    }
    return file
  }

  private static func size(at place: Int, in file: [UInt8]) -> Int {
    (0..<4).reduce(0) { $0 << 8 | Int(file[place - 4 + $1]) }
  }

  private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
    (0..<4).map { UInt8((content.count + 8) >> (24 - 8 * $0) & 0xff) } + Array(name.utf8) + content
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func find(_ name: String, in file: [UInt8]) -> Int? {
    let name = Array(name.utf8)
    return file.indices.last { file[$0] == name[0] && file[$0...].starts(with: name) }
  }
}
