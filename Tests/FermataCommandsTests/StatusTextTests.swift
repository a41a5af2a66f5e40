// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CommandModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import Testing

@testable import FermataCommands

@Suite("What status, queue and outputs write", .serialized)
struct StatusTextTests {
  @Test("a long queue is read in large pages, and only some of its rows are asked for titles")
  func longQueue() async throws {
    let count = 5_000
    let asked = try await CommandStage.asked(["queue", "--json"]) { agent in
      agent.items = (1...count).map { row in
        var item = MediaItem(location: .file(FilePath("/music/\(row) x.flac")!))
        item.tags.title = "title of \(row)"
        return ItemFace(item, entry: EntryID(rawValue: UInt64(row)), isCurrent: row == 2_600)
      }
      agent.face.queueIndex = 2_599
    }
    #expect(asked.calls.map { $0.member.text } == ["List", "Rows", "Rows", "Rows", "List", "List", "List"])
    let rows = asked.output.components(between: "\"title\":\"", "\"")
    #expect(rows.count == count)
    for row in [1, 500, 2_550, 2_600, 2_649, 4_901, 5_000] { #expect(rows[row - 1] == "title of \(row)") }
    for row in [501, 2_549, 2_650, 4_900] { #expect(rows[row - 1] == "\(row) x") }
    #expect(asked.output.hasSuffix("],\"length\":5000,\"index\":2600}\n"))
  }

  @Test(
    "the rows round the current one have titles where the first page ends among them", arguments: [510, 540])
  func longQueueFromItsBeginning(current: Int) async throws {
    let asked = try await CommandStage.asked(["queue", "--json"]) { agent in
      agent.items = (1...2_100).map { row in
        var item = MediaItem(location: .file(FilePath("/music/\(row) x.flac")!))
        item.tags.title = "title of \(row)"
        return ItemFace(item, entry: EntryID(rawValue: UInt64(row)), isCurrent: row == current)
      }
      agent.face.queueIndex = current - 1
    }
    let rows = asked.output.components(between: "\"title\":\"", "\"")
    for row in [500, 501, current, current + 49, 2_001] { #expect(rows[row - 1] == "title of \(row)") }
    #expect(rows[current + 49] == "\(current + 50) x")
  }

  @Test(
    "rows that are moved while the queue is read are neither missing nor there twice",
    arguments: [["queue", "--json"], ["queue", "list", "1-1200", "--json"]])
  func movedRows(words: [String]) async throws {
    let count = 1_200
    let asked = try await CommandStage.asked(words) { agent in
      agent.items = (1...count).map { row in
        ItemFace(
          MediaItem(location: .file(FilePath("/music/\(row) x.flac")!)), entry: EntryID(rawValue: UInt64(row))
        )
      }
      agent.afterCall = { if $1 == 1 { $0.items.reverse() } }
    }
    let rows = asked.output.components(between: "\"title\":\"", "\"")
    #expect(rows.first == "1200 x" && rows.count == count && Set(rows).count == count)
  }

  @Test("a row that can't be played is shown with the reason, cut before what can be done")
  func unplayableRow() {
    let items = [nil, "is empty", "is AAC in MP4; other files play", "has\u{1B}[31m"].map {
      ItemFace(MediaItem(location: .file("/a.flac")), unplayable: $0)
    }
    let gone = ItemFace(
      MediaItem(location: .file("/a.flac")), isMissing: true, unplayable: "its file is gone")
    let lines = QueueText.lines(QueuePage(items: items + [gone], length: 5, current: nil), width: nil)
    let palette = Palette(isTerminal: false) { _ in nil }
    let reasons = lines.prefix(5).map { line in
      let text = line.rendered(palette)
      return text.firstIndex(of: "(").map { String(text[$0...]) } ?? ""
    }
    #expect(reasons[0] == "" && reasons[1].hasPrefix("(is empty)"), "\(reasons)")
    #expect(reasons[2].hasPrefix("(is AAC in MP4)") && !reasons[3].contains("\u{1B}"), "\(reasons)")
    #expect(reasons[4].hasPrefix("(missing)"), "\(reasons)")
  }

  @Test("status and queue read as they were approved, for people and for programs")
  func texts() async throws {
    for (words, name) in [
      (["status"], "status.txt"), (["status", "--json"], "status.json"), (["queue"], "queue.txt"),
      (["queue", "--json"], "queue.json"),
    ] {
      Golden.expect(try await CommandStage.asked(words, CommandStage.rows).output, is: name)
    }
    #expect(
      try await CommandStage.asked(["queue"]).output
        == "The queue is empty. Fill it with 'fermata add SOURCE…'\n")
    #expect(try await CommandStage.asked(["status"]).output.hasPrefix("⏹ The queue is empty\n"))
    let template = "{artist} – {title} [{position}/{duration}] {volume} {index}/{length}{why?x}"
    let line = try await CommandStage.asked(["status", "--format", template], CommandStage.rows).output
    #expect(line == "Björk, Guest – Jóga [1:23/5:05] 80% 2/3\n")
    #expect(
      try await CommandStage.asked(["volume", "--json"], CommandStage.rows).output == "{\"volume\":0.8}\n")
    #expect(
      try await CommandStage.asked(["volume", "+5%", "--json"], CommandStage.rows).output
        == "{\"volume\":0.85}\n")
    #expect(try await CommandStage.asked(["repeat"], CommandStage.rows).output == "none\n")
  }

