// SPDX-License-Identifier: MIT
internal import AudioModel
internal import MediaModel

/// The tags, the picture and the length that were found in one file so far.
struct TagFindings {
  /// A picture that a file has, before its bytes are read.
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
  private(set) var picture: [UInt8] = []
  private var pictureRank = -1

  var duration: Duration?
  var rate = 0
  var channels = 0
  var kilobits: Int?

  init(wantsPicture: Bool, legacy: LegacyText) { (self.wantsPicture, self.legacy) = (wantsPicture, legacy) }

  var hasPicture: Bool { pictureRank >= 0 }

  /// The rate and the channels of the sound; nil if they are not known or can't be played.
  var format: AudioFormat? {
    guard AudioFormat.rates.contains(rate), AudioFormat.channelCounts.contains(channels) else { return nil }
    return AudioFormat(rate: rate, channels: channels)
  }

  /// Adds a value to the field of this name; one that is too long is left out.
  mutating func add(_ value: String, to name: String) {
    if value.utf8.count <= TagReader.longestText { properties.add(value, to: name) }
  }

  /// Takes a picture if it comes nearer to a front cover than those before. `bytes` is called only then, and only if
  /// the picture is asked for.
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
    // 2^53 frames are 1,500 years of the highest rate that is played; nothing below overflows.
    guard (1..<1 << 53).contains(frames), (1..<1 << 32).contains(rate) else { return }
    duration = .seconds(frames / rate) + .nanoseconds(frames % rate * 1_000_000_000 / rate)
  }

  /// Sets the bit rate of a sound of so many bytes; does nothing while the duration is not known.
  mutating func setKilobits(bytes: Int) {
    guard let duration, duration >= .milliseconds(1), bytes > 0 else { return }
    kilobits = Int(exactly: (Double(bytes) * 8 / (duration / .milliseconds(1))).rounded())
  }
}
