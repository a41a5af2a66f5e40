// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("Lines that are typed or pasted")
struct TypedLineTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test("a sign that joins the letter before it leaves the cursor behind that letter")
  func joinedLetters() {
    var line = LineEditor()
    line.insert("abc")
    for _ in 0..<2 { _ = line.take(KeyPress(.left)) }
    for letter in ["\u{301}", "x"] { line.insert(letter) }
    #expect(line.text == "a\u{301}xbc")
  }

  @Test("words that are being typed for a list end with a change of the screen")
  func narrowingLeft() {
    var stage = stage()
    stage.press("/")
    stage.type("foo")
    stage.send(.input(.mouse(MouseReport(action: .press, row: 0, column: 14))))
    #expect(stage.screen.tab != .queue && stage.screen.prompt == nil)
  }

  @Test("a typed command is checked before it is carried out, and remembered")
  func commands() {
    var stage = stage()
    _ = stage.takeEffects()
    stage.press(":")
    stage.type("seek +30")
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["seek", "+30"], line: "seek +30")])
    stage.press(":")
    stage.type("sek")
    stage.press("Enter")
    #expect(stage.takeEffects() == [] && stage.screen.message?.isFailure == true)
    stage.press(": Up Up Enter")
    #expect(stage.takeEffects() == [.command(["seek", "+30"], line: "seek +30")])
    stage.press(":")
    stage.type("fermata queue crop")
    stage.press("Enter")
    #expect(stage.takeEffects() == [.command(["queue", "crop"], line: "fermata queue crop")])
    stage.press(":")
    stage.type("queue cl")
    stage.press("Tab Enter")
    #expect(stage.takeEffects() == [.command(["queue", "clear"], line: "queue clear ")])
    stage.press(":")
    stage.type("quit")
    stage.press("Enter y")
    #expect(stage.takeEffects() == [.quitAgent])
  }

  @Test(
    "the agent is ended after a question only, however that is typed",
    arguments: ["quit", "fermata quit", "--json quit"])
  func quit(line: String) {
    var stage = stage()
    _ = stage.takeEffects()
    for (keys, effects) in [("Enter Esc", []), ("Enter y", [ScreenEffect.quitAgent])] {
      stage.press(":")
      stage.type(line)
      stage.press(keys)
      #expect(stage.takeEffects() == effects)
    }
  }

  @Test(
    "paths that are pasted are offered, and anything else does nothing",
    arguments: [
      ("/a/b.mp3", ["/a/b.mp3"]), ("/a b/c.mp3\n/d.mp3\n", ["/a b/c.mp3", "/d.mp3"]),
      ("'/a b/c.mp3' '/d'", ["/a b/c.mp3", "/d"]),
      (#"/a\ b/c.mp3 /d"#, ["/a b/c.mp3", "/d"]), ("file:///a%20b /c", ["file:///a%20b", "/c"]),
      ("/a/b.mp3 ", ["/a/b.mp3"]), ("file:///a%20b ", ["file:///a%20b"]), ("/a b/c.mp3 \n", ["/a b/c.mp3"]),
      ("hello", []), ("rm -rf /", []),
      ("/a\nhello", []),
    ])
  func pastes(text: String, paths: [String]) {
    #expect(PastedPaths.paths(in: text) == paths)
    var stage = stage()
    _ = stage.takeEffects()
    stage.send(.input(.paste(text)))
    stage.press("Enter")
    #expect(
      stage.takeEffects()
        == (paths.isEmpty
          ? [.jump(row: 3, entry: stage.screen.queue.chosen?.entry)]
          : [.command(["add"] + paths, line: "add")]))
  }

  private func completion(_ line: String) -> TypedLine.Completion {
    TypedLine.completion(of: line, root: ScreenStage.program, own: Screen.ownWords)
  }

  @Test(
    "a word is completed by what may stand at its place",
    arguments: [
      ("se", ["seek", "set"]), ("queue c", ["clear", "crop"]), ("fermata qu", ["quit", "queue"]),
      ("shuffle a", ["albums"]), ("quit -", ["--json"]), ("keys c", ["cmus"]), ("set t", ["title"]),
      ("set mouse o", ["on", "off"]), ("set covers ", ["auto", "blocks", "off"]), ("browse ge", ["genre"]),
      ("nothing s", []), ("seek ", []), ("keys cmus ", []), ("queue nothing c", []), ("'se", []),
      ("add --n", ["--next"]),
    ])
  func completions(line: String, words: [String]) {
    #expect(completion(line) == .words(words))
  }

  @Test("paths and playlists are completed where they may stand, whatever is in their names")
  func paths() {
    #expect(completion("add /mu") == .path("/mu"))
    #expect(completion("add --next 'a b' ~/M") == .path("~/M"))
    #expect(completion("add playlist:ro") == .list(after: "playlist:", begun: "playlist:ro"))
    var stage = stage()
    _ = stage.takeEffects()
    stage.press(":")
    stage.type("add /mu")
    stage.press("Tab")
    #expect(stage.takeEffects() == [.needPaths("/mu", line: "add /mu")])
    stage.send(.paths(["/music/", "/museum/"], line: "add /mu"))
    #expect(stage.screen.line.text == "add /mus" && stage.screen.completions.count == 2)
    stage.type("i")
    stage.send(.paths(["/mush"], line: "add /mus"))
    #expect(stage.screen.line.text == "add /musi", "the answer is for another line")
    stage.send(.paths(["/music/"], line: "add /musi"))
    #expect(stage.screen.line.text == "add /music/")
    stage.send(.paths(["/music/It's a b.flac"], line: "add /music/"))
    #expect(stage.screen.line.text == #"add /music/It\'s\ a\ b.flac "#)
    #expect(TypedLine.split(stage.screen.line.text) == ["add", "/music/It's a b.flac"])
    stage.press("Esc 4 1 :")
    stage.type("add playlist:Ro")
    stage.press("Tab")
    #expect(stage.screen.line.text == #"add playlist:Road\ trip "#)
  }

  @Test("a thousand dropped files are all added, and of far too many it is said that they are")
  func largePastes() {
    var stage = stage()
    _ = stage.takeEffects()
    let path = { (number: Int) in "/music/An artist with a name/An album with a title/\(number) A title.flac"
    }
    let drop = { (stage: inout ScreenStage, count: Int) in
      let text = (0..<count).map { "'\(path($0))'" }.joined(separator: " ")
      var decoder = TerminalInputDecoder()
      for input in decoder.decode(Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)) { stage.send(.input(input)) }
    }
    drop(&stage, 1_000)
    #expect(stage.frame().text(21).contains("add 1000 files?"))
    stage.press("y")
    #expect(stage.takeEffects() == [.command(["add"] + (0..<1_000).map(path), line: "add")])
    drop(&stage, 20_000)
    #expect(stage.frame().text(21).contains("too long"))
    #expect(stage.takeEffects() == [])
  }
}
