// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The menu and the help")
struct MenuTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test("the menu does what its keys do, and ends with it")
  func menu() {
    var stage = stage()
    stage.press("gg j o")
    #expect(stage.frame().text(1) == " Track 2")
    stage.press("Enter")
    #expect(
      stage.takeEffects().last == .jump(row: 2, entry: stage.screen.queue.chosen?.entry)
        && stage.screen.menu == nil)
    stage.press("o d")
    #expect(stage.takeEffects() == [.remove([2...2])] && stage.screen.menu == nil)
    stage.press("v j o")
    #expect(stage.frame().text(1).hasPrefix(" 2 marked"))
    #expect(stage.screen.menu?.has(.rate(5)) == false && stage.screen.menu?.has(.enter) == false)
    stage.press("Esc")
    #expect(stage.screen.menu == nil && stage.screen.queue.isMarking)
    stage.press("Esc o G Enter")
    #expect(stage.takeEffects() == [.rate([.item(MediaItem.ID(rawValue: 3))], 0)])
    stage.library = stage.queue
    stage.send(.agentFound)
    stage.send(.jobs([Job(id: JobID(rawValue: 1), title: "Scan", state: .running, done: 1, total: 2)]))
    for tab in ScreenTab.allCases where tab != .search {
      stage.press("\(tab.rawValue) o")
      #expect(stage.screen.menu != nil, "\(tab.name)")
      stage.press("Esc Esc")
    }
  }

  @Test("the menu is about the row of the screen that is seen, and offers what applies to it")
  func menuOfRow() {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    stage.press("4 j j 3")
    stage.type("zzzz")
    stage.press("Enter o")
    #expect(stage.screen.menu == nil && stage.screen.message?.text == "nothing is chosen")
    stage.press("2 o")
    #expect(stage.frame().text(1) == " Radiohead" && stage.screen.menu?.has(.append) == true)
    #expect(stage.screen.menu?.has(.rate(3)) == false && stage.screen.menu?.has(.details) == false)
    stage.press("Esc l l o")
    #expect(stage.frame().text(1) == " Track 1" && stage.screen.menu?.has(.rate(3)) == true)
  }

  @Test("a key that does not apply to the row says so", arguments: ["R3", "y"])
  func inapplicable(key: String) {
    var stage = stage()
    stage.library = [ScreenStage.track(0)]
    for tab in ["2", "4"] {
      stage.press(tab)
      _ = stage.takeEffects()
      for press in KeyPress.sequence(key) ?? [] { stage.send(.input(.key(press))) }
      #expect(stage.screen.message?.text == "this key works on tracks only" && stage.takeEffects().isEmpty)
    }
  }

  @Test("i on Lists shows what a playlist holds")
  func listContents() {
    var stage = stage()
    stage.press("4 j")
    _ = stage.takeEffects()
    stage.press("i")
    #expect(
      stage.takeEffects() == [
        .command(["playlist", "show", "--", "Road trip"], line: "playlist show Road trip")
      ])
  }

  @Test(
    "where rows can't be narrowed, / says so, and help does not offer it", arguments: ["4", "5", "6", "7"])
  func nothingToNarrow(tab: String) {
    var stage = stage()
    stage.press("\(tab) /")
    #expect(stage.screen.prompt == nil)
    #expect(stage.screen.message?.text == "there is nothing to narrow on \(stage.screen.tab.name)")
    let help = KeyTable().help(for: stage.screen.tab).map(\.summary)
    #expect(!help.contains { $0.contains("these words") })
    // The help itself can be searched there.
    stage.press("?")
    stage.type("/louder")
    #expect(stage.frame().text(2).contains("louder, quieter"))
  }

  @Test("i shows all that is known of a track, also what the list does not know")
  func details() {
    var stage = stage()
    var face = ScreenStage.track(6)
    face.item.tags.composer = ["Thom Yorke", "Jonny Greenwood"]
    (face.item.tags.genre, face.item.tags.date) = (["Rock"], MediaDate(year: 1997))
    (face.item.tags.trackCount, face.item.tags.comment) = (12, "First line\nSecond line")
    face.item.tags.lyrics = "Karma police"
    (face.item.listening.playCount, face.item.listening.skipCount) = (3, 1)
    (face.item.listening.rating, face.item.listening.lastPlayed) = (4, 1_767_225_600)
    face.notes = ["mood": "calm"]
    stage.library = [face]
    stage.press("gg 5 1 j j j j j j")
    _ = stage.screen.queue.choose(row: 6)
    stage.press("i")
    let text = (0..<24).map { stage.frame().text($0) }.joined(separator: "\n")
    for (name, value) in [
      ("title", "Track 7"), ("composer", "Thom Yorke, Jonny Greenwood"), ("genre", "Rock"), ("date", "1997"),
      ("track", "7 of 12"), ("rating", "★★★★"), ("played", "3 times"), ("skipped", "once"),
      ("last played", "2026-01-01 00:00 UTC"), ("place", "/music/7.flac"), ("note 'mood'", "calm"),
      ("comment", "First line"), ("", "Second line"), ("words", "Karma police"),
    ] {
      let line = text.split(separator: "\n").first { $0.contains(value) }
      #expect(
        line?.split(separator: " ").first.map(String.init)
          == (name.isEmpty ? "Second" : String(name.split(separator: " ")[0])), "\(name) in:\n\(text)")
    }
    // An answer about another track changes nothing.
    stage.send(.details(ScreenStage.track(1), of: TrackRow(ScreenStage.track(1)).rated))
    #expect(stage.frame().text(2).contains("Track 7"))
  }

  @Test("every entry of a menu has a key that does the same on that screen, whatever the scheme")
  func menuKeys() {
    for scheme in KeyTable.Scheme.allCases {
      let keys = KeyTable(scheme)
      for tab in ScreenTab.allCases {
        for entry in Menu("", on: tab, isTrack: true, keys)?.entries ?? [] {
          let presses = KeyPress.sequence(entry.key) ?? []
          #expect(
            keys.meaning(of: presses, on: tab) == .action(entry.action), "\(scheme) \(tab) \(entry.key)")
        }
      }
    }
  }

  @Test("in a narrow window the title of the help is cut before the number of further lines")
  func narrowHelp() {
    var stage = ScreenStage(40, 15, rows: 3)
    stage.open()
    stage.press("?")
    let text = stage.frame().text(1)
    #expect(text.hasPrefix(" Keys on Queue") && text.contains("… "), "\(text)")
    #expect(text.hasSuffix(" more below"), "\(text)")
  }

  @Test("the help of a screen tells a key once, with what it does there")
  func helpOfScreen() {
    let pads = KeyTable().help(for: .pads)
    #expect(pads.contains { $0.keys == "1 2 3 4 5 6 7 8 9" && $0.summary == "strike the pad" })
    #expect(!pads.contains { $0.summary == "show a screen" })
    for scheme in KeyTable.Scheme.allCases {
      for tab in ScreenTab.allCases {
        let keys = KeyTable(scheme).help(for: tab).flatMap { $0.keys.split(separator: " ") }
        #expect(Set(keys).count == keys.count, "\(scheme) \(tab.name)")
      }
    }
    let cmus = KeyTable(.cmus).help(for: .queue)
    #expect(cmus.contains { $0.keys == "v" && $0.summary == "stop" })
    #expect(!cmus.contains { $0.summary == "mark a range of rows" })
  }
}
