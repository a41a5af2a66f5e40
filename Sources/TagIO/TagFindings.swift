// SPDX-License-Identifier: MIT
internal import FileIO
internal import AudioModel
internal import MediaModel

/// The tags, the picture and the length that were found in one file so far.
struct TagFindings {
  /// A picture that was found in a file and whose bytes have not been read yet.
  struct PictureOffer {
    /// The picture's purpose, by the number that ID3 and FLAC give it: 3 is the front cover, 1 and 2 are icons.
    let kind: Int
    let size: Int

    fileprivate var rank: Int { kind == 3 ? 2 : kind == 1 || kind == 2 ? 0 : 1 }
  }

  /// Whether the caller wants the picture's bytes. If not, it is enough to know that there is one.
  let wantsPicture: Bool
  /// Decodes texts that a tag calls Latin-1, which may be in another encoding.
  let legacy: LegacyText
  var properties = TagProperties()
  /// Gains and peaks that are written as numbers. They count where no tag of the file says any in words.
  var adjustments = TagProperties()
  private(set) var picture: [UInt8] = []
  private var pictureRank = -1

  var duration: Duration?
  /// How long the sound is before tags have it cut, if that may differ from `duration`. A fingerprint must not depend on tags.
  var uncutDuration: Duration?
  var rate = 0
  var channels = 0
  var kilobits: Int?

  /// The format of the sound; nil before it is known.
  var soundFormat: SoundFormat?
  /// The range of the sound in the file, without tags before and after it; empty if not known.
  var sound = 0..<0
  /// The beginning of the sound, for formats that store it in separate pieces.
  var soundPiece: [UInt8] = []

  init(wantsPicture: Bool, legacy: LegacyText) { (self.wantsPicture, self.legacy) = (wantsPicture, legacy) }

  var hasPicture: Bool { pictureRank >= 0 }

  /// Forgets the texts and the picture, because a tag that counts more is read next.
  mutating func forgetTags() {
    (properties, adjustments) = (TagProperties(), TagProperties())
    (picture, pictureRank) = ([], -1)
  }

  /// Adds from a tag that counts less: values for fields that have none, and the picture if there is none.
  mutating func fill(from other: TagFindings) {
    properties.fill(from: other.properties)
    adjustments.fill(from: other.adjustments)
    if !hasPicture { (picture, pictureRank) = (other.picture, other.pictureRank) }
  }

  /// Lets a tag that counts more have the fields and the picture that it has.
  mutating func yield(to other: TagFindings) {
    let own = self
    (properties, adjustments) = (other.properties, other.adjustments)
    (picture, pictureRank) = (other.picture, other.pictureRank)
    fill(from: own)
  }

  /// Whether a picture for this purpose would be taken.
  func wantsPicture(of kind: Int) -> Bool { PictureOffer(kind: kind, size: 1).rank > pictureRank }

  /// The rate and the channels of the sound; nil if they are not known or can't be played.
  var format: AudioFormat? {
    guard AudioFormat.rates.contains(rate), AudioFormat.channelCounts.contains(channels) else { return nil }
    return AudioFormat(rate: rate, channels: channels)
  }

  /// Adds a value to the field of this name; one that is too long is left out.
  mutating func add(_ value: String, to name: String) {
    if value.utf8.count <= TagReader.longestText { properties.add(value, to: name) }
  }

  /// Takes a picture if it is a better front cover than those before. `bytes` is called only then, and only if the caller wants the picture.
  mutating func take(_ offer: PictureOffer, _ bytes: () -> [UInt8]) {
    guard (1...TagReader.largestPicture).contains(offer.size), offer.rank > pictureRank else { return }
    if wantsPicture {
      let bytes = bytes()
      guard CoverPicture(bytes) != nil else { return }
      picture = bytes
    }
    pictureRank = offer.rank
  }

  /// Sets the rate and the channels, and the duration by the number of frames. If the frames or the rate make no sense,
  /// the duration stays as it was.
  mutating func setLength(frames: Int, rate: Int, channels: Int) {
    (self.rate, self.channels) = (rate, channels)
    // 2^53 frames are 1,500 years at the highest rate that is played; nothing below overflows.
    guard (1..<1 << 53).contains(frames), (1..<1 << 32).contains(rate) else { return }
    duration = .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
  }

  /// Sets the bit rate of a sound of this many bytes; does nothing while the duration is not known.
  mutating func setKilobits(bytes: Int) {
    guard let duration, duration >= .milliseconds(1), bytes > 0 else { return }
    kilobits = Int(exactly: (Double(bytes) * 8 / (duration / .milliseconds(1))).rounded())
  }
}

extension TagFindings {
  /// How many bytes of the sound go into a fingerprint.
  static let pieceSize = 16 << 10
  /// Where the bytes that go into a fingerprint begin, counted from the beginning of the sound, if the sound is long enough. Many songs begin with
  /// the same silence.
  private static let pieceOffset = 256 << 10

  /// The fingerprint of the sound: a hash of its format, its length, and a piece at a fixed place in it. Nil if there is no sound.
  func fingerprint(of file: FileBytes) -> AudioFingerprint? {
    guard let soundFormat else { return nil }
    var piece = soundPiece
    if piece.isEmpty {
      let isLong = sound.count >= Self.pieceOffset + Self.pieceSize
      piece = self.piece(at: isLong ? Self.pieceOffset : 0, of: file)
      // Tracks of the same length may begin with the same long silence, which is zeros where samples are stored as they are. Then what comes later counts.
      for place in [sound.count / 2, sound.count * 3 / 4] where piece.allSatisfy({ $0 == piece[0] }) {
        piece = self.piece(at: place, of: file)
      }
    }
    guard !piece.isEmpty else { return nil }
    let facts = "\(soundFormat.name) \(rate) \(channels) \(uncutDuration ?? duration ?? .zero) "
    let hash = ContentHash(Array(facts.utf8) + piece)
    return AudioFingerprint(high: hash.high, low: hash.low)
  }

  private func piece(at offset: Int, of file: FileBytes) -> [UInt8] {
    let start = sound.lowerBound + offset
    return file.bytes(at: start, count: min(Self.pieceSize, sound.upperBound - start))
  }
}
