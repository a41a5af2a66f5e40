// SPDX-License-Identifier: MIT
package import AudioModel

/// One sound to be played: how it is opened, and which part of it.
package struct SoundRequest: Sendable {
  /// The caller's number for this one playing of the sound; a repetition gets another.
  package let play: PlayID
  /// Tells whether a sound that was prepared for one request can be played for another: it can if their keys are equal. A sound without a key is never
  /// prepared.
  package let key: SoundKey?
  /// The part of the file that is the track, for a track of a CUE sheet; nil if the track is the whole file.
  package let range: Range<Duration>?
  /// Where in the track the sound begins.
  package let start: Duration
  /// How the ends of the sound are mixed with its neighbours.
  package let crossfade: Crossfade
  /// Returns whether this sound and the one before are neighbours on an album. Neighbours are not mixed, and those that were cut from one sound are
  /// joined. It is called on the decoding thread, and only where that matters; it may block.
  let isNeighbour: @Sendable () -> Bool
  /// Returns the factor by which every sample is multiplied, to make the sound louder or softer. Called after the sound was opened, on the thread
  /// that decodes it; it may block.
  let gain: @Sendable () -> Float
  /// Opens the sound. Called on the thread that decodes it; it may block.
  let open: @Sendable () throws(DecodeError) -> any Decoder

  /// Makes a request. Traps if `start` is negative.
  package init(
    play: PlayID, key: SoundKey? = nil, range: Range<Duration>? = nil, start: Duration = .zero,
    crossfade: Crossfade = .none, isNeighbour: @escaping @Sendable () -> Bool = { false },
    gain: @escaping @Sendable () -> Float = { 1 },
    open: @escaping @Sendable () throws(DecodeError) -> any Decoder
  ) {
    precondition(start >= .zero)
    (self.play, self.key, self.range, self.start, self.gain) = (play, key, range, start, gain)
    (self.crossfade, self.isNeighbour, self.open) = (crossfade, isNeighbour, open)
  }

  /// Whether both requests ask for the same part of the same file, with a crossfade of the same length at its end.
  package func isSameSound(as other: SoundRequest) -> Bool {
    key != nil && key == other.key && range == other.range && start == other.start
      && crossfade.ending == other.crossfade.ending
  }
}

/// Everything that decides which samples are made of a file: the file itself, and what its gain is computed from. Two sounds with equal keys are the same.
package struct SoundKey: Sendable, Hashable {
  private let location: String
  /// Whether the track before or after it in the queue is of the same album. If so, the gain of the album may be used instead of the track's.
  private let isBesideItsAlbum: Bool
  /// Counts how often the settings for loudness have changed.
  private let loudnessEdition: Int

  package init(_ location: String, isBesideItsAlbum: Bool = false, loudnessEdition: Int = 0) {
    (self.location, self.isBesideItsAlbum) = (location, isBesideItsAlbum)
    self.loudnessEdition = loudnessEdition
  }
}

/// A sound that was opened, and its beginning decoded, before it is wanted, so that it can be heard at once.
///
/// It is made on a thread that may block, and can be played once.
package final class PreparedSound: @unchecked Sendable {
  // Unchecked, but safe: its properties never change, and only one thread at a time uses its decoder: first the one that makes it, then the
  // producer's.
  let source: SoundSource
  let segment: SoundSegment

  /// The least that is decoded of a sound that another process decodes. That process has ended when it had no work for a minute, and until a new one
  /// has come, and opened the file, this much has to last.
  private static let foreignLength = Duration.seconds(1)

  /// Opens the sound of a request and decodes its first `length`, or somewhat more, into a segment that has room for `buffer`. Blocks. Nil if that
  /// fails; the error is reported when the request is played.
  package init?(
    _ request: SoundRequest, length: Duration, buffer: Duration = SoundProducer.standardBuffer
  ) {
    do throws(DecodeError) {
      source = try SoundSource(request)
      segment = SoundSegment(format: source.decoder.format, buffer: buffer)
      let isForeign = source.decoder is ForeignDecoder
      let length = isForeign ? max(length, min(Self.foreignLength, buffer)) : length
      _ = try source.make(min(segment.format.frames(in: length), source.left), in: segment)
    } catch {
      return nil
    }
  }

  /// Whether this sound, which is open already, can be used for a request.
  package func fits(_ request: SoundRequest) -> Bool { source.request.isSameSound(as: request) }
}

/// A request's sound while it is being decoded: its decoder, its gain, and which part of the file it is.
struct SoundSource {
  let request: SoundRequest
  let decoder: any Decoder
  private let gain: Float
  /// The frame of the track at which the sound begins.
  private let offset: Int
  private let length: SoundLength
  /// The first frame of the file after the track; nil if the track ends with the file.
  private let end: Int?
  /// Keeps the last frames back for a crossfade into the next track; nil if there is none.
  private let held: HeldEnd?
  /// The end of the previous track, which this one is mixed into; nil if it begins alone.
  private let fading: FadingEnd?

