// SPDX-License-Identifier: MIT
import FaceModel
import FermataTestKit
import JobLogic
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

/// Frames that a person has looked at. To take over what the screen shows now, run these with `FERMATA_REWRITE_GOLDEN=1`.
@Suite("The screen's frames")
struct GoldenFrameTests {
  private static let sizes = [(40, 8), (80, 24), (120, 40), (200, 60)]

  private static func records() -> [ItemFace] {
    let titles = [
      "Airbag", "Paranoid Android", "Subterranean Homesick Alien", "Exit Music (For a Film)", "Let Down",
      "Karma Police",
      "Fitter Happier", "Electioneering", "Climbing Up the Walls", "No Surprises", "Lucky", "The Tourist",
    ]
    let lengths = [284, 383, 267, 264, 299, 261, 117, 230, 285, 228, 259, 324]
    var rows = zip(titles, lengths).enumerated().map {
      ScreenStage.track($0.offset, $0.element.0, seconds: $0.element.1)
    }
    rows.append(ScreenStage.track(12, "戦場のメリークリスマス", "坂本龍一", "Merry Christmas Mr. Lawrence", seconds: 275))
    rows.append(ScreenStage.track(13, "Jóga ❤\u{FE0F}", "Björk", "Homogenic", seconds: 305))
    rows.append(
      ScreenStage.track(14, "\u{1B}[2J\u{1B}]0;pwned\u{7}", "👩‍👩‍👧", "Z\u{335}\u{336}\u{337}algo", seconds: 61))
    var lost = ScreenStage.track(15, "Gone", "Nobody", "Nowhere", seconds: 200)
    lost.isMissing = true
    return rows + [lost]
  }

  static func stage(
    _ size: (Int, Int), rows: Int = .max, traits: TerminalTraits = TerminalTraits()
  ) -> ScreenStage {
    var stage = ScreenStage(size.0, size.1, traits: traits)
    stage.queue = Array(records().prefix(rows))
    stage.library = stage.queue
    stage.set(.playing, row: 2)
    stage.open()
    return stage
  }

  private func expect(
    _ name: String, traits: TerminalTraits = TerminalTraits(), _ change: (inout ScreenStage) -> Void
  ) {
    for size in Self.sizes {
      var stage = Self.stage(size, traits: traits)
      change(&stage)
      Golden.expect(stage.picture(), is: "\(name)-\(size.0)x\(size.1).txt")
    }
  }

  @Test("the queue") func queue() { expect("queue") { _ in } }

  @Test("the queue, while a letter is waited for that sorts it")
  func sorting() { expect("queue-sorting") { $0.press("s") } }

  @Test("the queue with marked rows, paused because the headphones went")
  func paused() {
    expect("queue-paused", Self.pause)
  }

  static func pause(_ stage: inout ScreenStage) {
    stage.press("j v j j")
    stage.status.lostRoute = RouteFace.headphones
    stage.status.repeatMode = .all
    stage.set(.paused, why: "route", row: 2)
    stage.status.route?.isPrivate = false
    stage.status.route?.portType = "speaker"
    stage.status.route?.portDescription = "Speakers"
    stage.send(.status(stage.status))
  }

  @Test("the queue narrowed as words are typed")
  func narrowed() {
    expect("queue-narrowed") { stage in
      stage.press("/")
      stage.type("al")
    }
  }

  @Test("a command that is typed and completed")
  func command() {
    expect("command") { stage in
      stage.press(":")
      stage.type("queue c")
      stage.press("Tab")
    }
  }

  @Test("nothing there at all")
  func empty() {
    expect("empty") { stage in
      (stage.queue, stage.library) = ([], [])
      stage.set(.stopped, row: nil)
      stage.send(.agentFound)
    }
  }

  @Test("the library in columns") func library() { expect("library") { $0.press("2 l l") } }

  @Test("search as you type")
  func search() {
    expect("search") { stage in
      stage.press("3")
      stage.type("par")
    }
  }

  @Test("the playlists") func lists() { expect("lists") { $0.press("4 j") } }

  @Test("albums and playlists below the tracks that are found, one of them chosen")
  func searchAlbums() {
    expect("search-albums") { stage in
      stage.press("3")
      stage.type("ra")
      stage.press("Enter G k")
    }
  }

  @Test("what plays") func now() { expect("now") { $0.press("5") } }

  @Test("the cover beside the queue, where there is room")
  func queueCover() { expect("queue-cover", traits: TerminalTraits(colours: .full)) { _ in } }

  @Test("the cover beside what is known of it")
  func nowCover() { expect("now-cover", traits: TerminalTraits(colours: .full)) { $0.press("5") } }

  @Test("the cover beside the words")
  func lyricsCover() { expect("lyrics-cover", traits: TerminalTraits(colours: .full), Self.sing) }

  @Test("what plays, with its words as they are sung")
  func lyrics() {
    expect("lyrics", Self.sing)
  }

  static func sing(_ stage: inout ScreenStage) {
    let lines = (0..<40).map { "[\($0 / 6 + 1):\($0 % 6)0.50] Line \($0 + 1) of what is sung here" }
    stage.queue[1].item.tags.lyrics = "[ar:Somebody]\n" + lines.joined(separator: "\n")
    stage.set(.playing, row: 2)
    stage.press("5 L")
  }

  @Test("what can be done with a row") func menu() { expect("menu") { $0.press("o j j") } }

  @Test("the jobs")
  func jobs() {
    expect("jobs") { stage in
      stage.press("7")
      stage.send(
        .jobs([
          Job(
            id: JobID(rawValue: 3), title: "Scan ~/Music", state: .running, done: 41_200, total: 100_214,
            rate: 812, remaining: .seconds(72)),
          Job(id: JobID(rawValue: 2), title: "Analyze loudness", state: .waiting, done: 0, total: 900),
          Job(id: JobID(rawValue: 1), title: "Scan /mnt/nas", state: .failed, why: "the folder is gone"),
        ]))
    }
  }

  @Test("the keys") func help() { expect("help") { $0.press("?") } }

  @Test("the pads, one of which is struck")
  func pads() {
    expect("pads") { stage in
      stage.press("6 3")
      stage.pads.volume = 0.8
      stage.send(.news(.pads(stage.pads)))
    }
  }

  @Test("the pads during a call, which silences them")
  func silentPads() {
    expect("pads-silent") { stage in
      (stage.pads.isEnabled, stage.pads.why, stage.pads.reason) = (false, "call", "call (Signal)")
      stage.press("6 3")
    }
  }

  @Test("the agent was ended") func lost() { expect("lost") { $0.send(.agentLost(.ended)) } }

  @Test("a two-line player where there is no room")
  func small() {
    var stage = Self.stage((50, 5))
    Golden.expect(stage.picture(), is: "small-50x5.txt")
  }
}