  @Test("status says what a listener may wonder about: an end, a notification, a mixer")
  func wonders() async throws {
    let cases: [(words: String, change: @Sendable (inout PlayerFace) -> Void)] = [
      ("Finished; 'fermata play' begins it again", { $0 = Faces.finished }),
      (
        "volume 24% while a notification sounds",
        { ($0.duckLevel, $0.duckedFor) = (0.3, .role(.notification)) }
      ),
      ("volume 24% during a call", { ($0.duckLevel, $0.duckedFor) = (0.3, .call) }),
      ("volume 130% in the mixer", { $0.volume = 1.299988 }),
    ]
    for (words, change) in cases {
      let output = try await CommandStage.asked(["status"]) { agent in
        CommandStage.rows(agent)
        change(&agent.face)
      }.output
      #expect(output.contains(words), "\(output)")
    }
    let loud = try await CommandStage.asked(["status", "--json"]) { agent in
      CommandStage.rows(agent)
      agent.face.volume = 1.299988
    }.output
    #expect(loud.contains(#""volume":1,"#) && loud.contains(#""mixerVolume":1.299988"#), "\(loud)")
  }

  @Test(
    "the sign of the current row says what it does",
    arguments: [
      (.playing, "▶"), (.paused, "⏸"), (.interrupted, "⏸"), (.stopped, "⏹"), (.seekingForward, "⏩"),
    ] as [(PlaybackState, String)])
  func signs(state: PlaybackState, sign: String) async throws {
    let output = try await CommandStage.asked(["queue", "list", "2-"]) { agent in
      CommandStage.rows(agent)
      agent.face.state = state
    }.output
    let lines = output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("\(sign)") == true && lines.first?.contains("2  Jóga") == true)
    #expect(lines.dropFirst().first?.contains("  3  Lost") == true, "\(output)")
    #expect(lines.count { $0.hasPrefix(" ") } == 1, "only the current row has one: \(output)")
  }

  @Test("of a long queue a terminal gets the rows around the current one, in one screen")
  func window() {
    typealias Case = (current: Int?, length: Int, height: Int, rows: ClosedRange<Int>?)
    let cases: [Case] = [
      (nil, 20, 24, nil), (5, 0, 24, nil), (nil, 21, 24, 1...20), (1, 1_000, 24, 1...20),
      (500, 1_000, 24, 497...516), (1_000, 1_000, 24, 981...1_000), (50, 100, 1, 49...53), (7, 5, 1, nil),
    ]
    for test in cases {
      #expect(
        QueueText.window(around: test.current, of: test.length, height: test.height) == test.rows, "\(test)")
    }
  }

  @Test("what comes next is listed with the rows that it has in the queue")
  func upcoming() async throws {
    let output = try await CommandStage.asked(["queue", "upcoming"], CommandStage.rows).output
    #expect(output.split(separator: "\n").map { $0.split(separator: " ").first } == ["3", "1"], "\(output)")
    #expect(output.contains("3  Lost (missing)") && !output.contains("▶"))
    let json = try await CommandStage.asked(["queue", "upcoming", "--json"], CommandStage.rows).output
    #expect(json.hasPrefix(#"{"entries":[{"title":"Lost","#) && json.hasSuffix("\"length\":3,\"index\":2}\n"))
  }

  @Test("what plays and is not heard says so in the first line, behind the sign of playing")
  func inaudible() async throws {
    let muted: @AgentLoop (FakeAgent) -> Void = { agent in
      CommandStage.rows(agent)
      agent.face.why = .inaudible(.outputMuted)
    }
    #expect(
      try await CommandStage.asked(["status"], muted).output.hasPrefix(
        "▶ Jóga  (playing, but its output is muted)\n"))
    #expect(
      try await CommandStage.asked(["status", "--json"], muted).output.hasPrefix(
        #"{"state":"playing","why":"output-muted","#))
  }

  @Test("a pipe gets the whole status, and each title and name as it is")
  func exact() async throws {
    let family = "👨‍👩‍👧‍👦 🇸🇪 " + String(repeating: "long ", count: 40) + "end"
    let playing: @AgentLoop (FakeAgent) -> Void = { agent in
      var item = MediaItem(location: .file("/music/👍🏽.flac"))
      item.tags.title = family
      agent.items = [ItemFace(item, entry: EntryID(rawValue: 11), isCurrent: true)]
      agent.face = Faces.playing
      agent.face.item = item
    }
    for words in [["status"], ["status", "--format", "{title}"], ["queue"]] {
      let output = try await CommandStage.asked(words, playing).output
      #expect(output.unicodeScalars.contains(family.unicodeScalars), "\(output)")
    }
    let file = try await CommandStage.asked(["status", "--format", "{file}"], playing).output
    #expect(Array(file.unicodeScalars) == Array("👍🏽.flac\n".unicodeScalars))
  }

  @Test("a mute is shown beside the volume, also where nothing plays")
  func muted() async throws {
    let muted: @AgentLoop (FakeAgent) -> Void = { agent in
      CommandStage.rows(agent)
      agent.face.state = .paused
      agent.face.isMuted = true
    }
    #expect(try await CommandStage.asked(["status"], muted).output.contains("volume 80%, muted"))
    #expect(
      try await CommandStage.asked(["status", "--json"], muted).output.contains(#""volume":0.8,"muted":true"#)
    )
    #expect(
      try await CommandStage.asked(["volume", "toggle", "--json"], muted).output == "{\"muted\":true}\n")
    #expect(try await CommandStage.asked(["volume"], muted).output == "80% (muted)\n")
    #expect(
      try await CommandStage.asked(["volume", "--json"], muted).output == #"{"volume":0.8,"muted":true}"#
        + "\n")
    #expect(
      try await CommandStage.asked(["volume", "--json"], CommandStage.rows).output == #"{"volume":0.8}"#
        + "\n")
  }

  @Test("a template has the file, the seconds, what is next, and the output by both of its names")
  func fields() async throws {
    let template =
      "{percent} {positionSeconds}/{durationSeconds} {folder} {file} {next} {output|-} {sink|-} {filter|-}"
    let playing: @AgentLoop (FakeAgent) -> Void = { agent in
      CommandStage.rows(agent)
      agent.face.route = Route(
        sinkName: "alsa.usb", sinkDescription: "Headset", device: Route.Device(name: "usb"),
        filter: Route.Filter(sinkName: "equalizer"))
    }
    let result = try await CommandStage.asked(["status", "--format", template], playing)
    #expect(result.output == "27 83/305 /music/Björk Jóga.flac Lost Headset alsa.usb equalizer\n")
    #expect(result.calls.map(\.member) == ["Status", "Upcoming"])
    #expect(
      try await CommandStage.asked(["status", "--format", "{title}"], playing).calls.map(\.member) == [
        "Status"
      ])
    #expect(try await CommandStage.asked(["status", "--format", "{percent|-}"]).output == "-\n")
    let modes = "{muted|-} {category} {sleep|-} {sleepSeconds|-}"
    #expect(
      try await CommandStage.asked(["status", "--format", modes], playing).output == "- playback - -\n")
    let quiet = try await CommandStage.asked(["status", "--format", modes]) { agent in
      playing(agent)
      (agent.face.isMuted, agent.face.category, agent.sleepLeft) = (true, .ambient, .seconds(754))
    }
    #expect(quiet.output == "muted ambient 12:34 754\n")
    let coding = "{coding}, {codec} {sampleRate} {channels} {bits|-} {bitRate}"
    #expect(
      try await CommandStage.asked(["status", "--format", coding], playing).output
        == "MP3 · 44.1 kHz · stereo · 320 kb/s, MP3 44100 2 - 320000\n")
  }

  @Test("outputs are listed, the current one marked, and a refused one says where they stand")
  func outputs() async throws {
    let lines = try await CommandStage.asked(["output"]).output.split(separator: "\n")
    #expect(lines.map { $0.hasPrefix("*") } == [false, true] && lines[1].contains("Headset"))
    #expect(
      try await CommandStage.asked(["output", "--json"]).output
        == #"{"outputs":[{"sink":"hdmi","description":"Screen","private":false,"server":"PulseAudio"},"#
        + #"{"sink":"usb","description":"Headset","private":true,"server":"PulseAudio","current":true}]}"#
        + "\n")
    let agent = try await CommandStage.makeAgent { $0.refusal = AgentError.refused("there is no output x") }
    let run = try CommandStage.result(of: ["output", "x"], agent.bus.environment)
    #expect(run.status == .exited(1))
    #expect(run.errors == "fermata: output: there is no output x; 'fermata output' lists them\n")
  }

  @Test("a queue of more than a page is listed whole")
  func pages() async throws {
    let output = try await CommandStage.asked(["queue", "list", "--json"]) { agent in
      agent.items = (0..<1203).map { row in
        ItemFace(MediaItem(location: .file("/a.mp3")), entry: EntryID(rawValue: UInt64(row) + 1))
      }
    }.output
    #expect(output.contains("\"length\":1203") && output.contains("\"entry\":1203"))
  }
}

extension String {
  /// What stands between each pair of these two texts, in order.
  fileprivate func components(between start: String, _ end: String) -> [Substring] {
    ranges(of: start).map { self[$0.upperBound...] }.compactMap { rest in
      rest.firstRange(of: end).map { rest[..<$0.lowerBound] }
    }
  }
}
