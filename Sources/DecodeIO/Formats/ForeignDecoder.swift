// SPDX-License-Identifier: MIT
import AudioModel
import MediaModel
import ReaderModel

/// Decodes formats that FFmpeg decodes, in another process. That process can open neither the file nor anything else of ours.
///
/// The source is read here, whenever that process asks for bytes. The process ends when it has had no work for a minute; this decoder then takes
/// another one and goes on at its position. At the end of the sound it gives its process back, so that the next file can use it.
final class ForeignDecoder: Decoder {
  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  let coding: SoundCoding?

  private let content: Content
  private let body: any ByteSource
  private let container: DecodeContainer
  private let outside: any SoundDecodings
  private var decoding: (any SoundDecoding)?
  /// The frames of the last answer that were not read yet, by their places in the shared memory.
  private var unread = 0..<0
  /// How many frames the next order asks for at least.
  private var leastOrder = 0
  /// Whether `position` was counted from the beginning of the sound, without a seek that may have been inexact.
  private var isCounted = true
  /// Whether the end of the sound was reached. A seek sets this to false.
  private var isOver = false
  /// The error that the source threw when the other process asked for bytes.
  private var sourceFailure: DecodeError?

  /// People's names for codings, by FFmpeg's names. For any other coding the file's format is shown, because text from the other process must not be
  /// shown to anybody.
  private static let names = [
    "aac": "AAC", "alac": "ALAC", "mp3": "MP3", "mp2": "MP2", "mp1": "MP1", "amr_nb": "AMR",
    "amr_wb": "AMR", "wmavoice": "WMA Voice", "opus": "Opus", "vorbis": "Vorbis",
    "flac": "FLAC",
    "ac3": "AC-3", "eac3": "E-AC-3", "dts": "DTS", "wavpack": "WavPack", "ape": "Monkey's Audio",
    "tta": "True Audio", "musepack7": "Musepack", "musepack8": "Musepack", "wmav1": "WMA", "wmav2": "WMA",
    "wmapro": "WMA Pro", "wmalossless": "WMA Lossless", "dsd_lsbf": "DSD", "dsd_msbf": "DSD",
    "dsd_lsbf_planar": "DSD", "dsd_msbf_planar": "DSD", "dst": "DSD",
  ]

  /// The most frames that one order lets the decoding process decode and throw away, on the way to a far place. So few that it always answers soon.
  private static let dropSize = 1 << 16

  init(_ content: Content) throws(DecodeError) {
    guard let outside = content.outside else {
      throw content.error(.unsupported, "is \(content.format.name), which is not decoded here")
    }
    let container = try Self.container(of: content)
    let body = content.body
    let (decoding, sound) = try Self.open(container, body, by: outside, content)
    format = sound.format
    length =
      switch sound.length {
      case .exact(let frames): .exact(frames)
      case .estimated(let frames): .estimated(frames)
      case .unknown: .unknown
      }
    let plain = sound.codec.hasPrefix("pcm_") ? "PCM" : content.format.name
    coding = SoundCoding(Self.names[sound.codec] ?? plain, format)
    (self.content, self.body, self.container, self.outside) = (content, body, container, outside)
    self.decoding = decoding
  }

