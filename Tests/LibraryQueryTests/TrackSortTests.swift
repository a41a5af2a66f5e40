// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryQuery
import MediaModel
import Testing

@Suite("The order of tracks")
struct TrackSortTests {
  /// A track by a few words, as `title|artist|album|disc.track|date|seconds`; what is missing is not known.
  private func tags(_ words: String) -> MediaTags {
    var tags = MediaTags()
    let parts =
      words.split(separator: "|", omittingEmptySubsequences: false).map(String.init) + [
        "", "", "", "", "", "",
      ]
    tags.title = parts[0].isEmpty ? nil : parts[0]
    tags.artist = parts[1].isEmpty ? [] : [parts[1]]
    tags.album = parts[2].isEmpty ? nil : parts[2]
    let numbers = parts[3].split(separator: ".").compactMap { Int($0) }
    tags.disc = numbers.count == 2 ? numbers[0] : nil
    tags.track = numbers.last
    tags.date = MediaDate(text: parts[4])
    tags.duration = Int64(parts[5]).map { .seconds($0) }
    return tags
  }

  /// The titles in the order that these keys ask for.
  private func sorted(_ tracks: [String], by keys: String) throws -> String {
    let sort = try TrackSort(keys.split(separator: " ").map(String.init))
    let paths = tracks.indices.map { "/m/\($0).mp3" }
    let keys = try zip(tracks, paths).map { words, path in
      let path = try #require(FilePath(path))
      return sort.key(of: TrackFacts(path, tags(words)), at: path.bytes)
    }
    return TrackSort.order(keys).map { String(tracks[$0].prefix { $0 != "|" }) }.joined(separator: " ")
  }

  @Test(
    "tracks stand as people expect",
    arguments: [
      // Numbers by their size; case, accents and articles do not count.
      ("title", ["10 b", "9 a", "The Aa", "äb", "Ac"], "9 a 10 b The Aa äb Ac"),
      ("-title", ["a", "c", "b"], "c b a"),
      // An artist's albums stand together, by their tracks.
      ("artist", ["d|B|X|1", "c|The A|Y|2", "b|The A|Y|1", "a|The A|X|1"], "a b c d"),
      ("album", ["b|A|X|2.1", "c|A|Y|1.1", "a|A|X|1.2", "d|B|X|1.1"], "a b c d"),
      // Two albums of one title are two.
      ("album", ["a|A|Hits|2", "b|B|Hits|1", "c|A|Hits|1"], "c a b"),
      // An album turned round is still heard from its first track on.
      ("-album", ["a|A|X|1", "b|A|X|2", "c|A|Y|1"], "c a b"),
      ("-year", ["a|A|X|2|1999", "b|A|X|1|1999", "c|A|Y|1|2004"], "c b a"),
      ("date", ["a||||1999-05", "b||||1999-02-03", "c||||1998"], "c b a"),
      ("artist -date title", ["a|A|||1990", "b|A|||2000", "c|A|||2000", "d|B|||2010"], "b c a d"),
      // A disc without a number is the first.
      ("track", ["a|||2.1", "b|||2", "c|||1.1"], "c b a"),
      ("duration", ["a|||||200", "b|||||30", "c"], "b a c"),
      ("-duration", ["c", "b|||||30", "a|||||200"], "a b c"),
      // What is not known stands last, whichever way round; what differs in nothing stays as it stood.
      ("artist", ["x", "b|B", "y", "a|A"], "a b x y"), ("-artist", ["x", "b|B", "y", "a|A"], "b a x y"),
      ("genre", ["c", "a", "b"], "c a b"), ("path", ["a", "b", "c"], "a b c"),
      ("-path", ["a", "b", "c"], "c b a"), ("", ["b|B|X|1", "a|A|Z|1"], "a b"),
      ("artist,-year", ["a|A|||1990", "b|A|||2000"], "b a"),
    ])
  func table(keys: String, tracks: [String], expected: String) throws {
    #expect(try sorted(tracks, by: keys) == expected)
  }

