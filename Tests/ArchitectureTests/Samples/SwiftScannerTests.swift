// SPDX-License-Identifier: MIT
import Testing

@Suite("Reading Swift")
struct SwiftScannerTests {
  private func words(_ text: String) -> [String] { SwiftScanner(text).tokens.map(\.text) }

  @Test("strings come whole, and what is interpolated is code")
  func strings() {
    #expect(words(#"a "b" c"#) == ["a", "b", "c"])
    #expect(words(#""a\(b(")"))c" d"#) == ["b", "(", ")", ")", "ac", "d"])
    #expect(words(##"#"a"\(b)"# c"##) == [#"a"\(b)"#, "c"])
    #expect(words("\"\"\"\na \"b\"\n\"\"\" c") == ["\na \"b\"\n", "c"])
  }

  @Test("comments nest, and keep their lines")
  func comments() {
    let scanner = SwiftScanner("/* a /* b */ c\n */ d // e\nf")
    #expect(scanner.tokens.map(\.text) == ["d", "f"])
    #expect(scanner.tokens.map(\.line) == [2, 3])
    #expect(scanner.comments.keys.sorted() == [1, 2])
  }

  @Test(
    "text cut off anywhere is read to its end",
    arguments: ["/* a", "\"a", "#\"a\"", "\"\\(a", "\"\\", "\"\"\"a", "//", "#"])
  func cutOff(text: String) {
    #expect(SwiftScanner(text).tokens.count <= 2)
  }
}
