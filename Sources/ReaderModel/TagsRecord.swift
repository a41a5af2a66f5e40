// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// Writes a file's tags as bytes, and reads them. Texts that do not fit into the record are left out; lyrics come last, because they are the longest
/// and matter least.
enum TagsRecord {
  static func bytes(of file: FileTags) -> [UInt8] {
    var writer = Writer()
    writer.add(file)
    return writer.bytes
  }

  /// The tags in a record, after its first byte; nil if the record is not valid.
  static func tags(in record: ArraySlice<UInt8>) -> FileTags? {
    var reader = Reader(record)
    return reader.file()
  }

  /// The byte before a value that is there; a missing value is another byte alone.
  private static let present: UInt8 = 1

  private struct Writer {
    private var writer = ByteWriter()
    var bytes: [UInt8] { writer.bytes }

    mutating func add(_ file: FileTags) {
      writer.add(ReaderAnswer.Kind.tags)
      add((file.format?.rate).map { UInt64($0) })
      add((file.format?.channels).map { UInt64($0) })
      add(file.kilobits.map { UInt64(clamping: $0) })
      writer.add(UInt8(file.hasPicture ? 1 : 0))
      writer.bytes += file.fingerprint.map { [TagsRecord.present] + $0.rawValue } ?? [0]
      add(numbers: file.tags)
      add(texts: file.tags)
    }

    private mutating func add(numbers tags: MediaTags) {
      add(tags.duration.flatMap(Self.nanoseconds))
      for number in [tags.track, tags.trackCount, tags.disc, tags.discCount] {
        add(number.map { UInt64(bitPattern: Int64($0)) })
      }
      add(tags.bpm?.bitPattern)
      let loudness = tags.loudness
      for gain in [loudness.trackGain, loudness.trackPeak, loudness.albumGain, loudness.albumPeak] {
        add((gain?.bitPattern).map { UInt64($0) })
      }
      writer.add(UInt8(tags.isCompilation ? 1 : 0))
    }

    private mutating func add(texts tags: MediaTags) {
      add(tags.mediaType.rawValue)
      add(tags.date?.description)
      add(tags.title)
      add(tags.album)
      for texts in [tags.artist, tags.albumArtist, tags.composer, tags.genre] { add(texts) }
      let sort = tags.sort
      for text in [sort.title, sort.artist, sort.album, sort.albumArtist, sort.composer] { add(text) }
      add(tags.comment)
      add(tags.lyrics)
    }

    private static func nanoseconds(_ time: Duration) -> UInt64? {
      let (seconds, attoseconds) = time.components
      guard (0..<1 << 32).contains(seconds) else { return nil }
      return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    private mutating func add(_ number: UInt64?) {
      writer.add(number == nil ? UInt8(0) : TagsRecord.present)
      if let number { writer.add(number) }
    }

    private mutating func add(_ text: String?) {
      // The fields after this one need some room too: 5 bytes for each empty text or list, and a byte for each value of a list that is left out.
      guard let text, bytes.count + text.utf8.count + 2_048 <= ReaderProtocol.largestRecord else {
        return writer.add(UInt8(0))
      }
      writer.add(TagsRecord.present)
      writer.add(UInt32(text.utf8.count))
      writer.bytes += text.utf8
    }

    private mutating func add(_ texts: [String]) {
      let kept = texts.prefix(ReaderProtocol.mostValues)
      writer.add(UInt16(kept.count))
      for text in kept { add(text) }
    }
  }

  private struct Reader {
    private var cursor: ByteCursor

    init(_ record: ArraySlice<UInt8>) { cursor = ByteCursor(record) }

    /// Thrown for invalid bytes, so that the functions below can read one field after another.
    private struct Unreadable: Error {}

    mutating func file() -> FileTags? {
      guard let file = try? wholeFile(), cursor.rest.isEmpty else { return nil }
      return file
    }

    private mutating func wholeFile() throws(Unreadable) -> FileTags {
      let (rate, channels, kilobits) = (try number(), try number(), try number())
      var file = FileTags()
      file.format = Self.format(rate, channels)
      file.kilobits = kilobits.flatMap { Int(exactly: $0) }
      file.hasPicture = try flag()
      if try flag() { file.fingerprint = try AudioFingerprint(rawValue: Array(take(AudioFingerprint.size))) }
      try readNumbers(into: &file.tags)
      try readTexts(into: &file.tags)
      return file
    }

    private static func format(_ rate: UInt64?, _ channels: UInt64?) -> AudioFormat? {
      guard let rate = rate.flatMap({ Int(exactly: $0) }),
        let channels = channels.flatMap({ Int(exactly: $0) }),
        AudioFormat.rates.contains(rate), AudioFormat.channelCounts.contains(channels)
      else { return nil }
      return AudioFormat(rate: rate, channels: channels)
    }

