// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryQuery
import MediaModel

/// What a predicate means, said once more and as simply as possible, for an item as the library gives it back.
struct NaiveFilter {
  let time: QueryTime

  func meets(_ item: LibraryItem, _ predicate: Predicate) -> Bool {
    switch predicate {
    case .test(let test): meets(item, test)
    case .not(let inner): !meets(item, inner)
    case .all(let parts): parts.allSatisfy { meets(item, $0) }
    case .any(let parts): parts.contains { meets(item, $0) }
    }
  }

  private func meets(_ item: LibraryItem, _ test: PropertyTest) -> Bool {
    let tags = item.item.tags
    switch test.property {
    case .title: return text([item.item.displayTitle], test)
    case .artist: return text(tags.artist, test)
    case .album: return text(tags.album.map { [$0] } ?? [], test)
    case .albumArtist: return text(tags.albumArtist, test)
    case .composer: return text(tags.composer, test)
    case .genre: return text(tags.genre, test)
    case .comment: return text(tags.comment.map { [$0] } ?? [], test)
    case .podcast: return text(item.podcast.map { [$0] } ?? [], test)
    case .url:
      let uri = item.item.location.uri
      let plain = String(decoding: PercentEncoding.decode(uri.utf8) ?? [], as: UTF8.self)
      return text([uri], test) || isPlain(test) && text([plain], test)
    case .mediaType: return text([tags.mediaType.rawValue], test)
    case .duration:
      return number(tags.duration.map { Double(Int64($0 / .microseconds(1))) }, test, scale: 1_000_000)
    case .compilation: return tags.isCompilation
    case .cloud: return false
    case .date: return moment(tags.date.map { TimeSpan($0).begin }, test, isMoment: false)
    case .added: return moment(item.added, test, isMoment: true)
    case .lastPlayed: return moment(item.item.listening.lastPlayed, test, isMoment: true)
    default: return number(value(item, test.property), test, scale: 1)
    }
  }

  /// Whether a test of a URI has what no URI has.
  private func isPlain(_ test: PropertyTest) -> Bool {
    switch test.comparison {
    case .contains(let text), .begins(let text): return hasPlain(text)
    case .isAmong(let choices):
      return choices.contains { if case .one(.text(let text)) = $0 { hasPlain(text) } else { false } }
    default: return false
    }
  }

  private func hasPlain(_ text: String) -> Bool {
    PercentEncoding.decode(text.utf8) == nil
      || text.unicodeScalars.contains { $0 == " " || $0 == "\"" || $0 == "\\" || !$0.isASCII }
  }

  private func value(_ item: LibraryItem, _ property: ItemProperty) -> Double? {
    let (tags, listening) = (item.item.tags, item.item.listening)
    let whole: Int64? =
      switch property {
      case .id: item.item.id?.rawValue
      case .track: tags.track.map(Int64.init)
      case .trackCount: tags.trackCount.map(Int64.init)
      case .disc: tags.disc.map(Int64.init)
      case .discCount: tags.discCount.map(Int64.init)
      case .year: tags.date.map { Int64($0.year) }
      case .rating: Int64(listening.rating)
      case .playCount: Int64(listening.playCount)
      case .skipCount: Int64(listening.skipCount)
      case .albumID: item.names.album
      case .podcastID: item.names.podcast
      default: nil
      }
    return property == .bpm ? tags.bpm : whole.map(Double.init)
  }

  private func text(_ texts: [String], _ test: PropertyTest) -> Bool {
    texts.contains { text in
      let folded = TextFolding.fold(text)
      switch test.comparison {
      case .equals(.text(let other)): return Array(text.utf8) == Array(other.utf8)
      case .contains(let other): return Self.contains(folded, TextFolding.fold(other))
      case .begins(let other): return Array(folded.utf8).starts(with: TextFolding.bytes(other))
      case .isAmong(let choices):
        return choices.contains { $0 == .one(.text(text)) || Self.isEqual($0, folded) }
      default: return false
      }
    }
  }