  @Test("a compilation stands behind the albums of one artist, and its tracks together")
  func compilation() throws {
    let sort = try TrackSort(["album"])
    var keys: [[UInt8]] = []
    for (artist, track) in [("Z", 2), ("A", 1)] {
      var tags = tags("|\(artist)|Hits|\(track)")
      tags.isCompilation = true
      keys.append(sort.key(of: TrackFacts("/a", tags), at: []))
    }
    keys.append(sort.key(of: TrackFacts("/a", tags("|Y|Own|1")), at: []))
    #expect(TrackSort.order(keys) == [2, 1, 0])
  }

  @Test("what the listener said comes from the library; the unread stand last, by their paths")
  func ratings() throws {
    let sort = try TrackSort(["-rating"])
    var facts = [TrackFacts(), TrackFacts(), TrackFacts()]
    (facts[1].rating, facts[2].rating) = (3, 5)
    let keys =
      [sort.key(ofUnread: Array("/a/10".utf8)), sort.key(ofUnread: Array("/a/9".utf8))]
      + facts.map { sort.key(of: $0, at: []) }
    #expect(TrackSort.order(keys) == [4, 3, 2, 1, 0])
  }

  @Test(
    "the words of other players are understood, and the others refused with a guess",
    arguments: [
      ("length", "duration"), ("filename", "path"), ("tracknumber", "track"), ("albumartist", "albumArtist"),
      ("-Title", "-title"), ("url", "path"), ("artist,-year", "artist, -year"), ("", "album"),
    ])
  func words(word: String, meaning: String) throws {
    #expect(try TrackSort([word]).description == meaning)
    #expect(try TrackSort(try TrackSort([word]).wordsOfKeys).description == meaning)
  }

  @Test(
    "errors say what was perhaps meant",
    arguments: [
      ("artits", "did you mean 'artist'?"), ("random", "fermata shuffle --now"),
      ("lyrics", "allowed are title"),
      ("--", "allowed are"), ("-", "allowed are"), (String(repeating: "title,", count: 9), "more than 8"),
    ])
  func refusals(word: String, text: String) {
    let error = #expect(throws: PredicateError.self) { try TrackSort([word]) }
    #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
  }

  @Test("keys of paths are in the order of names")
  func paths() throws {
    var chance = SeededGenerator(seed: 3)
    let alphabet = Array("/aAb019.-é ")
    for _ in 0..<4_000 {
      let names = (0..<2).map { _ in
        String(
          (0..<Int.random(in: 0...8, using: &chance)).map { _ in alphabet.randomElement(using: &chance) ?? "a"
          })
      }
      let keys = names.map { NaturalOrder.key(Array($0.utf8)) }
      if keys[0].lexicographicallyPrecedes(keys[1]) {
        #expect(NaturalOrder.precedes(names[0], names[1]), "\(names)")
      }
    }
  }

  @Test("any texts and numbers give keys in the order of these, and a track's own order is total")
  func keys() throws {
    var chance = SeededGenerator(seed: 4)
    let sort = try TrackSort(["artist", "-title", "-track", "genre"])
    func text() -> [UInt8]? {
      if Int.random(in: 0..<5, using: &chance) == 0 { return nil }
      return (0..<Int.random(in: 0...3, using: &chance)).map { _ in
        [0, 1, 97, 255].randomElement(using: &chance) ?? 0
      }
    }
    func precedes<Value>(_ a: Value?, _ b: Value?, _ less: (Value, Value) -> Bool) -> Bool? {
      guard let a, let b else { return a == nil && b == nil ? nil : b == nil }
      return less(a, b) ? true : less(b, a) ? false : nil
    }
    for _ in 0..<4_000 {
      let tracks = (0..<2).map { _ in
        var facts = TrackFacts()
        (facts.artist, facts.title, facts.genre) = (text(), text(), text())
        facts.track = Bool.random(using: &chance) ? nil : Int64.random(in: -2...2, using: &chance)
        return facts
      }
      let (a, b) = (tracks[0], tracks[1])
      let expected =
        precedes(a.artist, b.artist) { $0.lexicographicallyPrecedes($1) }
        ?? precedes(a.title, b.title) { $1.lexicographicallyPrecedes($0) }
        ?? precedes(a.track, b.track) { $1 < $0 }
        ?? precedes(a.genre, b.genre) { $0.lexicographicallyPrecedes($1) }
      let keys = tracks.map { sort.key(of: $0, at: []) }
      #expect(keys[0].lexicographicallyPrecedes(keys[1]) == (expected ?? false), "\(tracks)")
    }
  }
}
