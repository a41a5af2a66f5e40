// SPDX-License-Identifier: MIT
internal import AudioModel
internal import CFermataAV
package import ReaderModel
internal import TimelineModel

/// The bytes of the file that is being decoded, read by a function of the caller. Used by one thread.
@safe
package final class ForeignBytes {
  package let size: Int
  /// Reads bytes from an offset on into the front of a buffer. Returns how many came, 0 at the end, or nil if they can't be had.
  let read: (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int?

  package init(size: Int, _ read: @escaping (_ offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int?)
  {
    self.size = size
    unsafe self.read = unsafe read
  }
}

/// A sound decoded by FFmpeg, from the first to the last frame that a listener is meant to hear. Owns FFmpeg's handles. Used by one
/// thread; calls block while bytes are read.
@safe
package final class ForeignSound {
  package let sound: DecodedSound

  /// How many frames a seek decodes and drops at most.
  private static let longestRun = 1 << 16

  private let library: ForeignLibrary
  private let container: DecodeContainer
  private let bytes: ForeignBytes
  private let timeline: SoundTimeline
  private let thinning: Thinning
  private var handle: OpaquePointer?
  /// The frames that were decoded last.
  private var block = unsafe fav_block()
  /// How many frames of `block` have been used.
  private var used = 0
  /// The number of the frame at `used` in `block`, counted from the first that FFmpeg delivers.
  private var place = 0
  private var isAtEnd = false
  /// How many blocks were decoded since the sound was opened; nil after a seek.
  private var blocks: Int? = 1
  /// What to add to the place that a packet's time says, as the second packet shows; nil while that has not been decoded. The first one may have a time
  /// of its own, or be shorter than the others.
  private var lag: Int?
  /// Why no frame can be decoded behind those that were read last.
  private var fault: DecodeFailure?

  package init(_ container: DecodeContainer, _ bytes: ForeignBytes, _ library: ForeignLibrary)
    throws(DecodeFailure)
  {
    (self.container, self.bytes, self.library) = (container, bytes, library)
    // The description in an MP4 file is read here, before FFmpeg opens the file.
    let film = container == .mp4 ? MP4Timeline(size: bytes.size) { Self.read(bytes, at: $0, count: $1) } : nil
    if let film { try Self.check(film) }
    if container == .windowsMedia, WindowsMediaHeader.isLocked({ Self.read(bytes, at: $0, count: $1) }) {
      throw DecodeFailure(.unsupported, "is locked (DRM); only the shop's own player plays it")
    }
    let musepack = container.isMusepack ? MusepackHeader(Self.read(bytes, at: 0, count: 100)) : nil
    var facts = fav_facts()
    let handle = try unsafe Self.open(container, bytes, library, &facts)
    unsafe self.handle = handle
    let opened: Opened
    do throws(DecodeFailure) {
      opened = try unsafe Opened(facts, handle, library, container) { track, rate in
        film?.cut(track: track, rate: rate) ?? musepack?.cut
      }
    } catch {
      unsafe library.table.pointee.close(handle)
      throw error
    }
    (sound, timeline, thinning) = (opened.sound, opened.timeline, opened.thinning)
    unsafe block = opened.block
  }

  deinit { if let handle = unsafe handle { unsafe library.table.pointee.close(handle) } }

  // MARK: Frames

  /// Decodes frames into the front of `samples`, as many as there is room for, fewer at the end and before what cannot be decoded. Returns how many.
  /// If `samples` is nil, up to `count` frames are decoded and dropped.
  package func read(_ count: Int, into samples: UnsafeMutableBufferPointer<Float>?) throws(DecodeFailure)
    -> Int
  {
    if let fault { throw fault }
    var done = 0
    while done < count {
      do throws(DecodeFailure) { if try !prepare() { break } } catch {
        fault = error
        // What was decoded before is heard first.
        if done == 0 { throw error }
        break
      }
      let frames = min(count - done, left)
      if let samples = unsafe samples, let from = unsafe block.samples {
        let channels = sound.format.channels
        _ = unsafe samples[(done * channels)...].update(
          fromContentsOf: UnsafeBufferPointer(start: from + used * channels, count: frames * channels))
      }
      advance(frames)
      done += frames
    }
    return done
  }

  /// How many of the block's frames that are to be heard are not used yet.
  private var left: Int {
    let end = timeline.end.map { max(0, $0 - place) } ?? .max
    return unsafe min(Int(block.frames) - padding - used, end)
  }

  /// How many frames at the end of the block are an encoder's padding, by FFmpeg's word. In MP4 that word is not taken: the end is found by `timeline`
  /// there, and newer releases of FFmpeg put it elsewhere.
  private var padding: Int { container.statesPadding ? unsafe Int(block.discard) : 0 }

  private func advance(_ frames: Int) {
    used += frames
    place += frames
  }

  /// Makes sure that `block` has a frame to be heard; returns false at the end of the sound.
  private func prepare() throws(DecodeFailure) -> Bool {
    while !isAtEnd {
      let early = timeline.start - place
      if early > 0 { advance(unsafe min(early, max(0, Int(block.frames) - used))) }
      if let end = timeline.end, place >= end { break }
      if place >= timeline.start, left > 0 { return true }
      isAtEnd = try !decode()
    }
    isAtEnd = true
    return false
  }

  /// Decodes the next frames into `block`; false at the end of the sound.
  private func decode() throws(DecodeFailure) -> Bool {
    place += unsafe max(0, Int(block.frames) - used)
    used = 0
    unsafe block.frames = 0
    let got = unsafe library.table.pointee.next(handle, &block)
    if got < 0 { throw DecodeFailure(.damaged, "has \(sound.codec) that cannot be decoded further") }
    if got == 0 { unsafe block.frames = 0 }
    unsafe thinning.thin(&block, channels: sound.format.channels)
    blocks = blocks.map { $0 + 1 }
    if blocks == 2, lag == nil, got > 0 { findLag() }
    return got > 0
  }

  private func findLag() {
    guard container.mayLag, unsafe block.time != FAV_NO_TIME else { return lag = 0 }
    let found = unsafe place - timeline.rawFrame(at: Int(clamping: block.time))
    lag = abs(found) < Self.longestRun ? found : 0
  }

  // MARK: Places

  /// Goes to a frame, counted from the first that is to be heard, or to a place before it from which many frames have to be decoded. Returns how many
  /// frames have to be dropped to get from there to the frame.
  package func seek(to frame: Int) throws(DecodeFailure) -> Int {
    fault = nil
    let target = timeline.start + min(frame, 1 << 52)
    if try !approach(target) { try reopen() }
    try dropRaw(before: min(target, place + Self.longestRun))
    return isAtEnd ? 0 : max(0, target - max(place, timeline.start))
  }

  /// Goes to a place before a frame from which its samples come right. Returns false if that is only the beginning, or if the seek failed.
  private func approach(_ target: Int) throws(DecodeFailure) -> Bool {
    guard case .from(let time) = timeline.approach(to: target) else { return false }
    return try jump(to: time) && place <= target
  }

  /// Seeks to a time in the container's units, and finds out which frame comes next. Returns false if the seek failed.
  private func jump(to time: Int) throws(DecodeFailure) -> Bool {
    // Where nothing was played yet, the second packet has not been decoded. What is wrong with it will be told when it is played.
    if container.mayLag, lag == nil, blocks == 1 { _ = try? decode() }
    guard unsafe library.table.pointee.seek(handle, Int64(time)) >= 0 else { return false }
    (isAtEnd, used, blocks) = (false, 0, nil)
    unsafe block.frames = 0
    guard try decode(), unsafe block.time != FAV_NO_TIME else { return false }
    // In Windows Media, a packet begins with the end of a frame whose beginning was in the one before, and that is lost.
    if container == .windowsMedia {
      guard try decode(), unsafe block.time != FAV_NO_TIME else { return false }
    }
    place = unsafe max(0, timeline.rawFrame(at: Int(clamping: block.time)) + (lag ?? 0))
    return true
  }

  private func reopen() throws(DecodeFailure) {
    if let handle = unsafe handle { unsafe library.table.pointee.close(handle) }
    unsafe handle = nil
    var facts = fav_facts()
    unsafe handle = unsafe try Self.open(container, bytes, library, &facts)
    isAtEnd = false
    (place, used, blocks) = (0, 0, 0)
    unsafe block.frames = 0
    isAtEnd = try !decode()
  }

  private func dropRaw(before target: Int) throws(DecodeFailure) {
    while place < target, !isAtEnd {
      let frames = unsafe min(target - place, Int(block.frames) - used)
      if frames > 0 { advance(frames) } else { isAtEnd = try !decode() }
    }
  }

  // MARK: Opening

  private static func check(_ film: MP4Timeline) throws(DecodeFailure) {
    guard !film.tracks.isEmpty else { return }
    guard let sound = film.sounds.first else {
      let isFilm = film.tracks.contains { $0.kind == "vide" }
      throw DecodeFailure(.silent, isFilm ? "is MPEG-4 video without sound" : "is MP4 without sound")
    }
    if film.sounds.allSatisfy(\.isLocked) {
      throw DecodeFailure(
        .unsupported, "is locked (DRM, '\(sound.coding)'); only the shop's own player plays it")
    }
  }

  private static func open(
    _ container: DecodeContainer, _ bytes: ForeignBytes, _ library: ForeignLibrary, _ facts: inout fav_facts
  ) throws(DecodeFailure) -> OpaquePointer {
    // Not retained, because the sound owns both the bytes and the handle that reads them.
    var input = unsafe fav_input(context: Unmanaged.passUnretained(bytes).toOpaque(), size: Int64(bytes.size))
    {
      context, offset, to, count in
      guard let context = unsafe context, let to = unsafe to, count > 0 else { return -1 }
      let bytes = unsafe Unmanaged<ForeignBytes>.fromOpaque(context).takeUnretainedValue()
      let buffer = unsafe UnsafeMutableRawBufferPointer(start: to, count: Int(count))
      return unsafe Int32(bytes.read(Int(offset), buffer) ?? -1)
    }
    var problem = FAV_FINE
    let handle = unsafe library.table.pointee.open(container.demuxer, &input, &facts, &problem)
    if let handle = unsafe handle { return unsafe handle }
    throw failure(problem, codec(facts))
  }

  private static func failure(_ problem: fav_problem, _ codec: String) -> DecodeFailure {
    switch problem {
    case FAV_SILENT: DecodeFailure(.silent, "has no sound in it")
    case FAV_UNSUPPORTED:
      DecodeFailure(
        .unsupported, "is coded as \(codec.isEmpty ? "something" : codec), which cannot be played")
    case FAV_LARGE: DecodeFailure(.unsupported, "claims to be larger than a sound may be")
    default: DecodeFailure(.damaged, "is damaged: it cannot be opened")
    }
  }

  fileprivate static func codec(_ facts: fav_facts) -> String {
    unsafe withUnsafeBytes(of: facts.codec) { raw in
      unsafe String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func read(_ bytes: ForeignBytes, at offset: Int, count: Int) -> [UInt8] {
    let wanted = max(0, min(count, bytes.size - offset))
    var done = 0
    let result = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      while done < wanted {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[done...])
        guard let more = unsafe bytes.read(offset + done, rest), more > 0 else { break }
        done += more
      }
      filled = done
    }
    return result
  }
}

/// What is known of a sound once FFmpeg has decoded its first frames: its format, its length, and which frames are to be heard.
@safe
private struct Opened {
  let sound: DecodedSound
  let timeline: SoundTimeline
  let thinning: Thinning
  let block: fav_block

  init(
    _ facts: fav_facts, _ handle: OpaquePointer, _ library: ForeignLibrary, _ container: DecodeContainer,
    statedCut: (_ track: Int, _ rate: Int) -> (start: Int, end: Int?)?
  ) throws(DecodeFailure) {
    let codec = ForeignSound.codec(facts)
    let channels = Int(facts.channels)
    thinning = Thinning(rate: Int(facts.rate))
    let rate = Int(facts.rate) / thinning.factor
    guard AudioFormat.rates.contains(rate) else {
      throw DecodeFailure(.unsupported, "has \(rate) samples a second, which cannot be played")
    }
    guard AudioFormat.channelCounts.contains(channels) else {
      throw DecodeFailure(.unsupported, "has \(channels) channels, which cannot be played")
    }
    var block = unsafe fav_block()
    let got = unsafe library.table.pointee.next(handle, &block)
    if got < 0 { throw DecodeFailure(.damaged, "has \(codec) that cannot be decoded") }
    if got == 0 { throw DecodeFailure(.silent, "has no sound in it: not a single sample") }
    unsafe thinning.thin(&block, channels: channels)
    let first = unsafe block.time == FAV_NO_TIME ? 0 : Int(block.time)
    let statedPadding = unsafe container.statesPadding ? max(0, Int(facts.padding), Int(block.skip)) : 0
    // The padding of Vorbis is its first packet, and that has been left out.
    let padding = codec == "vorbis" ? 0 : statedPadding
    guard
      let clock = SoundTimeline.Clock(
        units: Int(facts.units), seconds: Int(facts.unit_seconds), origin: first)
    else { throw DecodeFailure(.damaged, "has times that make no sense") }
    let stated = Int(facts.frame) / thinning.factor
    let packets = Self.counted(
      stated > 0 ? .same(stated) : unsafe Self.packets(codec, rate: rate, first: Int(block.frames)),
      clock, rate: rate, container)
    let cut = statedCut(Int(facts.stream), rate) ?? (padding, nil)
    let length = Self.length(facts, clock, rate: rate, container)
    let end = cut.end ?? length.exact
    timeline = SoundTimeline(
      rate: rate, start: cut.start, end: end, runUp: .init(coding: codec, packet: packets.length),
      packets: packets, clock: clock)
    let layout = ChannelLayout(mask: UInt64(facts.positions), channels: channels)
    sound = DecodedSound(
      format: AudioFormat(rate: rate, layout: layout),
      length: end.map { .exact(max(0, $0 - cut.start)) }
        ?? length.estimate.map { .estimated(max(0, $0 - cut.start)) } ?? .unknown,
      codec: codec)
    unsafe self.block = block
  }

  /// Returns the packets with the length that FFmpeg gives each in a container that stores no times: in whole ticks, rounded down. Those of other
  /// containers are returned as they are.
  private static func counted(
    _ packets: SoundTimeline.Packets, _ clock: SoundTimeline.Clock, rate: Int, _ container: DecodeContainer
  ) -> SoundTimeline.Packets {
    guard [.ac3, .eac3, .dts].contains(container), let frames = packets.length, frames < 1 << 20 else {
      return packets
    }
    return .counted(frames, ticks: frames * clock.units / (rate * clock.seconds))
  }

  /// The lengths of the packets of a coding, for a container that does not state them. `first` is the number of frames in the first packet.
  private static func packets(_ codec: String, rate: Int, first: Int) -> SoundTimeline.Packets {
    switch codec {
    // A packet has a quarter of the lengths of two blocks, and every encoder's shortest blocks have 256 frames or more.
    case "vorbis": .multiples(of: 64)
    case "aac": .same(1_024)
    // 2.5 ms is the shortest of its packets, and all others are several times as long.
    case "opus": .multiples(of: 120)
    case "mp3", "mp2": .same(1_152)
    case "ac3", "eac3": .same(1_536)
    case "wmav1": .same(rate <= 16_000 ? 512 : rate <= 32_000 ? 1_024 : 2_048)
    case "wmav2": .same(rate <= 16_000 ? 512 : rate <= 22_050 ? 1_024 : 2_048)
    default: .same(first)
    }
  }

  private static func length(
    _ facts: fav_facts, _ clock: SoundTimeline.Clock, rate: Int, _ container: DecodeContainer
  ) -> (exact: Int?, estimate: Int?) {
    guard facts.length != FAV_NO_TIME, facts.length > 0, facts.length < 1 << 50 else { return (nil, nil) }
    let seconds = Double(facts.length) * Double(clock.seconds) / Double(clock.units)
    guard seconds < 1e9 else { return (nil, nil) }
    let frames = Int((seconds * Double(rate)).rounded())
    let isExact = container.statesLength && facts.is_length_stated != 0 && frames < 1 << 50
    return isExact ? (frames, nil) : (nil, frames)
  }
}

extension DecodeContainer {
  /// Whether something may have to be added to the place that a packet's time says: the first one of an MP4 file may have a time of its own, and Windows Media by
  /// Microsoft's encoder begins with a shorter one.
  fileprivate var mayLag: Bool { self == .mp4 || self == .windowsMedia }
}