  static func contains(_ text: String, _ other: String) -> Bool {
    let (bytes, needle) = (Array(text.utf8), Array(other.utf8))
    return needle.count <= bytes.count
      && (0...(bytes.count - needle.count)).contains { bytes[$0...].starts(with: needle) }
  }

  private static func isEqual(_ choice: PropertyTest.Choice, _ folded: String) -> Bool {
    guard case .one(.text(let text)) = choice else { return false }
    return TextFolding.fold(text) == folded
  }

  private func number(_ value: Double?, _ test: PropertyTest, scale: Double) -> Bool {
    func number(_ operand: PropertyTest.Operand) -> Double {
      if case .number(let number) = operand { number * scale } else { .nan }
    }
    guard let value else { return false }
    switch test.comparison {
    case .equals(let other): return value == number(other)
    case .less(let other): return value < number(other)
    case .lessOrEqual(let other): return value <= number(other)
    case .greater(let other): return value > number(other)
    case .greaterOrEqual(let other): return value >= number(other)
    case .isAmong(let choices):
      return choices.contains { choice in
        switch choice {
        case .one(let other): value == number(other)
        case .range(let low, let high): number(low) <= value && value <= number(high)
        }
      }
    default: return false
    }
  }

  private func moment(_ value: Int64?, _ test: PropertyTest, isMoment: Bool) -> Bool {
    func span(_ operand: PropertyTest.Operand) -> TimeSpan? {
      TimeSpan(operand, isMoment: isMoment, at: time)
    }
    guard let value else { return false }
    switch test.comparison {
    case .equals(let other): return span(other).map { $0.begin <= value && value < $0.end } ?? false
    case .less(let other): return span(other).map { value < $0.begin } ?? false
    case .lessOrEqual(let other): return span(other).map { value < $0.end } ?? false
    case .greater(let other): return span(other).map { value >= $0.end } ?? false
    case .greaterOrEqual(let other): return span(other).map { value >= $0.begin } ?? false
    case .isAmong(let choices):
      return choices.contains { choice in
        switch choice {
        case .one(let other): span(other).map { $0.begin <= value && value < $0.end } ?? false
        case .range(let low, let high):
          (span(low).map { $0.begin <= value } ?? false) && (span(high).map { value < $0.end } ?? false)
        }
      }
    default: return false
    }
  }
}

/// Files by chance, with the words that random predicates ask for.
struct RandomFiles {
  private var predicate: RandomPredicate

  init(seed: UInt64) { predicate = RandomPredicate(seed: seed) }

  mutating func below(_ number: Int) -> Int { Int.random(in: 0..<number, using: &predicate.generator) }
  mutating func chance(_ percent: Int) -> Bool { predicate.generator.chance(percent) }
  mutating func word() -> String { predicate.word() }
  mutating func words() -> [String] { (0..<[0, 1, 1, 1, 2, 3][below(6)]).map { _ in word() } }

  mutating func tags() -> MediaTags {
    var tags = MediaTags()
    if chance(80) { tags.title = word() + ["", " 2", " x"][below(3)] }
    (tags.artist, tags.composer, tags.genre) = (words(), words(), words())
    if chance(70) { tags.album = word() }
    if chance(50) { tags.albumArtist = words() }
    if chance(70) { tags.duration = .milliseconds(below(40) * 500) }
    if chance(70) { (tags.track, tags.trackCount) = (1 + below(12), 12) }
    if chance(40) { (tags.disc, tags.discCount) = (1 + below(3), 3) }
    if chance(60) { tags.date = predicate.date() }
    if chance(40) { tags.bpm = Double(below(24)) / 2 }
    if chance(40) { tags.comment = word() }
    tags.isCompilation = chance(20)
    tags.mediaType = [.music, .music, .podcast, .audiobook][below(4)]
    return tags
  }
}
