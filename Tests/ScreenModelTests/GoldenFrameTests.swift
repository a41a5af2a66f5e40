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
  static let sizes = [(40, 8), (80, 24), (120, 40), (200, 60)].map { ScreenSize(columns: $0.0, rows: $0.1) }
  static let small = ScreenSize(columns: 50, rows: 5)

  /// Something that the screen can show.
  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let testDescription: String
    let sizes: [ScreenSize]
    private let traits: TerminalTraits
    private let change: @Sendable (inout ScreenStage) -> Void

    init(
      _ name: String, _ description: String, sizes: [ScreenSize] = GoldenFrameTests.sizes,
      traits: TerminalTraits = TerminalTraits(),
      _ change: @escaping @Sendable (inout ScreenStage) -> Void = { _ in }
    ) {
      (self.name, testDescription, self.sizes) = (name, description, sizes)
      (self.traits, self.change) = (traits, change)
    }

    func stage(_ size: ScreenSize) -> ScreenStage {
      var stage = GoldenFrameTests.stage((size.columns, size.rows), traits: traits)
      change(&stage)
      return stage
    }
  }

  @Test("each is as a person has seen it", arguments: scenes)
  func frames(_ scene: Scene) {
    for size in scene.sizes {
      var stage = scene.stage(size)
      Golden.expect(stage.picture(), is: "\(scene.name)-\(size.columns)x\(size.rows).txt")
    }
  }

  static let scenes: [Scene] = [
    Scene("queue", "the queue"),
    Scene("queue-sorting", "the queue, while a letter is waited for that sorts it") { $0.press("s") },
    Scene("queue-paused", "the queue with marked rows, paused because the headphones went", pause),
    Scene("queue-narrowed", "the queue narrowed as words are typed") { stage in
      stage.press("/")
      stage.type("al")
    },
    Scene("command", "a command that is typed and completed") { stage in
      stage.press(":")
      stage.type("queue c")
      stage.press("Tab")
    },
    Scene("empty", "nothing there at all") { stage in
      (stage.queue, stage.library) = ([], [])
      stage.set(.stopped, row: nil)
      stage.send(.agentFound)
    },
    Scene("library", "the library in columns") { $0.press("2 l l") },
    Scene("library-marked", "marked rows of the library, one of them an album") {
      $0.press("2 l m l m j j m")
    },
    Scene("search", "search as you type") { stage in
      stage.press("3")
      stage.type("par")
    },
    Scene("lists", "the playlists") { $0.press("4 j") },
    Scene("search-albums", "albums and playlists below the tracks that are found, one of them chosen") {
      stage in
      stage.press("3")
      stage.type("ra")
      stage.press("Enter G k")
    },
    Scene("now", "what plays") { $0.press("5") },
    Scene(
      "queue-cover", "the cover beside the queue, where there is room", traits: TerminalTraits(colours: .full)
    ),
    Scene("now-cover", "the cover beside what is known of it", traits: TerminalTraits(colours: .full)) {
      $0.press("5")
    },
    Scene("lyrics-cover", "the cover beside the words", traits: TerminalTraits(colours: .full), sing),
    Scene("lyrics", "what plays, with its words as they are sung", sing),
    Scene("menu", "what can be done with a row") { $0.press("o j j") },
    Scene("jobs", "the jobs") { stage in
      stage.press("7")
      stage.send(
        .jobs([
          Job(
            id: JobID(rawValue: 3), title: "Scan ~/Music", state: .running, done: 41_200, total: 100_214,
            rate: 812, remaining: .seconds(72)),
          Job(id: JobID(rawValue: 2), title: "Analyze loudness", state: .waiting, done: 0, total: 900),
          Job(id: JobID(rawValue: 1), title: "Scan /mnt/nas", state: .failed, why: "the folder is gone"),
        ]))
    },
    Scene("help", "the keys") { $0.press("?") },
    Scene("pads", "the pads, one of which is struck") { stage in
      stage.press("6 3")
      stage.pads.volume = 0.8
      stage.send(.news(.pads(stage.pads)))
    },
    Scene("pads-silent", "the pads during a call, which silences them") { stage in
      (stage.pads.isEnabled, stage.pads.why, stage.pads.reason) = (false, "call", "call (Signal)")
      stage.press("6 3")
    },
    Scene("lost", "the agent was ended") { $0.send(.agentLost(.ended)) },
    Scene("small", "a two-line player where there is no room", sizes: [small]),
  ]

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

  static func sing(_ stage: inout ScreenStage) {
    let lines = (0..<40).map { "[\($0 / 6 + 1):\($0 % 6)0.50] Line \($0 + 1) of what is sung here" }
    stage.queue[1].item.tags.lyrics = "[ar:Somebody]\n" + lines.joined(separator: "\n")
    stage.set(.playing, row: 2)
    stage.press("5 L")
  }
}
