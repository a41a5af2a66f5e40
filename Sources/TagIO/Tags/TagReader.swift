// SPDX-License-Identifier: MIT
package import MediaModel

/// Reads what sound files say about themselves. May be used from any thread; each call opens the file, blocks
/// while the disk works, and closes it. What a file can make it spend is bounded, whatever the file holds.
package struct TagReader: Sendable, Equatable {
  /// Bytes of the longest text that is kept; longer ones are left out.
  package static let longestText = 1 << 20
  /// Bytes of the largest picture that is kept; larger ones are left out.
  package static let largestPicture = 16 << 20

  /// The character set, by its name in the C library, of texts that a tag calls Latin-1; nil for Latin-1 itself.
  package var charset: String?

  /// A reader. It holds nothing.
  package init(charset: String? = nil) { self.charset = charset }

  /// The tags of a file.
  /// - Throws: where it can't be opened, is no regular file, or is no sound file that is played.
  package func tags(of path: FilePath) throws(TagError) -> FileTags {
    let found = try read(path, picture: false)
    var tags = MediaTags(found.properties)
    tags.duration = found.duration
    return FileTags(
      tags: tags, format: found.format, kilobits: found.kilobits, hasPicture: found.hasPicture)
  }

  /// The picture embedded in a file: its front cover, or what comes nearest. Nil where there is none in a format
  /// that is known.
  /// - Throws: as `tags(of:)` does.
  package func picture(of path: FilePath) throws(TagError) -> CoverPicture? {
    CoverPicture(try read(path, picture: true).picture)
  }

  private func read(_ path: FilePath, picture: Bool) throws(TagError) -> TagFindings {
    let file = FileBytes(try RegularFile(path))
    var findings = TagFindings(wantsPicture: picture, legacy: LegacyText(charset: charset))
    let tagged = Self.readLeadingTags(file, into: &findings)
    guard let kind = SoundFileKind(file, at: tagged, name: path) else {
      throw TagError(path, .unknownFormat)
    }
    guard kind.read(file, at: tagged, into: &findings) else { throw TagError(path, .broken) }
    return findings
  }

  /// Reads the ID3v2 tag that may stand before anything, and returns where the sound begins. Taggers stack tags by
  /// mistake, and the newest comes first, so only the first is read. At most three more are skipped; a file with more
  /// was made with bad intent.
  private static func readLeadingTags(_ file: FileBytes, into findings: inout TagFindings) -> Int {
    guard var offset = ID3Tag.read(file, at: 0, into: &findings) else { return 0 }
    for _ in 0..<3 {
      guard let size = ID3Frames.size(file.bytes(at: offset, count: 10)) else { break }
      offset += size
    }
    return offset
  }
}