    private mutating func readNumbers(into tags: inout MediaTags) throws(Unreadable) {
      tags.duration = try number().flatMap { Int64(exactly: $0) }.map { .nanoseconds($0) }
      tags.track = try signed()
      tags.trackCount = try signed()
      tags.disc = try signed()
      tags.discCount = try signed()
      tags.bpm = try number().map { Double(bitPattern: $0) }.flatMap { $0.isFinite ? $0 : nil }
      tags.loudness = Loudness(
        trackGain: try decibels(), trackPeak: try decibels(), albumGain: try decibels(),
        albumPeak: try decibels())
      tags.isCompilation = try flag()
    }

    private mutating func readTexts(into tags: inout MediaTags) throws(Unreadable) {
      tags.mediaType = try text().flatMap { MediaType(rawValue: $0) } ?? .music
      tags.date = try text().flatMap { $0.utf8.count <= 40 ? MediaDate(text: $0) : nil }
      tags.title = try text()
      tags.album = try text()
      tags.artist = try texts()
      tags.albumArtist = try texts()
      tags.composer = try texts()
      tags.genre = try texts()
      tags.sort = SortNames(
        title: try text(), artist: try text(), album: try text(), albumArtist: try text(),
        composer: try text())
      tags.comment = try text()
      tags.lyrics = try text()
    }

    private mutating func take(_ count: Int) throws(Unreadable) -> ArraySlice<UInt8> {
      guard let bytes = cursor.take(count) else { throw Unreadable() }
      return bytes
    }

    private mutating func flag() throws(Unreadable) -> Bool {
      guard let byte = cursor.number(1, .bigEndian), byte < 2 else { throw Unreadable() }
      return byte == 1
    }

    private mutating func number() throws(Unreadable) -> UInt64? {
      guard try flag() else { return nil }
      guard let bits = cursor.bits() else { throw Unreadable() }
      return bits
    }

    private mutating func signed() throws(Unreadable) -> Int? {
      try number().map { Int(truncatingIfNeeded: Int64(bitPattern: $0)) }
    }

    private mutating func decibels() throws(Unreadable) -> Float? {
      let value = try number().map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }
      return value.flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func text() throws(Unreadable) -> String? {
      guard try flag() else { return nil }
      guard let count = cursor.number(4, .bigEndian), count <= ReaderProtocol.largestRecord else {
        throw Unreadable()
      }
      return try String(decoding: take(count), as: UTF8.self)
    }

    private mutating func texts() throws(Unreadable) -> [String] {
      guard let count = cursor.number(2, .bigEndian), count <= ReaderProtocol.mostValues else {
        throw Unreadable()
      }
      var texts: [String] = []
      for _ in 0..<count { if let text = try text() { texts.append(text) } }
      return texts
    }
  }
}

/// The result of reading a file's tags.
package struct FileTags: Sendable, Equatable {
  /// The tags' values, and the length that the file states; playing may find another.
  package var tags: MediaTags
  /// The sound's rate and channels; nil if the file doesn't state them or they can't be played.
  package var format: AudioFormat?
  /// The bit rate in thousands of bits a second; nil if not known.
  package var kilobits: Int?
  package var hasPicture: Bool
  /// Recognises the sound after its file was moved or tagged anew; nil if the file has no sound that could be told from
  /// another.
  package var fingerprint: AudioFingerprint?

  package init(
    tags: MediaTags = MediaTags(), format: AudioFormat? = nil, kilobits: Int? = nil, hasPicture: Bool = false,
    fingerprint: AudioFingerprint? = nil
  ) {
    (self.tags, self.format, self.kilobits) = (tags, format, kilobits)
    (self.hasPicture, self.fingerprint) = (hasPicture, fingerprint)
  }
}

/// Why a file gives no tags.
package enum ReadFailure: Error, Sendable, Hashable {
  /// The file can't be opened or read; the value is the system's error number.
  case unreadable(Int32)
  /// The path leads to a folder, a device or something else that is no regular file.
  case notAFile
  case unknownFormat
  /// The format is known, but what the file says of its sound is missing or damaged.
  case broken
  /// Reading the file ended the process that reads tags, or made it hang. The file is not read again until it changes. The text says what happened,
  /// worded as the end of a sentence.
  case killedReader(String)
  /// The process that reads tags can't be started. The text says why, worded as the end of a sentence, and what to do.
  case readerMissing(String)
}

extension ReadFailure: CustomStringConvertible {
  /// The reason and the remedy, worded as the end of a sentence that begins with the file.
  package var description: String {
    switch self {
    case .unreadable(let code): "can't be read (error \(code)); check the path and its permissions"
    case .notAFile: "not a regular file; name a sound file"
    case .unknownFormat: "not a format that is played; 'fermata help play' lists those that are"
    case .broken: "broken; try to play it or make it anew"
    case .killedReader(let reason):
      "its tags can't be read: \(reason); it is left alone until it changes, and may play all the same"
    case .readerMissing(let reason): "its tags can't be read: \(reason)"
    }
  }
}
