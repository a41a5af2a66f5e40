// SPDX-License-Identifier: MIT
package import MediaModel

/// A list of things to play, in order.
package struct Playlist: Sendable, Hashable {
  /// The playlist's name; for a CUE sheet, the title of the album.
  package var title: String?
  /// The playlist's creator; for a CUE sheet, the artist of the album.
  package var performer: String?
  package var entries: [PlaylistEntry]

  package init(title: String? = nil, performer: String? = nil, entries: [PlaylistEntry] = []) {
    (self.title, self.performer, self.entries) = (title, performer, entries)
  }
}

/// An entry of a playlist: a location, and the facts that the playlist states about it.
package struct PlaylistEntry: Sendable, Hashable {
  /// The path or URI as it is written in the playlist; empty for an entry that was not read from a file.
  package var written: [UInt8]
  /// The location that `written` means; a relative path starts at the playlist's folder.
  package var location: MediaLocation
  /// The playlist's folder; nil for an entry that was not read from a file.
  package var folder: FilePath?
  /// The part of the file that is meant; nil for the whole file.
  package var part: FilePart?
  package var title: String?
  package var performer: String?
  package var album: String?
  /// The artist of the album, where that is another one than the entry's.
  package var albumPerformer: String?
  package var genre: String?
  package var date: MediaDate?
  package var track: Int?
  package var disc: Int?
  package var duration: Duration?

  /// The path by the bytes of the list, where that had to be decoded; nil otherwise.
  var asBytes: FilePath?

  package init(location: MediaLocation, written: [UInt8] = [], part: FilePart? = nil) {
    (self.location, self.written, self.part) = (location, written, part)
  }

  /// Other paths that may be meant, to be tried in this order if the file doesn't exist. Players on other systems write names in Windows-1252, backslashes
  /// instead of slashes, and percent-encoding without a scheme, or several of these at once; people leave spaces at the ends of a line. The path of the playlist's own folder is right as it is.
  package var alternatives: [FilePath] {
    guard case .file(let path) = location else { return [] }
    let start = folder.map { $0.bytes + [UInt8(ascii: "/")] } ?? []
    let isBelow = path.bytes.starts(with: start)
    var forms = [Array(isBelow ? path.bytes.dropFirst(start.count) : path.bytes[...])]
    func add(_ other: ([UInt8]) -> [UInt8]?) { forms += forms.compactMap(other) }
    add { PlaylistText.trimmed($0) }
    add { String(validating: $0, as: UTF8.self) == nil ? Array(TagText.windows1252($0).utf8) : nil }
    add { form in
      form.contains(UInt8(ascii: "\\")) ? form.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } : nil
    }
    add { $0.contains(UInt8(ascii: "%")) ? PercentEncoding.decode($0) : nil }
    var known: Set = [path]
    // A text that was taken for a path with escapes may be the path itself.
    let asWritten = MediaLocation.scheme(of: written) == nil ? FilePath(written) : nil
    let unescaped =
      asWritten.flatMap { asWritten in folder.map(asWritten.resolved) }
      .flatMap { known.insert($0).inserted ? [$0] : nil } ?? []
    let undecoded = asBytes.flatMap { known.insert($0).inserted ? [$0] : nil } ?? []
    return unescaped + undecoded
      + forms.compactMap { form in
        // A path from the root stays one, also where its slashes were written as backslashes.
        guard let other = FilePath(form).map({ isBelow ? folder.map($0.resolved) ?? $0 : $0 })?.tidied,
          known.insert(other).inserted
        else { return nil }
        return other
      }
  }
}

extension DiscTime {
  /// The time in seconds with up to three decimals, which is precise enough to find the frame again.
  var secondsText: String { Decimals.text(milliseconds: frames * 1_000 / Self.framesPerSecond) }
}

/// Numbers of seconds as playlists write them: with a point and as many decimals as needed.
enum Decimals {
  /// A number of milliseconds, written in seconds.
  static func text(milliseconds: Int) -> String {
    let rest = milliseconds % 1_000
    if rest == 0 { return String(milliseconds / 1_000) }
    let digits = String(rest)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Parses a plain number; nil for anything else, for infinities, and for more than 1e9, which no sound lasts.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let value = Double(String(text)),
      abs(value) <= 1e9
    else { return nil }
    return value
  }

  /// A number of seconds as a duration, to the millisecond; nil if negative, which in playlists means "not known".
  static func duration(seconds: Double) -> Duration? {
    seconds < 0 ? nil : .milliseconds(Int((seconds * 1_000).rounded()))
  }

  /// The duration in milliseconds, rounded to the nearest.
  static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}

// What a playlist says of a file, put together with what the file says of itself.
extension PlaylistEntry {
  /// The tags of the part that this entry cuts out of a file: the entry's, and the file's where it says nothing. What concerns the file as one track, such
  /// as its length, its lyrics and its tempo, is not taken from it.
  package func tagsOfPart(_ file: MediaTags) -> MediaTags {
    var tags = file
    tags.title = title ?? file.title ?? track.map { "Track \($0)" }
    tags.artist = performer.map { [$0] } ?? file.artist
    // A book's title stands for its album, where it has none.
    tags.album = album ?? file.album ?? file.title
    tags.albumArtist = albumPerformer.map { [$0] } ?? file.albumArtist
    tags.genre = genre.map { [$0] } ?? file.genre
    tags.date = date ?? file.date
    (tags.track, tags.disc) = (track ?? file.track, disc ?? file.disc)
    // What counts or describes the file as one track says nothing of its parts.
    (tags.trackCount, tags.lyrics, tags.bpm) = (nil, nil, nil)
    if let part { tags.duration = part.duration(in: file.duration) }
    tags.sort = SortNames(
      artist: tags.artist == file.artist ? file.sort.artist : nil,
      album: tags.album == file.album ? file.sort.album : nil,
      albumArtist: tags.albumArtist == file.albumArtist ? file.sort.albumArtist : nil,
      composer: file.sort.composer)
    return tags
  }

  /// The tags of a whole file, completed by what this entry says where they say nothing.
  package func completing(_ file: MediaTags) -> MediaTags {
    var tags = file
    tags.title = file.title ?? title
    if file.artist.isEmpty, let performer { tags.artist = [performer] }
    tags.album = file.album ?? album
    if file.album == nil, file.albumArtist.isEmpty, let albumPerformer { tags.albumArtist = [albumPerformer] }
    if file.genre.isEmpty, let genre { tags.genre = [genre] }
    tags.date = file.date ?? date
    (tags.track, tags.disc) = (file.track ?? track, file.disc ?? disc)
    return tags
  }
}

extension FilePart {
  /// How long the part is in a file of this length; nil if that can't be told, or if the part begins behind the file's end.
  package func duration(in file: Duration?) -> Duration? {
    let start = start.duration
    let end = [end?.duration, file].compactMap { $0 }.min()
    return end.flatMap { $0 > start ? $0 - start : nil }
  }
}
