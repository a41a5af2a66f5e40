// SPDX-License-Identifier: MIT
internal import CLinux
package import FileIO
internal import Glibc
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

extension TagReader {
  /// Reads small files that are made in memory for this. Afterwards everything that reading a real file needs is loaded: the C library's tables, code
  /// that is linked at its first call, and memory.
  package func warmUp() {
    for file in [Self.sampleMPEG, Self.sampleFLAC] {
      for isPictureWanted in [false, true] {
        guard let open = Self.inMemory(file) else { return }
        if isPictureWanted {
          _ = try? picture(of: open, isNamedMPEG: false)
        } else {
          _ = try? tags(of: open, isNamedMPEG: false)
        }
      }
    }
  }

  private static func inMemory(_ bytes: [UInt8]) -> OpenFile? {
    let descriptor = unsafe memfd_create("sample", clinux_memfd_cloexec)
    guard descriptor >= 0 else { return nil }
    let written = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    // A file that could not be written completely is read all the same, and found to be damaged.
    return OpenFile(owning: descriptor, size: max(0, written))
  }

  /// A small file for `warmUp`: an ID3v2 tag with texts in three encodings, silent frames, an APE tag and an ID3v1 tag.
  private static var sampleMPEG: [UInt8] {
    let texts: [(String, [UInt8])] = [
      ("TIT2", [0, 0x48, 0xe9]), ("TPE1", [1, 0xff, 0xfe, 0x48, 0]), ("TALB", [3, 0xc3, 0xa9]),
      ("TCON", Array("\0(17)".utf8)), ("TYER", Array("\u{0}1997".utf8)), ("TRCK", Array("\u{0}1/2".utf8)),
    ]
    var frames: [UInt8] = []
    for (name, text) in texts { frames += Array(name.utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text }
    var file = Array("ID3\u{3}\0\0\0\0\0".utf8) + [UInt8(frames.count)] + frames
    for _ in 0..<4 { file += [0xff, 0xfb, 0x90, 0] + nothing(413) }
    let item: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0] + Array("Album\0Hi".utf8)
    let counts: [UInt8] = [0xd0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0]
    file += item + Array("APETAGEX".utf8) + counts + nothing(12)
    return file + Array("TAG".utf8) + nothing(125)
  }

  /// A small file that `warmUp` reads, so that what TagLib needs is loaded before the process is closed in: the description of a stream, and comments
  /// with a gain, a number and a date.
  private static var sampleFLAC: [UInt8] {
    let comments = [
      "TITLE=Hé", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "TRACKNUMBER=3/4", "DATE=1997-05-20", "GENRE=Folk",
    ]
    var block: [UInt8] = [0, 0, 0, 0, UInt8(comments.count), 0, 0, 0]
    for comment in comments { block += [UInt8(comment.utf8.count), 0, 0, 0] + Array(comment.utf8) }
    var file: [UInt8] = Array("fLaC".utf8) + [0, 0, 0, 34]
    file += [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0xc4, 0x42, 0xf0, 0, 0, 0x10, 0] + nothing(16)
    file += [0x84, 0, 0, UInt8(block.count)] + block
    return file + nothing(64)
  }

  private static func nothing(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
