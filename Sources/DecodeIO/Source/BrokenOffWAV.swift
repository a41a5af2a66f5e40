// SPDX-License-Identifier: MIT
import MediaModel

/// A WAV file that does not say how large its sound is: its recorder was ended before it could write the size, or wrote into a pipe. The size is zero, or
/// the largest number there is.
///
/// This shows the largest size, which libsndfile cuts to what the file has. A file of more than 4 GiB is shown as RF64, which states true sizes.
final class BrokenOffWAV: ByteSource {
  var name: String { source.name }
  var size: Int { source.size + inserted.count }

  private let source: any ByteSource
  /// Where the four bytes of the size are in the source.
  private let place: Int
  /// What is shown instead of the four bytes of the file's mark, and what is shown behind the header's twelve bytes.
  private let mark: [UInt8]
  private let inserted: [UInt8]

  private static let headerSize = 12
  /// Less than this is left to libsndfile, which reads it by itself where the size is the largest number.
  private static let leastSound = 1 << 20
  private static let mostChunks = 1_000
  private static let unknownSize = 0xffff_ffff

  /// Nil if the sound's size is stated, or if there is none and other chunks follow, such as tags.
  init?(_ source: any ByteSource) throws(DecodeError) {
    guard let place = try Self.unstatedSize(in: source) else { return nil }
    (self.source, self.place) = (source, place)
    let sound = source.size - place - 4
    let isLarge = sound > Self.unknownSize
    mark = Array((isLarge ? "RF64" : "RIFF").utf8)
    inserted = isLarge ? Self.sizes(sound: sound, file: source.size) : []
  }

  /// Where the size of the sound would be; nil if it is there.
  private static func unstatedSize(in source: any ByteSource) throws(DecodeError) -> Int? {
    guard try source.bytes(at: 0, count: 4).elementsEqual("RIFF".utf8) else { return nil }
    var offset = headerSize
    for _ in 0..<mostChunks {
      var header = ByteCursor(try source.bytes(at: offset, count: 8))
      let isSound = header.take(mark: "data".utf8)
      guard isSound || header.take(4) != nil, let size = header.number(4, .littleEndian) else { return nil }
      if isSound {
        let start = offset + 8
        let isUnstated =
          size == 0
          ? UnsizedSound.follows(
            Array(try source.bytes(at: start, count: 8)), .littleEndian, room: source.size - start)
          : size == unknownSize && source.size - start > leastSound
        return isUnstated ? offset + 4 : nil
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// The chunk of RF64 that states the sizes of the file and of the sound.
  private static func sizes(sound: Int, file: Int) -> [UInt8] {
    let content = [file + 36 - 8, sound, 0].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return Array("ds64".utf8) + [28, 0, 0, 0] + content + [0, 0, 0, 0]
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let start = Self.headerSize
    let end = start + inserted.count
    if (start..<end).contains(offset) {
      let part = inserted[(offset - start)...].prefix(count)
      for (index, byte) in part.enumerated() {
        bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      return part.count
    }
    let place = offset < start ? offset : offset - inserted.count
    let most = offset < start && !inserted.isEmpty ? min(count, start - offset) : count
    let got = try source.read(most, at: place, into: &bytes)
    show(mark, at: 0, in: place..<place + got, &bytes)
    show([0xff, 0xff, 0xff, 0xff], at: self.place, in: place..<place + got, &bytes)
    return got
  }

  /// Puts these bytes in the place of those at `offset` of the source, as far as they are in `range`, which `bytes` begins with.
  private func show(_ shown: [UInt8], at offset: Int, in range: Range<Int>, _ bytes: inout MutableRawSpan) {
    for (index, byte) in shown.enumerated() where range.contains(offset + index) {
      bytes.storeBytes(of: byte, toByteOffset: offset + index - range.lowerBound, as: UInt8.self)
    }
  }
}
