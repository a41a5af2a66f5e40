// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel
package import ReaderModel

/// Reads the tags and pictures of sound files. May be used from any thread; each call opens the file, blocks on the
/// disk, and closes the file. The time and memory that a call uses are limited, whatever the file contains.
package struct TagReader: Sendable, Equatable {
  /// Bytes of the longest text that is kept; longer ones are left out.
  package static let longestText = 1 << 20
  /// Bytes of the largest picture that is kept; larger ones are left out.
  package static let largestPicture = 16 << 20

  /// The character set, by its name in the C library, of texts that a tag calls Latin-1; nil for Latin-1 itself.
  package var charset: String?

  package init(charset: String? = nil) { self.charset = charset }

  /// The tags of a file.
  /// - Throws: if it can't be opened, is no regular file, or is no sound file that is played.
  package func tags(of path: FilePath) throws(TagError) -> FileTags {
    let found = try read(path, picture: false)
    var tags = MediaTags(found.properties)
    tags.duration = found.duration
    return FileTags(
      tags: tags, format: found.format, kilobits: found.kilobits, hasPicture: found.hasPicture)
  }

  /// The picture embedded in a file: its front cover, or what comes nearest. Nil if there is none in one of the formats
  /// of `CoverPicture`.
  /// - Throws: as `tags(of:)` does.
  package func picture(of path: FilePath) throws(TagError) -> CoverPicture? {
    CoverPicture(try read(path, picture: true).picture)
  }

  private func read(_ path: FilePath, picture: Bool) throws(TagError) -> TagFindings {
    let file: FileBytes
    do throws(OpenFile.Failure) { file = FileBytes(try OpenFile(path)) } catch {
      switch error {
      case .system(let error): throw TagError(path, .unreadable(error.code))
      case .notAFile: throw TagError(path, .notAFile)
      }
    }
    var findings = TagFindings(wantsPicture: picture, legacy: LegacyText(charset: charset))
    // If there are several ID3v2 tags, the first one is the newest, and only that is read.
    _ = ID3Tag.read(file, at: 0, into: &findings)
    let start = ID3v2.end { file.bytes(at: $0, count: $1) }
    guard let (format, offset) = Self.sound(in: file, at: start, path) else {
      throw TagError(path, .unknownFormat)
    }
    guard Self.read(format, file, at: offset, hasTag: start > 0, into: &findings) else {
      throw TagError(path, .broken)
    }
    return findings
  }

  /// The format of the sound and the offset at which it begins; nil if it is none that is played. A file in which no
  /// sound is found counts as MPEG audio if it has an ID3v2 tag or is named like MPEG audio.
  private static func sound(
    in file: FileBytes, at start: Int, _ path: FilePath
  ) -> (format: SoundFormat, offset: Int)? {
    let head = file.bytes(at: start, count: FileContent.headSize)
    let content = FileContent(head: head, isWhole: start + head.count >= file.size)
    if case .sound(let format, let offset) = content { return (format, start + offset) }
    let seemsMPEG = start > 0 || SoundFormat.mpeg.extensions.contains(path.pathExtension)
    return seemsMPEG ? (.mpeg, start) : nil
  }

  /// Reads what the format states about the sound that begins at `offset`; false if it is broken.
  private static func read(
    _ format: SoundFormat, _ file: FileBytes, at offset: Int, hasTag: Bool, into findings: inout TagFindings
  ) -> Bool {
    switch format {
    case .mpeg: return MPEGFile.read(file, at: offset, hasTag: hasTag, into: &findings)
    case .wav: return WAVFile.read(file, at: offset, into: &findings)
    case .aiff: return AIFFFile.read(file, at: offset, into: &findings)
    case .caf: return CAFFile.read(file, at: offset, into: &findings)
    case .au: return AUFile.read(file, at: offset, into: &findings)
    case .flac, .oggFLAC, .vorbis, .opus:
      // The tags of these formats are inside; ID3 before them only adds what is missing.
      let leading = findings.properties
      findings.properties = TagProperties()
      defer { findings.properties.fill(from: leading) }
      return format == .flac
        ? FLACFile.read(file, at: offset, into: &findings)
        : OggFile.read(file, format, at: offset, into: &findings)
    }
  }
}

/// Why a file gives no tags.
package struct TagError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    /// The file can't be opened; the system's error number.
    case unreadable(Int32)
    case notAFile
    case unknownFormat
    case broken
  }

  package let path: FilePath
  package let reason: Reason

  init(_ path: FilePath, _ reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }

  /// The file, the reason and what to do.
  package var description: String { "\(path): \(explanation)" }

  private var explanation: String {
    switch reason {
    case .unreadable(let code): "can't be read: \(String(errno: code)); check the path and its permissions"
    case .notAFile: "not a regular file; name a sound file"
    case .unknownFormat: "not a format that is played; \(SoundFormat.names) are"
    case .broken: "broken; try to play it or make it anew"
    }
  }
}
