// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// All that is known of a track, as lines for the pager.
enum Details {
  /// The lines about a track of a list. What the list does not know of it comes from `face`.
  static func lines(_ track: TrackRow, _ face: ItemFace?) -> [(left: String, right: String)] {
    var lines: [(String, String?)] = [
      ("title", track.title), ("artist", track.artist), ("album", track.album),
    ]
    if let face { lines += tags(face) }
    lines.append(("length", track.duration.map(ClockText.text)))
    if let face {
      lines += listening(face)
    } else {
      lines += [("track", track.track.map(String.init)), ("rating", stars(track.rating))]
    }
    lines += [("trouble", track.trouble), ("place", track.place)]
    lines.append(("number", (face?.item.id ?? track.item).map { "\($0.rawValue)" }))
    if let face { lines += texts(face) }
    return lines.compactMap { left, right in
      right.flatMap { $0.isEmpty ? nil : (left: left, right: $0) }
    }
  }

  private static func tags(_ face: ItemFace) -> [(String, String?)] {
    let tags = face.item.tags
    return [
      ("album artist", tags.albumArtist.joined(separator: ", ")),
      ("composer", tags.composer.joined(separator: ", ")), ("genre", tags.genre.joined(separator: ", ")),
      ("date", tags.date?.description), ("track", number(tags.track, of: tags.trackCount)),
      ("disc", number(tags.disc, of: tags.discCount)), ("tempo", tags.bpm.map { "\($0) beats a minute" }),
      ("compilation", tags.isCompilation ? "yes" : nil), ("podcast", face.podcast),
      ("kind", tags.mediaType == .music ? nil : tags.mediaType.rawValue),
    ]
  }

  private static func listening(_ face: ItemFace) -> [(String, String?)] {
    let record = face.item.listening
    return [
      ("rating", stars(record.rating)), ("played", times(record.playCount)),
      ("skipped", times(record.skipCount)), ("last played", record.lastPlayed.flatMap(moment)),
    ]
  }

  /// The texts, which may have several lines: notes, the comment and the words.
  private static func texts(_ face: ItemFace) -> [(String, String?)] {
    let tags = face.item.tags
    let notes = face.notes.sorted { $0.key < $1.key }.map { ("note '\($0.key)'", $0.value) }
    let texts = notes + [("comment", tags.comment ?? ""), ("words", tags.lyrics ?? "")]
    return texts.flatMap { name, text in
      text.split(whereSeparator: \.isNewline).enumerated().map {
        ($0.offset == 0 ? name : "", String($0.element))
      }
    }
  }

  private static func number(_ number: Int?, of count: Int?) -> String? {
    number.map { number in count.map { "\(number) of \($0)" } ?? "\(number)" }
  }

  private static func stars(_ rating: Int) -> String { String(repeating: "★", count: rating) }

  private static func times(_ count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "once" : "\(count) times"
  }

  /// The minute of a moment, such as `2026-01-31 17:05 UTC`.
  private static func moment(_ seconds: Int64) -> String? {
    MomentText.text(seconds).map { String($0.prefix(16).map { $0 == "T" ? " " : $0 }) + " UTC" }
  }
}
