// SPDX-License-Identifier: MIT

/// Tells whether the times in the pages of Opus in Ogg can be used to find places. Some servers of radio write wrong ones.
package enum OpusTimes {
  /// How many pages with sound are looked at.
  private static let most = 8

  /// Whether each of the first pages is as much later than the page before as its packets last, or more, as where pages were lost. If it is less, there
  /// is more sound than the times say, and a place by time is another than one by sound. `read` returns bytes of the file from an offset on.
  package static func seemTrue(size: Int, read: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
    var walk = OggWalk(size: size)
    var stream: [UInt8]?
    var packets = OpusPackets()
    var last: Int64?
    for _ in 0..<most + 2 {
      guard let page = walk.next(read) else { return true }
      // Another song of the chain may begin at any time, and another kind of stream stand between.
      if stream == nil, page.begins, page.body.starts(with: Array("OpusHead".utf8)) { stream = page.serial }
      guard page.serial == stream else { continue }
      let frames = packets.frames(in: page)
      guard page.time >= 0, !page.ends else { continue }
      if let last, frames > 0, page.time - last < frames { return false }
      last = packets.hasSound ? page.time : nil
    }
    return true
  }
}

/// Adds up how long the packets of a stream of Opus last.
private struct OpusPackets {
  /// How many packets have ended so far. The first two are the header.
  private var count = 0
  /// The first two bytes of the packet that has begun.
  private var head: [UInt8] = []

  /// Whether a packet with sound has ended.
  var hasSound: Bool { count > 2 }

  /// How many frames the packets have that end in this page, at 48,000 a second.
  mutating func frames(in page: OggWalk.Page) -> Int64 {
    var (place, frames) = (0, Int64(0))
    for length in page.lengths {
      head += page.body[place..<place + length].prefix(2 - min(2, head.count))
      place += length
      guard length < 255 else { continue }
      count += 1
      if count > 2 { frames += Self.frames(head) }
      head = []
    }
    return frames
  }

  /// How many frames a packet has that begins with these bytes (RFC 6716, section 3).
  private static func frames(_ head: [UInt8]) -> Int64 {
    guard let first = head.first else { return 0 }
    let kind = Int(first >> 3)
    let one: Int64 =
      switch kind {
      case 0..<12: [480, 960, 1_920, 2_880][kind % 4]
      case 12..<16: [480, 960][kind % 2]
      default: [120, 240, 480, 960][kind % 4]
      }
    let number: Int64 =
      switch first & 3 {
      case 0: 1
      case 1, 2: 2
      default: head.count > 1 ? Int64(head[1] & 63) : 0
      }
    return one * number
  }
}