  /// Opens a request's sound, and joins it seamlessly to `previous` if the two were cut from one sound. If the request has a crossfade, its beginning
  /// is mixed into `rest`, the samples at the end of the previous track, unless that has another format. Blocks; throws once `goesOn` answers false.
  init(
    _ request: SoundRequest, after previous: (any Decoder)? = nil, over rest: [Float] = [],
    goesOn: () -> Bool = { true }
  ) throws(DecodeError) {
    let decoder = try request.open()
    let format = decoder.format
    let first = request.range.map { format.frames(in: $0.lowerBound) } ?? 0
    let end = request.range.map { format.frames(in: $0.upperBound) }
    func trackLength() -> SoundLength {
      end.map { decoder.length.part(first..<max(first, $0)) } ?? decoder.length
    }
    if request.crossfade.mixesIn, !rest.isEmpty, format == previous?.format {
      let longest = trackLength().frames.map { $0 / 2 } ?? .max
      fading = FadingEnd(rest, channels: format.channels, longest: longest)
    } else {
      fading = nil
      if request.start == .zero, request.range == nil, let previous {
        _ = decoder.join(after: previous, if: request.isNeighbour)
      }
    }
    offset = format.frames(in: request.start)
    if first + offset > 0 { try decoder.seek(to: first + offset, goesOn: goesOn) }
    length = trackLength()
    gain = request.gain()
    let longest = format.frames(in: request.crossfade.ending)
    held = longest > 0 ? HeldEnd(longest: longest, channels: format.channels) : nil
    (self.request, self.decoder, self.end) = (request, decoder, end)
  }

  /// A source that has only `rest`, the samples that were kept back at the end of a track. `request` is the track's own.
  init(rest: [Float], _ format: AudioFormat, of request: SoundRequest) {
    (self.request, decoder, gain) = (request, RestDecoder(rest, format), 1)
    (offset, length, end, held, fading) = (0, decoder.length, nil, nil, nil)
  }

  /// The same open sound for another request, which must want the same sound.
  init(_ other: SoundSource, as request: SoundRequest) {
    self.request = request
    decoder = other.decoder
    gain = other.gain
    offset = other.offset
    length = other.length
    end = other.end
    // It may hold back frames already, so it is taken over.
    held = other.held
    fading = nil
  }

  /// Whether this sound is mixed into the end of the previous track.
  var isMixedIn: Bool { fading != nil }
  /// How many frames of the previous track come first, before this sound's own beginning is mixed in.
  var lead: Int { fading?.lead ?? 0 }

  /// Takes the samples that were kept back for a crossfade into the next track.
  func takeHeld() -> [Float] { held?.takeAll() ?? [] }

  /// The part that this sound gets in a segment that already has `made` frames. A decoder whose position is negative first delivers the end of the
  /// previous track; those frames belong to that track's part.
  func part(behind made: Int) -> SoundSegment.Part {
    let start = made + max(0, isMixedIn ? lead : -decoder.position)
    return SoundSegment.Part(
      play: request.play, start: start, trackFrame: offset, length: length,
      coding: decoder.coding)
  }

  /// How many frames of the track are left to decode at most; `Int.max` if the track ends with the file.
  var left: Int { end.map { max(0, $0 - decoder.position) } ?? .max }

  /// Decodes `wanted` frames into a segment, fewer if the sound ends or the segment is full. Returns how many.
  func make(_ wanted: Int, in segment: SoundSegment) throws(DecodeError) -> Int {
    var made = 0
    // One `read` often delivers only one block of the file's format, so several are needed. What is kept back for a crossfade is decoded too, but not
    // made, so the track's end may come first.
    while made < wanted, left > 0 {
      let more = try makeBlock(upTo: min(wanted - made, left), in: segment)
      if more == 0 { break }
      made += more
    }
    return made
  }

  private func makeBlock(upTo limit: Int, in segment: SoundSegment) throws(DecodeError) -> Int {
    let (decoder, gain, held, fading) = (decoder, gain, held, fading)
    return try segment.ring.write(upTo: limit) { span throws(DecodeError) in
      if let fading, !fading.isLeadOver { return fading.lead(into: &span) }
      let frames = try Self.read(decoder, into: &span, over: fading)
      if gain != 1 { Self.amplify(&span, samples: frames * segment.format.channels, by: gain) }
      fading?.mix(frames, of: &span)
      let heard = frames > 0 ? frames : fading?.ebb(into: &span) ?? 0
      if heard == 0, let error = fading?.error { throw error }
      return held?.exchange(heard, of: &span) ?? heard
    }
  }

  /// Decodes frames. A sound that breaks while it is mixed into the end of the previous track has none any more, until that end was heard.
  private static func read(
    _ decoder: any Decoder, into span: inout MutableSpan<Float>, over fading: FadingEnd?
  ) throws(DecodeError) -> Int {
    if fading?.error != nil { return 0 }
    do throws(DecodeError) {
      return try decoder.read(into: &span)
    } catch {
      guard let fading, fading.isMixing else { throw error }
      fading.error = error
      return 0
    }
  }

  private static func amplify(_ span: inout MutableSpan<Float>, samples: Int, by gain: Float) {
    for index in 0..<samples { span[index] *= gain }
  }
}