  deinit { if let decoding { outside.giveBack(decoding) } }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if let end = length.exactFrames, position >= end { return 0 }
    // Another order would open the file once more.
    if isOver { return 0 }
    if unread.isEmpty { try order(room) }
    let count = min(room, unread.count)
    guard count > 0, let decoding else {
      try end()
      return 0
    }
    let channels = format.channels
    decoding.copySamples(from: unread.lowerBound * channels, count * channels, into: &samples)
    SampleBounds.bound(&samples, count: count * channels)
    unread.removeFirst(count)
    position += count
    if position == length.exactFrames { release() }
    return count
  }

  /// Has the other process decode frames; none if the sound is over. Each order wakes both processes, so orders grow: the first is answered soon, and
  /// later ones fill the shared memory.
  private func order(_ room: Int) throws(DecodeError) {
    let most = DecodeProtocol.sampleBytes / format.bytesPerFrame
    let frames = min(max(room, leastOrder), most)
    leastOrder = min(2 * frames, most)
    guard case .frames(let count) = try ask(.decode(frames: frames)) else { return }
    unread = 0..<count
  }

  func seek(to frame: Int, goesOn: () -> Bool) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let target = min(frame, length.exactFrames ?? frame)
    position = target
    (unread, leastOrder) = (0..<0, 0)
    isCounted = target == 0
    (isOver, sourceFailure) = (false, nil)
    if target == length.exactFrames { return release() }
    guard case .sought(let left) = try ask(.seek(frame: target)), let decoding else { return }
    do throws(DecodeFailure) {
      if try drop(left, on: decoding, goesOn: goesOn) { return }
    } catch {
      throw fault(error)
    }
    release()
    throw .calledOff(file: content.source.name)
  }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let place = position
    try seek(to: 0)
    while length.exactFrames == nil {
      guard goesOn() else { throw .calledOff(file: content.source.name) }
      guard case .frames(let count) = try ask(.drop(frames: Self.dropSize)) else { break }
      position += count
      if count == 0 { try end() }
    }
    let frames = position
    try seek(to: place)
    return frames
  }

  /// Called when no more samples come. Notes the sound's length, if all samples were counted. Throws if the file states a greater one, and if the
  /// samples ended because the source could not be read further, which the other process takes for its end.
  private func end() throws(DecodeError) {
    release()
    if let failure = sourceFailure {
      (sourceFailure, isCounted) = (nil, false)
      throw failure
    }
    if let end = length.exactFrames {
      guard position >= end else {
        throw content.error(.cutShort, "ends after \(position) frames, though it says that there are \(end)")
      }
    } else if isCounted {
      length = .exact(position)
    }
    isOver = true
  }

  // MARK: The other process

  /// Sends an order to the process that has the sound open. If that process has ended for lack of work, sends it to a new one.
  private func ask(_ order: DecodeOrder) throws(DecodeError) -> DecodeReply {
    do throws(DecodeFailure) {
      let decoding = try ready(for: order)
      do throws(DecodeFailure) { return try carryOut(order, on: decoding) } catch {
        guard decoding.hasRetired else { throw error }
        self.decoding = nil
        return try carryOut(order, on: ready(for: order))
      }
    } catch {
      throw fault(error)
    }
  }

  /// The process that has the sound open at `position`. If there is none, takes one; it isn't sought to `position` if `order` is itself a seek.
  private func ready(for order: DecodeOrder) throws(DecodeFailure) -> any SoundDecoding {
    if let decoding { return decoding }
    var decoding = try outside.take()
    do throws(DecodeFailure) { _ = try carryOut(.open(container, size: body.size), on: decoding) } catch {
      guard decoding.hasRetired else { throw error }
      decoding = try outside.take()
      _ = try carryOut(.open(container, size: body.size), on: decoding)
    }
    self.decoding = decoding
    if case .seek = order { return decoding }
    if position > 0, case .sought(let left) = try carryOut(.seek(frame: position), on: decoding) {
      _ = try drop(left, on: decoding) { true }
    }
    return decoding
  }

  private func carryOut(_ order: DecodeOrder, on decoding: any SoundDecoding) throws(DecodeFailure)
    -> DecodeReply
  {
    let reply = try decoding.carryOut(order) { offset, bytes in
      supply(at: offset, &bytes)
    }
    if case .failed(let failure) = reply { throw failure }
    return reply
  }

  /// Has the process decode and drop this many frames, or all that are left. It is ordered in parts, so that each is answered soon. Returns false if
  /// `goesOn` ended it.
  private func drop(
    _ count: Int, on decoding: any SoundDecoding, goesOn: () -> Bool
  ) throws(DecodeFailure) -> Bool {
    var left = count
    while left > 0 {
      guard goesOn() else { return false }
      let part = min(left, Self.dropSize)
      guard case .frames(part) = try carryOut(.drop(frames: part), on: decoding) else { return true }
      left -= part
    }
    return true
  }

  private func supply(at offset: Int, _ bytes: inout MutableRawSpan) -> Int? {
    do throws(DecodeError) { return try body.fill(&bytes, at: offset) } catch {
      sourceFailure = error
      return nil
    }
  }

  /// The error to throw for a failure. If the source threw an error, that one is the cause of the failure, and is returned.
  private func fault(_ failure: DecodeFailure) -> DecodeError {
    if failure.kind == .died || failure.kind == .noProcess { decoding = nil } else { release() }
    unread = 0..<0
    isCounted = false
    defer { sourceFailure = nil }
    return sourceFailure ?? content.error(failure)
  }

  /// Gives the process back to `outside`, so that other files can use it. The next order takes another one.
  private func release() {
    if let decoding { outside.giveBack(decoding) }
    decoding = nil
    unread = 0..<0
  }

  /// Opens the sound for the first time. If the process that is taken has just ended for lack of work, takes another one.
  private static func open(
    _ container: DecodeContainer, _ body: any ByteSource, by outside: any SoundDecodings, _ content: Content
  ) throws(DecodeError) -> (any SoundDecoding, DecodedSound) {
    let decoding = try take(from: outside, content)
    do throws(DecodeError) {
      return (decoding, try open(container, body, on: decoding, content))
    } catch {
      guard decoding.hasRetired else { throw error }
      let other = try take(from: outside, content)
      return (other, try open(container, body, on: other, content))
    }
  }

  private static func take(
    from outside: any SoundDecodings, _ content: Content
  ) throws(DecodeError) -> any SoundDecoding {
    do throws(DecodeFailure) { return try outside.take() } catch { throw content.error(error) }
  }

  /// Has a process open the sound. Gives the process back if that fails.
  private static func open(
    _ container: DecodeContainer, _ body: any ByteSource, on decoding: any SoundDecoding, _ content: Content
  ) throws(DecodeError) -> DecodedSound {
    var sourceFailure: DecodeError?
    do throws(DecodeFailure) {
      let reply = try decoding.carryOut(.open(container, size: body.size)) { offset, bytes in
        do throws(DecodeError) { return try body.fill(&bytes, at: offset) } catch {
          sourceFailure = error
          return nil
        }
      }
      if case .failed(let failure) = reply { throw failure }
      if let sourceFailure { throw sourceFailure.asFailure }
      if case .opened(let sound) = reply { return sound }
      throw DecodeFailure(.damaged, "is damaged: it cannot be opened")
    } catch {
      content.outside?.giveBack(decoding)
      throw sourceFailure ?? content.error(error)
    }
  }

  // MARK: The container

  /// Which of FFmpeg's demuxers reads the content. Where a format has two, the first bytes decide.
  private static func container(of content: Content) throws(DecodeError) -> DecodeContainer {
    switch content.format {
    case .mp4: return .mp4
    case .matroska: return .matroska
    case .adts: return .adts
    case .wavPack: return .wavPack
    case .monkeys: return .monkeys
    case .trueAudio: return .trueAudio
    case .windowsMedia: return .windowsMedia
    case .dts: return .dts
    case .dsf: return .dsf
    case .dsdiff: return .dsdiff
    case .ac3:
      let head = try content.body.bytes(at: 0, count: 6)
      return head.count == 6 && head[5] >> 3 > 10 ? .eac3 : .ac3
    case .musepack:
      return try content.body.bytes(at: 0, count: 4).elementsEqual("MPCK".utf8) ? .musepack8 : .musepack7
    // `Decoders` gives no other format to this decoder.
    default:
      throw content.error(.unsupported, "is \(content.format.name), which FFmpeg is not asked to decode")
    }
  }
}

extension Content {
  /// A failure that a process reported about this content, as an error.
  fileprivate func error(_ failure: DecodeFailure) -> DecodeError {
    switch failure.kind {
    case .damaged, .died: error(.damaged, failure.reason)
    case .silent: error(.empty, failure.reason)
    case .unsupported: error(.unsupported, failure.reason)
    case .missing: error(.unsupported, "is \(format.name), and that \(failure.reason)")
    case .noProcess: error(.unreadable, failure.reason)
    }
  }
}

extension DecodeError {
  fileprivate var asFailure: DecodeFailure { DecodeFailure(.damaged, reason) }
}

extension ByteSource {
  /// Fills a span with bytes from an offset on, as many as there are. Returns their number.
  fileprivate func fill(_ bytes: inout MutableRawSpan, at offset: Int) throws(DecodeError) -> Int {
    var done = 0
    while done < bytes.byteCount {
      var rest = bytes._mutatingExtracting(droppingFirst: done)
      let got = try read(rest.byteCount, at: offset + done, into: &rest)
      if got == 0 { break }
      done += got
    }
    return done
  }
}
