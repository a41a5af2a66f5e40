// SPDX-License-Identifier: MIT
package import FileIO
package import MediaModel
package import ReaderModel

/// Reads the tags and pictures of sound files that the caller has opened. The time and memory that a file takes are limited, whatever it contains.
/// Used by one thread; calls block on the disk.
package final class TagReader {
  /// The longest text that is kept, in bytes; longer ones are left out.
  package static let longestText = ReaderProtocol.longestText
  /// The largest picture that is kept, in bytes; larger ones are left out.
  package static let largestPicture = ReaderProtocol.largestPicture

  private let legacy: LegacyText

  /// A reader that decodes texts which a tag calls Latin-1 in this character set, by its name in the C library; nil for Latin-1 itself. Opens the C
  /// library's tables; afterwards no files are opened any more.
  package init(charset: String? = nil) { legacy = LegacyText(charset: charset) }

  /// The tags of a file. `isNamedMPEG` says whether its name is that of MPEG audio, which decides if nothing else tells the format.
  ///
  /// - Throws: if it is not a sound file of a format that is played, or if its disk failed.
  package func tags(of file: consuming OpenFile, isNamedMPEG: Bool) throws(ReadFailure) -> FileTags {
    let file = FileBytes(file)
    return try checking(file) { () throws(ReadFailure) in
      let found = try read(file, isNamedMPEG, picture: false)
      var tags = MediaTags(found.properties)
      tags.duration = found.duration
      return FileTags(
        tags: tags, format: found.format, kilobits: found.kilobits, hasPicture: found.hasPicture,
        fingerprint: found.fingerprint(of: file))
    }
  }

  /// The picture embedded in a file: its front cover, or else the most suitable one. Nil if there is none in one of the formats of `CoverPicture`.
  ///
  /// - Throws: as `tags` does.
  package func picture(of file: consuming OpenFile, isNamedMPEG: Bool) throws(ReadFailure) -> CoverPicture? {
    let file = FileBytes(file)
    return try checking(file) { () throws(ReadFailure) in
      CoverPicture(try read(file, isNamedMPEG, picture: true).picture)
    }
  }

  /// Calls `parse`. If a read of the file has failed, throws that instead of what `parse` made of the rest: a disk that is pulled out must not make
  /// every file on it count as damaged.
  private func checking<Found>(
    _ file: FileBytes, _ parse: () throws(ReadFailure) -> Found
  ) throws(ReadFailure) -> Found {
    let found = Result(catching: parse)
    if let error = file.failure { throw .unreadable(error.code) }
    return try found.get()
  }

  private func read(_ file: FileBytes, _ isNamedMPEG: Bool, picture: Bool) throws(ReadFailure) -> TagFindings
  {
    var findings = TagFindings(wantsPicture: picture, legacy: legacy)
    // If there are several ID3v2 tags, the first one is the newest, and only that one is read.
    _ = ID3Tag.read(file, at: 0, into: &findings)
    let start = ID3v2.end { file.bytes(at: $0, count: $1) }
    guard let (format, offset, isGuessed) = Self.sound(in: file, at: start, isNamedMPEG) else {
      throw .unknownFormat
    }
    findings.soundFormat = format
    guard Self.read(format, file, at: offset, hasTag: start > 0, into: &findings) else { throw .broken }
    // The name alone made it MPEG audio, and nothing in it is.
    if isGuessed, start == 0, findings.rate == 0 { throw .unknownFormat }
    findings.properties.fill(from: findings.adjustments)
    return findings
  }

  /// The format of the sound and the offset at which it begins; nil if it is none that is played. A file in which no
  /// sound is found counts as MPEG audio if it has an ID3v2 tag, or if it is named like MPEG audio and nothing else is recognized in it.
  private static func sound(
    in file: FileBytes, at start: Int, _ isNamedMPEG: Bool
  ) -> (format: SoundFormat, offset: Int, isGuessed: Bool)? {
    let head = file.bytes(at: start, count: FileContent.headSize)
    let content = FileContent(head: head, isWhole: start + head.count >= file.size)
    if case .sound(let format, let offset) = content { return (format, start + offset, false) }
    if content == nil,
      let offset = FileContent.mpegBehindJunk(file.bytes(at: start, count: FileContent.mostJunk))
    {
      return (.mpeg, start + offset, false)
    }
    return start > 0 || isNamedMPEG && content == nil ? (.mpeg, start, true) : nil
  }

  /// Reads the facts about the sound that begins at `offset`; false if its description is damaged.
  private static func read(
    _ format: SoundFormat, _ file: FileBytes, at offset: Int, hasTag: Bool, into findings: inout TagFindings
  ) -> Bool {
    switch format {
    case .mpeg: return MPEGFile.read(file, at: offset, hasTag: hasTag, into: &findings)
    case .wav: return WAVFile.read(file, at: offset, into: &findings)
    case .wave64: return Wave64File.read(file, at: offset, into: &findings)
    case .aiff: return AIFFFile.read(file, at: offset, into: &findings)
    case .caf: return CAFFile.read(file, at: offset, into: &findings)
    case .au: return AUFile.read(file, at: offset, into: &findings)
    case .mp4: return MP4File.read(file, at: offset, into: &findings)
    case .wavPack, .monkeys, .trueAudio, .musepack:
      return TaggedFile.read(format, file, at: offset, into: &findings)
    case .dsf: return DSFFile.read(file, at: offset, into: &findings)
    case .dsdiff: return DSDIFFFile.read(file, at: offset, into: &findings)
    case .matroska: return MatroskaFile.read(file, at: offset, into: &findings)
    case .windowsMedia: return ASFFile.read(file, at: offset, into: &findings)
    case .adts, .ac3, .dts: return FramedFile.read(format, file, at: offset, into: &findings)
    case .flac, .oggFLAC, .vorbis, .opus:
      // These formats have their own tags; an ID3 tag before them only fills fields that those lack.
      let leading = findings
      findings.forgetTags()
      defer { findings.fill(from: leading) }
      return format == .flac
        ? FLACFile.read(file, at: offset, into: &findings)
        : OggFile.read(file, format, at: offset, into: &findings)
    }
  }
}
