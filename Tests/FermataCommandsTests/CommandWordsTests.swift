// SPDX-License-Identifier: MIT
@testable import FermataCommands
import MediaModel
import Testing

@Suite("The words that the program was called with")
struct CommandWordsTests {
  @Test("are as they were typed, and a file's name that is no text keeps its bytes")
  func words() throws {
    #expect(CommandWords.word(Array("--json".utf8), in: "/music") == "--json")
    #expect(CommandWords.word(Array("Björk".utf8), in: "/music") == "Björk")
    #expect(CommandWords.word([], in: "/music") == "")
    let latin = Array("Bj".utf8) + [0xF6] + Array("rk.mp3".utf8)
    #expect(CommandWords.word(latin, in: "/music") == "file:///music/Bj%F6rk.mp3")
    #expect(CommandWords.word(Array("/a/".utf8) + latin, in: nil) == "file:///a/Bj%F6rk.mp3")
    #expect(CommandWords.word(latin, in: nil) == "Bj\u{FFFD}rk.mp3")
    let option = Array("--output=".utf8) + latin
    #expect(CommandWords.word(option, in: "/music") == "--output=file:///music/Bj%F6rk.mp3")
  }
}
