// SPDX-License-Identifier: MIT
import MediaModel

/// How long a sound in an MP4 file is whose packets are in fragments, as streams and live recordings have them. The description of such a file has no
/// table of packets. The length is in an index, in a note for the whole film, or in the fragments themselves; the cheapest that is there is read.
package struct MP4Fragments {
  /// A length as a number of ticks, of which so many make a second.
  package struct Length: Equatable, Sendable {
    package let ticks: Int
    package let scale: Int

    /// The length in frames of a sound at this rate; nil if it is longer than can be counted.
    package func frames(rate: Int) -> Int? {
      Int(exactly: (Double(ticks) / Double(scale) * Double(rate)).rounded())
    }
  }

  private let file: Range<Int>
  private let bytes: MP4Boxes.Bytes
  private let track: MP4Timeline.Track

  /// The fragments of a track in a file of `size` bytes, in which the format begins at `start`.
  package init(of track: MP4Timeline.Track, from start: Int = 0, size: Int, _ bytes: @escaping MP4Boxes.Bytes)
  {
    (self.track, self.bytes, file) = (track, bytes, start..<max(start, size))
  }

  /// The length of the whole track; nil if the file does not tell. `filmScale` says how many ticks make a second in times that concern the whole file.
  package func length(filmScale: Int) -> Length? {
    let ways = [indexed, { noted(filmScale) }, counted]
    return ways.lazy.compactMap { $0() }.first { (1..<Self.most).contains($0.ticks) && $0.scale > 0 }
  }

  /// More ticks than any file has. Sums end there, so that none overflows.
  private static let most = 1 << 53
  /// How many boxes of the file are looked at: those of 18 hours in pieces of two seconds.
  private static let mostBoxes = 1 << 16

  // MARK: An index

  /// The length by the boxes `sidx`. Such a box lists pieces of the file with their times. A piece may be another such box, which then
  /// has the times of its own pieces.
  private func indexed() -> Length? {
    var (ticks, scale) = (0, 0)
    var boxes = MP4Boxes(in: file, most: Self.mostBoxes, bytes)
    while let box = boxes.next() {
      // An index comes before what it is about, and what has none must not be read to its end in vain.
      if box.name == "moof", scale == 0 { return nil }
      guard box.name == "sidx" else { continue }
      var cursor = cursor(at: box.content, most: 32 + 12 * 0xffff)
      guard let version = cursor.number(1, .bigEndian), cursor.take(7) != nil,
        let ownScale = cursor.number(4, .bigEndian), cursor.take(version == 0 ? 10 : 18) != nil,
        let count = cursor.number(2, .bigEndian), scale == 0 || ownScale == scale
      else { return nil }
      scale = ownScale
      for _ in 0..<count {
        guard let size = cursor.number(4, .bigEndian), let piece = cursor.number(4, .bigEndian),
          cursor.take(4) != nil
        else { return nil }
        let isIndex = size >> 31 == 1
        if !isIndex { ticks = min(Self.most, ticks + piece) }
      }
    }
    return boxes.isAtEnd ? Length(ticks: ticks, scale: scale) : nil
  }

  // MARK: A note

  /// The length in the box `mehd`, which a program can write that knows it beforehand, or comes back.
  private func noted(_ filmScale: Int) -> Length? {
    guard let note = MP4Boxes.at(["moov", "mvex", "mehd"], in: file, bytes) else { return nil }
    var cursor = cursor(at: note, most: 12)
    guard let version = cursor.number(1, .bigEndian), cursor.take(3) != nil else { return nil }
    let ticks = version == 0 ? cursor.number(4, .bigEndian) : cursor.bits().map { Int(clamping: $0) }
    return ticks.map { Length(ticks: $0, scale: filmScale) }
  }

  // MARK: The fragments

  /// The sum of the times of all packets, by the tables of the fragments.
  private func counted() -> Length? {
    let preset = presetTime()
    var ticks = 0
    var boxes = MP4Boxes(in: file, most: Self.mostBoxes, bytes)
    while let box = boxes.next() {
      guard box.name == "moof" else { continue }
      for part in MP4Boxes(in: box.content, bytes) {
        if part.name == "traf" { ticks = min(Self.most, ticks + time(of: part.content, preset)) }
      }
    }
    return boxes.isAtEnd ? Length(ticks: ticks, scale: track.scale) : nil
  }

  /// The time of each packet for which a fragment states none.
  private func presetTime() -> Int {
    guard let presets = MP4Boxes.at(["moov", "mvex"], in: file, bytes) else { return 0 }
    for box in MP4Boxes(in: presets, bytes) {
      guard box.name == "trex" else { continue }
      var cursor = cursor(at: box.content, most: 16)
      guard cursor.take(4) != nil, let number = cursor.number(4, .bigEndian), cursor.take(4) != nil,
        let time = cursor.number(4, .bigEndian)
      else { continue }
      if number == track.number { return time }
    }
    return 0
  }

  /// The time of all packets in a track's part of a fragment; 0 if it belongs to another track.
  private func time(of part: Range<Int>, _ preset: Int) -> Int {
    var (time, sum) = (preset, 0)
    for box in MP4Boxes(in: part, bytes) {
      switch box.name {
      case "tfhd":
        var cursor = cursor(at: box.content, most: 24)
        guard let flags = cursor.number(4, .bigEndian), cursor.number(4, .bigEndian) == track.number else {
          return 0
        }
        // The place of the data and the number of a description come before the time, if they are there.
        _ = cursor.take((flags & 0x1 == 0 ? 0 : 8) + (flags & 0x2 == 0 ? 0 : 4))
        if flags & 0x8 != 0 { time = cursor.number(4, .bigEndian) ?? time }
      case "trun": sum = min(Self.most, sum + runTime(box.content, each: time))
      default: break
      }
    }
    return sum
  }

  /// The time of a run of packets, which may state the time of each one.
  private func runTime(_ run: Range<Int>, each: Int) -> Int {
    var cursor = cursor(at: run, most: 1 << 20)
    guard let flags = cursor.number(4, .bigEndian), let count = cursor.number(4, .bigEndian) else { return 0 }
    guard flags & 0x100 != 0 else {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: each)
      return isTooLarge ? Self.most : min(Self.most, product)
    }
    _ = cursor.take((flags & 0x1 == 0 ? 0 : 4) + (flags & 0x4 == 0 ? 0 : 4))
    let others = 4 * [0x200, 0x400, 0x800].count { flags & $0 != 0 }
    var sum = 0
    for _ in 0..<count {
      guard let time = cursor.number(4, .bigEndian), cursor.take(others) != nil else { break }
      sum += time
    }
    return sum
  }

  private func cursor(at place: Range<Int>, most: Int) -> ByteCursor {
    ByteCursor(bytes(place.lowerBound, min(most, place.count)))
  }
}
