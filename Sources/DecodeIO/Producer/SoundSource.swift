// SPDX-License-Identifier: MIT
import AudioModel

/// A sound that is being decoded.
struct SoundSource {
  let request: SoundRequest
  let decoder: any Decoder
  private let gain: Float
  /// Where in the track it begins.
  private let offset: Int
  private let length: SoundLength
  /// The first frame of the file that is not the track's any more; nil where the file's end is the track's.
  private let end: Int?

  /// Opens it; seamlessly behind `previous`, where the two were cut from one sound.
  init(_ request: SoundRequest, after previous: (any Decoder)? = nil) throws(DecodeError) {
    let decoder = try request.open()
    if request.start == .zero, request.range == nil, let previous { _ = decoder.join(after: previous) }
    let format = decoder.format
    let first = request.range.map { format.frames(in: $0.lowerBound) } ?? 0
    let end = request.range.map { format.frames(in: $0.upperBound) }
    offset = format.frames(in: request.start)
    if first + offset > 0 { try decoder.seek(to: first + offset) }
    length = end.map { decoder.length.part(first..<max(first, $0)) } ?? decoder.length
    gain = request.gain()
    self.request = request
    self.decoder = decoder
    self.end = end
  }

  /// The same, as what another request wants.
  init(_ other: SoundSource, as request: SoundRequest) {
    self.request = request
    decoder = other.decoder
    gain = other.gain
    offset = other.offset
    length = other.length
    end = other.end
  }

  /// What it is in a segment that has so many frames before it. Where its decoder stands below zero, it still gives the end of the track
  /// before, which belongs to that one.
  func part(behind made: Int) -> SoundSegment.Part {
    let start = made + max(0, -decoder.position)
    return SoundSegment.Part(track: request.id, start: start, trackFrame: offset, length: length)
  }

  /// What is said of it where it has not a single frame.
  var noSound: DecodeError { .noSound(file: "the file") }

  /// How many frames are left of it at most.
  var left: Int { end.map { max(0, $0 - decoder.position) } ?? .max }

  /// Decodes so many frames into a segment, fewer where it ends or the segment is full. Returns how many.
  func make(_ wanted: Int, in segment: SoundSegment) throws(DecodeError) -> Int {
    var made = 0
    // Decoders deliver as much as their format has in a block.
    while made < wanted {
      let more = try makeBlock(upTo: wanted - made, in: segment)
      if more == 0 { break }
      made += more
    }
    return made
  }

  private func makeBlock(upTo limit: Int, in segment: SoundSegment) throws(DecodeError) -> Int {
    let (decoder, gain) = (decoder, gain)
    return try segment.ring.write(upTo: limit) { span throws(DecodeError) in
      let frames = try decoder.read(into: &span)
      if gain != 1 { Self.amplify(&span, samples: frames * segment.format.channels, by: gain) }
      return frames
    }
  }

  private static func amplify(_ span: inout MutableSpan<Float>, samples: Int, by gain: Float) {
    for index in 0..<samples { span[index] *= gain }
  }
}
