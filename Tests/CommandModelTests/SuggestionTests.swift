// SPDX-License-Identifier: MIT
import CommandModel
import Testing

@Suite("Did you mean")
struct SuggestionTests {
  @Test(
    "the distance counts what was put in, left out, changed or swapped",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1),
      ("abc", "abcd", 1), ("abc", "axc", 1), ("ca", "abc", 3), ("kitten", "sitting", 3), ("é", "e\u{301}", 0),
    ])
  func distance(first: String, second: String, expected: Int) {
    #expect(Suggestion.distance(first, second) == expected)
    #expect(Suggestion.distance(second, first) == expected)
  }

  @Test(
    "a near word is found and a far one is not",
    arguments: [
      ("statsu", "status"), ("STATUS", "status"), ("sta", "status"), ("ply", "play"), ("plya", "play"),
      ("previuos", "previous"), ("x", nil), ("zzz", nil), ("", nil), ("pl", "play"), ("banana", nil),
      (String(repeating: "status", count: 1000), nil),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    #expect(Suggestion.nearest(to: word, among: ["play", "status", "stop", "previous", "up"]) == expected)
  }

  @Test("a beginning that several words share is not completed")
  func ambiguous() {
    #expect(Suggestion.nearest(to: "pla", among: ["playlist", "playback"]) == nil)
  }
}
