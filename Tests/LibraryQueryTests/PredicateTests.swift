// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryQuery
import MediaModel
import Testing

@Suite("The text form of predicates")
struct PredicateTests {
  private func test(_ property: ItemProperty, _ comparison: PropertyTest.Comparison) throws -> Predicate {
    .test(try PropertyTest(property, comparison))
  }

  @Test("the contract's own example is read as it is meant")
  func example() throws {
    let text = #"""
      artist == "X" and (album contains "y" or genre in ["Rock", "Folk"]) and year in 1990..1999 and not compilation \#
      and rating >= 4 and added > -30d
      """#
    let expected = Predicate.all([
      try test(.artist, .equals(.text("X"))),
      .any([
        try test(.album, .contains("y")),
        try test(.genre, .isAmong([.one(.text("Rock")), .one(.text("Folk"))])),
      ]),
      try test(.year, .isAmong([.range(.number(1990), .number(1999))])),
      .not(try test(.compilation, .isTrue)),
      try test(.rating, .greaterOrEqual(.number(4))),
      try test(.added, .greater(.ago(30 * 86_400))),
    ])
    #expect(try Predicate(text) == expected)
    #expect(expected.description == text)
  }

  @Test(
    "what is written in several ways is printed in one",
    arguments: [
      ("((title==\"a\"))", "title == \"a\""), ("NOT cloud", "not cloud"), ("cloud == false", "not cloud"),
      ("cloud != true", "not cloud"), ("not artist == \"a\"", "artist != \"a\""),
      ("year in [1990..1999]", "year in 1990..1999"),
      ("(year > 1 and year < 3) and cloud", "(year > 1 and year < 3) and cloud"),
      ("year > 1 or (year < 3 and cloud)", "year > 1 or year < 3 and cloud"),
      ("not (cloud or compilation)", "not (cloud or compilation)"), ("duration > 1h20m", "duration > 4800"),
      ("duration < 90s", "duration < 90"), ("added > -4w", "added > -28d"), ("added > -1y", "added > -365d"),
      ("added > -36h", "added > -36h"), ("date == 1997", "date == \"1997\""),
      ("date >= 1997-05", "date >= 1997-05"),
      ("date in 1997-05-01..1997-05-31", "date in 1997-05-01..1997-05-31"), ("genre in []", "genre in []"),
      (#"title == "a \"b\" \\ c""#, #"title == "a \"b\" \\ c""#), ("bpm == 120.5", "bpm == 120.5"),
      ("albumID in [1, 2]", "albumID in [1, 2]"), ("mediaType == \"podcast\"", "mediaType == \"podcast\""),
      ("lastPlayed < 2024-12-31", "lastPlayed < 2024-12-31"),
      ("added > \"2026-07-02T20:00\"", "added > \"2026-07-02T20:00:00\""),
      ("added > \"2026-07-02 20:00Z\"", "added > \"2026-07-02T20:00:00Z\""),
      ("added > \"2026-07-02T20:00+02:00\"", "added > \"2026-07-02T20:00:00+02:00\""),
      ("added < +1d", "added < +1d"),
    ])
  func forms(written: String, printed: String) throws {
    let predicate = try Predicate(written)
    #expect(predicate.description == printed)
    #expect(try Predicate(printed) == predicate)
  }

  @Test(
    "an error points at the character and says what to write",
    arguments: [
      ("", 0, "nothing is asked"), ("titel == \"X\"", 0, "did you mean 'title'?"),
      ("artst == \"X\"", 0, "did you mean 'artist'?"),
      ("plays > 3", 0, "did you mean 'playCount'?"),
      ("lyrics contains \"x\"", 0, "can't filter by lyrics"), ("artUrl == \"x\"", 0, "allowed are id, title"),
      ("artist = \"X\"", 7, "write =="), ("artist == X", 10, "as \"X\""), ("artist == \"X", 10, "has no end"),
      ("artist > \"X\"", 7, "it takes == != contains begins in"),
      ("year contains \"9\"", 5, "it takes == != < <="),
      ("year == \"x\"", 8, "a number, such as 3"), ("year in 1999..1990", 8, "turn it round"),
      ("added in -1d..-30d", 9, "turn it round"), ("date in 2000..1990", 8, "turn it round"),
      ("year == 3 and", 13, "a property's name"), ("year == 3 cloud", 10, "and, or or the end"),
      ("(year == 3", 0, "never closed"), ("added > 30d", 8, "write -30d"),
      ("added > -3x", 10, "there are s, m"),
      ("date == 1997-02-30", 8, "no calendar"), ("date == \"1997-02-30\"", 8, "a date, such as 1997"),
      ("added > \"2026-3-1\"", 8, "a moment, such as -30d"), ("added > \"05/06/2026\"", 8, "a moment"),
      ("date == \"1997x\"", 8, "a date"), ("mediaType == \"film\"", 13, "\"podcast\""),
      ("cloud > 1", 6, "no operator"),
      ("artist == “X”", 10, "plain double quotes"), ("genre in [\"a\" \"b\"]", 14, "a comma or ]"),
      ("year == 3 && cloud", 10, "write and"), ("artist in \"a\"..\"b\"", 10, "no ranges"),
      ("id == 0", 6, "as --ids prints it"), ("title contains 1984", 15, "double quotes"),
      ("album begins 1989", 13, "double quotes"), ("not title contains 24h", 19, "double quotes"),
    ])
  func errors(text: String, offset: Int, words: String) throws {
    let error = #expect(throws: PredicateError.self) { _ = try Predicate(text) }
    let found = try #require(error)
    let isSaid = "\(found.message)".utf8.count >= words.utf8.count && found.message.contains(words)
    #expect(found.offset == offset && isSaid, "\(found.message) at \(found.offset)")
    #expect(found.text == text)
  }

  @Test("an error points at a character, not at a byte")
  func column() throws {
    let error = try #require(throws: PredicateError.self) {
      _ = try Predicate("title == \"жук\" and artst == 1")
    }
    #expect(error.column == 19 && error.description.hasSuffix("(at character 20)"))
  }

  @Test("an expression that nests too deep or is too long is refused, and not followed until the stack ends")
  func limits() {
    for text in [
      String(repeating: "(", count: 60_000), String(repeating: "not ", count: 16_000) + "cloud",
      String(repeating: "cloud or ", count: 7_000) + "cloud", String(repeating: "x", count: 70_000),
      "year in [" + String(repeating: "1,", count: 30_000) + "1]",
    ] {
      #expect(throws: PredicateError.self) { _ = try Predicate(text) }
    }
  }

  @Test("whether a property can be filtered by is asked of it, and the refusal names those that can")
  func refusals() throws {
    for property in ItemProperty.allCases where !property.canFilter {
      let error = #expect(throws: PredicateError.self) { _ = try Predicate("\(property.rawValue) == 1") }
      #expect(error?.message.contains("allowed are id, title, artist") == true)
    }
  }

  @Test("random predicates are printed and read back the same")
  func roundTrip() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = RandomPredicate(seed: seed)
    for _ in 0..<5_000 {
      let predicate = random.predicate()
      let text = predicate.description
      let back = try? Predicate(text)
      #expect(back == predicate, "seed \(seed): \(text)")
      if back != predicate { return }
    }
  }

  @Test("10,000 mutated expressions are read or refused, and an error points into the text")
  func mutations() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = RandomPredicate(seed: seed)
    var refused = 0
    for _ in 0..<10_000 {
      let text = random.mutated(random.predicate().description)
      do {
        let predicate = try Predicate(text)
        #expect((try? Predicate(predicate.description)) == predicate, "seed \(seed): \(text)")
      } catch {
        refused += 1
        #expect(error.offset <= text.utf8.count && error.column <= text.count, "seed \(seed): \(text)")
      }
    }
    #expect(refused > 1_000)
  }
}
