// SPDX-License-Identifier: MIT
internal import AudioModel
internal import CTagLib
public import MediaModel

/// Reads what sound files say about themselves. May be used from any thread; each call opens the file, blocks
/// while the disk works, and closes it. What a file can make it spend is bounded, whatever the file holds.
public struct TagReader: Sendable {
  /// Bytes of the longest text that is kept; longer ones are left out.
  public static let longestText = 1 << 20
  /// Bytes of the largest picture that is kept; larger ones are left out.
  public static let largestPicture = 16 << 20

  /// A reader. It holds nothing.
  public init() {}

  /// The tags of a file.
  /// - Throws: where it can't be opened, is no regular file, or is no sound file that is played.
  public func tags(of path: FilePath) throws(TagError) -> FileTags {
    let (collector, sound) = try read(path, picture: false)
    var tags = MediaTags(collector.properties)
    if sound.milliseconds > 0 { tags.duration = .milliseconds(Int(sound.milliseconds)) }
    let kilobits = sound.bits_per_millisecond > 0 ? Int(sound.bits_per_millisecond) : nil
    return FileTags(
      tags: tags, format: AudioFormat(sound), kilobits: kilobits, hasPicture: sound.has_picture)
  }

  /// The picture embedded in a file: its front cover, or what comes nearest. Nil where there is none in a format
  /// that is known.
  /// - Throws: as `tags(of:)` does.
  public func picture(of path: FilePath) throws(TagError) -> CoverPicture? {
    let (collector, _) = try read(path, picture: true)
    return CoverPicture(collector.picture)
  }

  private func read(_ path: FilePath, picture: Bool) throws(TagError) -> (TagCollector, ctag_sound) {
    let file = try RegularFile(path)
    guard let kind = SoundFileKind(file, name: path) else { throw TagError(path, .unknownFormat) }
    let collector = TagCollector()
    var sound = ctag_sound()
    guard let format = kind.format else { return (collector, sound) }
    var limits = ctag_limits(text: Self.longestText, picture: Self.largestPicture)
    var findings = unsafe collector.findings(picture: picture)
    let isRead = unsafe ctag_read(file.descriptor, Int64(file.size), format, &limits, &findings, &sound)
    withExtendedLifetime(collector) {}
    guard isRead else { throw TagError(path, .broken) }
    return (collector, sound)
  }
}

extension AudioFormat {
  /// Nil for what can't be played.
  fileprivate init?(_ sound: ctag_sound) {
    guard Self.rates.contains(Int(sound.rate)), Self.channelCounts.contains(Int(sound.channels)) else {
      return nil
    }
    self.init(rate: Int(sound.rate), channels: Int(sound.channels))
  }
}
