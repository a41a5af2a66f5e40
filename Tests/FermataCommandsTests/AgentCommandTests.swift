// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
import BusModel
import CommandModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import Testing

@testable import FermataCommands

/// The program as it is run, against an agent that only remembers.
@Suite("Commands that talk to the agent")
struct AgentCommandTests {
  private struct Run {
    let status: FermataTestKit.ExitStatus?
    let output: String
    let errors: String
  }

  private func result(of words: [String], _ environment: [String: String]) throws -> Run {
    let child = try Child(.beside("fermata"), words, environment: environment)
    let status = child.exit(until: .patient)
    return Run(status: status, output: child.standardOutput, errors: child.standardError)
  }

  private func makeAgent(_ prepare: @escaping @AgentLoop (FakeAgent) -> Void = { _ in }) async throws
    -> FakeAgent
  {
    try await onLoop {
      let agent = try await FakeAgent()
      prepare(agent)
      return agent
    }
  }

  /// What the agent was asked for by a command line that succeeded, and what that wrote.
  private func asked(
    _ words: [String], _ prepare: @escaping @AgentLoop (FakeAgent) -> Void = { _ in }
  ) async throws -> (calls: [FakeAgent.AgentCallRecord], output: String) {
    let agent = try await makeAgent(prepare)
    let run = try result(of: words, agent.bus.environment)
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(words): \(run)")
    return (try await onLoop { agent.calls }, run.output)
  }

  private static let rows: @AgentLoop (FakeAgent) -> Void = { agent in
    agent.items = Faces.items
    agent.face = Faces.playing
  }

  @Test(
    "each order arrives as the call that means it",
    arguments: [
      (["pause"], "Pause", []), (["toggle"], "Toggle", []), (["stop"], "Stop", []),
      (["stop", "--after-current"], "StopAfterCurrent", []),
      (["output", "hdmi"], "SetOutput", [.string("hdmi")]), (["output", "list"], "Outputs", []),
      (["next"], "Next", []),
      (["previous"], "Previous", []), (["play"], "Play", []), (["play", "--random"], "PlayRandom", []),
      (["seek", "+30"], "Seek", [.double(30)]), (["seek", "-1:30"], "Seek", [.double(-90)]),
      (["prev"], "Previous", []), (["repeat", "off"], "RepeatChoice", [.string("none")]),
      (["shuffle", "on"], "ShuffleChoice", [.string("songs")]),
      (["seek", "25%"], "SeekToPart", [.double(0.25)]),
      (["queue", "remove", "current"], "Remove", [[UInt64(11)].wireValue]),
      (["seek", "1:30"], "SeekTo", [.double(90)]), (["seek", "--end"], "EndSeek", []),
      (["seek", "--begin", "backward"], "BeginSeek", [.string("backward")]),
      (["volume", "40%"], "Volume", [.double(0.4)]), (["volume", "+5%"], "ChangeVolume", [.double(0.05)]),
      (["volume", "mute"], "Muted", [.boolean(true)]), (["volume", "unmute"], "Muted", [.boolean(false)]),
      (["volume", "toggle"], "ToggleMute", []),
      (["repeat", "all"], "RepeatChoice", [.string("all")]),
      (["shuffle", "default"], "ShuffleChoice", [.string("default")]),
      (["sleep", "30m"], "Sleep", [.double(1_800)]), (["sleep", "off"], "Sleep", [.double(0)]),
      (["consume", "on"], "Consume", [.boolean(true)]), (["shuffle", "--now"], "ShuffleNow", []),
      (["queue", "clear"], "Clear", []), (["queue", "crop"], "Crop", []),
      (["queue", "upcoming"], "Upcoming", [.uint32(10)]),
      (["queue", "upcoming", "3"], "Upcoming", [.uint32(3)]),
      (["queue", "undo"], "Undo", []), (["queue", "redo"], "Redo", []),
      (["queue", "jump", "2"], "Jump", [.uint64(11)]),
      (["queue", "move", "3", "1"], "Move", [.uint64(12), .uint32(1), .uint32(1)]),
      (["queue", "sort"], "Sort", [["album"].wireValue, [UInt64]().wireValue]),
      (
        ["queue", "sort", "artist", "-year"], "Sort", [["artist", "-year"].wireValue, [UInt64]().wireValue]
      ),
      (
        ["queue", "sort", "length,-Filename"], "Sort",
        [["duration", "-path"].wireValue, [UInt64]().wireValue]
      ),
      (
        ["queue", "sort", "path", "--rows", "2-"], "Sort", [["path"].wireValue, [UInt64(11), 12].wireValue]
      ),
      (["queue", "remove", "3", "1"], "Remove", [[UInt64(10), 12].wireValue]),
      (["add", "/"], "Append", [["file:///"].wireValue]),
      (["add", "--next", "/"], "AddNext", [["file:///"].wireValue]),
      (["add", "--at", "3", "/"], "Insert", [["file:///"].wireValue, .uint32(3)]),
      (
        ["add", "--play", "/"], "Play",
        [["file:///"].wireValue, ["join": WireValue.boolean(true)].wireValue]
      ),
    ] as [([String], String, [WireValue])])
  func orders(words: [String], member: String, arguments: [WireValue]) async throws {
    let last = try await asked(words, Self.rows).calls.last
    #expect(last?.member.text == member && last?.arguments == arguments)
  }

  @Test("play with sources sends them absolute, and says what it waits for")
  func play() async throws {
    let result = try await asked(["play", "--shuffle", "/etc/./"])
    let call = try #require(result.calls.last)
    #expect(call.member == "Play" && call.arguments.first == ["file:///etc"].wireValue)
    #expect(result.output == "It plays when a call is over.\n")
  }

  @Test("a long queue is read in large pages, and only some of its rows are asked for titles")
  func longQueue() async throws {
    let count = 5_000
    let asked = try await asked(["queue", "--json"]) { agent in
      agent.items = (1...count).map { row in
        var item = MediaItem(location: .file(FilePath("/music/\(row) x.flac")!))
        item.tags.title = "title of \(row)"
        return ItemFace(item, entry: EntryID(rawValue: UInt64(row)), isCurrent: row == 2_600)
      }
      agent.face.queueIndex = 2_599
    }
    #expect(asked.calls.map { $0.member.text } == ["List", "Rows", "Rows", "Rows", "List", "List"])
    let rows = asked.output.components(between: "\"title\":\"", "\"")
    #expect(rows.count == count)
    for row in [1, 500, 2_550, 2_600, 2_649, 4_901, 5_000] { #expect(rows[row - 1] == "title of \(row)") }
    for row in [501, 2_549, 2_650, 4_900] { #expect(rows[row - 1] == "\(row) x") }
    #expect(asked.output.hasSuffix("],\"length\":5000,\"index\":2600}\n"))
  }

  @Test("undo and redo say what they took back and made again")
  func undone() async throws {
    for (counts, text) in [
      (EditCounts(added: 1), "1 track added"), (EditCounts(removed: 12), "12 tracks removed"),
      (EditCounts(moved: 2), "2 tracks moved"),
      (EditCounts(moved: 12, order: "artist, -year"), "12 tracks sorted by artist, -year"),
      (EditCounts(added: 3, removed: 12), "12 tracks replaced by 3"),
    ] {
      #expect(try await asked(["queue", "undo"]) { $0.undone = counts }.output == "Undone: \(text)\n")
      #expect(try await asked(["queue", "redo"]) { $0.undone = counts }.output == "Done again: \(text)\n")
    }
  }

  @Test("a part of the queue is counted as that")
  func partOfQueue() async throws {
    #expect(
      try await asked(["queue", "list", "1-2"], Self.rows).output.hasSuffix("\n2 of 3 tracks, 1:07:08\n"))
    #expect(
      try await asked(["queue", "list", "2-3"], Self.rows).output.hasSuffix("\n2 of 3 tracks, 5:05 or more\n")
    )
  }

  @Test("sort says what it did, what it could not read, and what was perhaps meant")
  func sorted() async throws {
    for (outcome, text) in [
      (
        SortOutcome(rows: 3, moved: 2, unread: 0),
        "3 tracks sorted by album; 'fermata queue undo' takes it back\n"
      ),
      (SortOutcome(rows: 3, moved: 0, unread: 0), "3 tracks stand by album already\n"),
      (
        SortOutcome(rows: 3, moved: 2, unread: 2),
        """
        3 tracks sorted by album; 'fermata queue undo' takes it back
        2 that could not be read stand last, by path

        """
      ),
    ] {
      #expect(try await asked(["queue", "sort"]) { $0.sorted = outcome }.output == text)
    }
    let outcome = SortOutcome(rows: 3, moved: 2, unread: 1)
    #expect(
      try await asked(["queue", "sort", "artist", "-year", "--json"]) { $0.sorted = outcome }.output
        == #"{"by":["artist","-year"],"rows":3,"moved":2,"unread":1}"# + "\n")
    let agent = try await makeAgent()
    for (words, text) in [
      (["artits"], "did you mean artist?"), (["-yeer"], "did you mean year?"),
      (["random"], "fermata shuffle --now"), (["--jsn"], "did you mean '--json'?"),
    ] {
      let run = try result(of: ["queue", "sort"] + words, agent.bus.environment)
      #expect(run.status == .exited(64) && run.errors.contains(text), "\(run)")
    }
  }

  @Test("what plays on is shuffled as long as it is the queue")
  func shuffledOn() async throws {
    let calls = try await asked(["play", "--shuffle"]).calls
    #expect(calls.map(\.member) == ["ShuffleList", "Play"] && calls[0].arguments == [.string("songs")])
  }

  @Test("what isn't there is named, and the rest is sent", arguments: ["play", "add"])
  func missingFile(command: String) async throws {
    let agent = try await makeAgent()
    let run = try result(of: [command, "/no/such\u{1B}.mp3", "/", "http://a/b"], agent.bus.environment)
    #expect(run.status == .exited(0))
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("fermata: '/no/such\\u{1B}.mp3': no such file"))
    #expect(lines.last?.hasPrefix("fermata: 'http://a/b': only files are played") == true)
    #expect(
      try await onLoop { agent.calls }.first?.arguments.first == .array("s", [.string("file:///")]))
  }

  @Test("it ends before anything is sent if nothing of what is named is there")
  func allMissing() async throws {
    let agent = try await makeAgent()
    for command in ["play", "add"] {
      let other = try result(of: [command, "/no/such", "http://a/b", "/nor/this"], agent.bus.environment)
      #expect(other.status == .exited(65) && other.errors.split(separator: "\n").count == 3)
      let run = try result(of: [command, "/no/such\u{1B}.mp3"], agent.bus.environment)
      #expect(run.status == .exited(66))
      #expect(
        run.errors
          == "fermata: '/no/such\\u{1B}.mp3': no such file or folder; name one that exists\n")
    }
    #expect(try await onLoop { agent.calls }.isEmpty)
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
      Golden.expect(try await asked(words, Self.rows).output, is: name)
    }
    #expect(try await asked(["queue"]).output == "The queue is empty. Fill it with 'fermata add SOURCE…'\n")
    #expect(try await asked(["status"]).output.hasPrefix("⏹ The queue is empty\n"))
    let template = "{artist} – {title} [{position}/{duration}] {volume} {index}/{length}{why?x}"
    let line = try await asked(["status", "--format", template], Self.rows).output
    #expect(line == "Björk, Guest – Jóga [1:23/5:05] 80% 2/3\n")
    #expect(try await asked(["volume", "--json"], Self.rows).output == "{\"volume\":0.8}\n")
    #expect(try await asked(["volume", "+5%", "--json"], Self.rows).output == "{\"volume\":0.85}\n")
    #expect(try await asked(["repeat"], Self.rows).output == "none\n")
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
      let output = try await asked(["status"]) { agent in
        Self.rows(agent)
        change(&agent.face)
      }.output
      #expect(output.contains(words), "\(output)")
    }
    let loud = try await asked(["status", "--json"]) { agent in
      Self.rows(agent)
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
    let output = try await asked(["queue", "list", "2-"]) { agent in
      Self.rows(agent)
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
    let output = try await asked(["queue", "upcoming"], Self.rows).output
    #expect(output.split(separator: "\n").map { $0.split(separator: " ").first } == ["3", "1"], "\(output)")
    #expect(output.contains("3  Lost (missing)") && !output.contains("▶"))
    let json = try await asked(["queue", "upcoming", "--json"], Self.rows).output
    #expect(json.hasPrefix(#"{"entries":[{"title":"Lost","#) && json.hasSuffix("\"length\":3,\"index\":2}\n"))
  }

  @Test("what plays and is not heard says so in the first line, behind the sign of playing")
  func inaudible() async throws {
    let muted: @AgentLoop (FakeAgent) -> Void = { agent in
      Self.rows(agent)
      agent.face.why = .inaudible(.outputMuted)
    }
    #expect(
      try await asked(["status"], muted).output.hasPrefix("▶ Jóga  (playing, but its output is muted)\n"))
    #expect(
      try await asked(["status", "--json"], muted).output.hasPrefix(
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
      let output = try await asked(words, playing).output
      #expect(output.unicodeScalars.contains(family.unicodeScalars), "\(output)")
    }
    let file = try await asked(["status", "--format", "{file}"], playing).output
    #expect(Array(file.unicodeScalars) == Array("👍🏽.flac\n".unicodeScalars))
  }

  @Test("a mute is shown beside the volume, also where nothing plays")
  func muted() async throws {
    let muted: @AgentLoop (FakeAgent) -> Void = { agent in
      Self.rows(agent)
      agent.face.state = .paused
      agent.face.isMuted = true
    }
    #expect(try await asked(["status"], muted).output.contains("volume 80%, muted"))
    #expect(try await asked(["status", "--json"], muted).output.contains(#""volume":0.8,"muted":true"#))
    #expect(try await asked(["volume", "toggle", "--json"], muted).output == "{\"muted\":true}\n")
    #expect(try await asked(["volume"], muted).output == "80% (muted)\n")
    #expect(try await asked(["volume", "--json"], muted).output == #"{"volume":0.8,"muted":true}"# + "\n")
    #expect(try await asked(["volume", "--json"], Self.rows).output == #"{"volume":0.8}"# + "\n")
  }

  @Test("a template has the file, the seconds, what is next, and the output by both of its names")
  func fields() async throws {
    let template = "{percent} {positionSeconds}/{durationSeconds} {folder} {file} {next} {output|-} {sink|-}"
    let playing: @AgentLoop (FakeAgent) -> Void = { agent in
      Self.rows(agent)
      agent.face.route = Route(
        sinkName: "alsa.usb", sinkDescription: "Headset", device: Route.Device(name: "usb"))
    }
    let result = try await asked(["status", "--format", template], playing)
    #expect(result.output == "27 83/305 /music/Björk Jóga.flac Lost Headset alsa.usb\n")
    #expect(result.calls.map(\.member) == ["Status", "Upcoming"])
    #expect(try await asked(["status", "--format", "{title}"], playing).calls.map(\.member) == ["Status"])
    #expect(try await asked(["status", "--format", "{percent|-}"]).output == "-\n")
    let coding = "{coding}, {codec} {sampleRate} {channels} {bits|-} {bitRate}"
    #expect(
      try await asked(["status", "--format", coding], playing).output
        == "MP3 · 44.1 kHz · stereo · 320 kb/s, MP3 44100 2 - 320000\n")
  }

  @Test("outputs are listed, the current one marked, and a refused one says where they stand")
  func outputs() async throws {
    let lines = try await asked(["output"]).output.split(separator: "\n")
    #expect(lines.map { $0.hasPrefix("*") } == [false, true] && lines[1].contains("Headset"))
    #expect(
      try await asked(["output", "--json"]).output
        == #"{"outputs":[{"sink":"hdmi","description":"Screen","private":false,"server":"PulseAudio"},"#
        + #"{"sink":"usb","description":"Headset","private":true,"server":"PulseAudio","current":true}]}"#
        + "\n")
    let agent = try await makeAgent { $0.refusal = AgentError.refused("there is no output x") }
    let run = try result(of: ["output", "x"], agent.bus.environment)
    #expect(run.status == .exited(1))
    #expect(run.errors == "fermata: output: there is no output x; 'fermata output' lists them\n")
  }

  @Test("a queue of more than a page is listed whole")
  func pages() async throws {
    let output = try await asked(["queue", "list", "--json"]) { agent in
      agent.items = (0..<1203).map { row in
        ItemFace(MediaItem(location: .file("/a.mp3")), entry: EntryID(rawValue: UInt64(row) + 1))
      }
    }.output
    #expect(output.contains("\"length\":1203") && output.contains("\"entry\":1203"))
  }

  @Test("a row that isn't there is refused, and nothing is changed")
  func noRow() async throws {
    let agent = try await makeAgent(Self.rows)
    for words in [["queue", "jump", "4"], ["queue", "remove", "1", "4"], ["queue", "move", "1", "4"]] {
      let run = try result(of: words, agent.bus.environment)
      #expect(run.status == .exited(1))
      #expect(run.errors == "fermata: row 4: the queue has 3 rows; 'fermata queue' lists them\n")
    }
    #expect(try await onLoop { agent.calls }.allSatisfy { $0.member == "List" })
  }

  @Test("each refusal has its exit code", arguments: AgentError.allCases)
  func refusals(error: AgentError) async throws {
    let agent = try await makeAgent { $0.refusal = error("it is so") }
    let run = try result(of: ["queue", "undo"], agent.bus.environment)
    #expect(run.status == .exited(ExitCode(error).rawValue))
    #expect(run.errors == "fermata: queue undo: it is so\n")
  }

  @Test(
    "what was left out of sources is told, a line each, and the rest of them is in the queue",
    arguments: [["add", "/"], ["play", "/"]])
  func leftOut(words: [String]) async throws {
    let agent = try await makeAgent {
      $0.leftOut = ["/a.mp3: no such file or folder", "and 3 \u{1B}[31mmore"]
    }
    let run = try result(of: words, agent.bus.environment)
    #expect(run.status == .exited(0))
    #expect(run.errors == "fermata: /a.mp3: no such file or folder\nfermata: and 3 \\u{1B}[31mmore\n")
    try await onLoop { agent.leftOut = [] }
  }

  @Test("without an agent or a bus it says what to do")
  func unavailable() throws {
    let bus = try PrivateBus()
    let agentless = try result(of: ["status", "--json"], bus.environment)
    #expect(agentless.status == .exited(69))
    #expect(agentless.errors.hasSuffix("start it with 'setsid -f fermata agent >/dev/null 2>&1'\n"))
    #expect(agentless.output.hasPrefix(#"{"error":{"code":69,"#))
    #expect(try result(of: ["pause"], [:]).status == .exited(69))
  }

  @Test(
    "a mode that was chosen by hand is told to whoever sets it for always",
    arguments: [("repeat", "RepeatChoice", "all"), ("shuffle", "ShuffleChoice", "songs")]
      as [(String, MemberName, String)])
  func chosenByHand(name: String, property: MemberName, value: String) async throws {
    let folder = try TemporaryDirectory()
    let agent = try await makeAgent { $0.choices = [property: "default"] }
    let environment = agent.bus.environment.merging(["HOME": folder.path]) { $1 }
    #expect(try result(of: ["settings", "set", name, value], environment).errors.isEmpty)
    try await onLoop { agent.choices = [property: value] }
    #expect(try result(of: ["settings", "set", name, value], environment).errors.isEmpty)
    let run = try result(of: ["settings", "unset", name], environment)
    #expect(run.status == .exited(0))
    #expect(
      run.errors
        == "fermata: \(name): the agent keeps '\(value)', which was chosen by hand; 'fermata \(name) default' has it follow the settings\n"
    )
    #expect(try result(of: ["settings", "set", "loudness", "off"], environment).errors.isEmpty)
  }

  @Test(
    "a follower ends when its reader is gone, though nothing happens",
    arguments: ["status --follow | head -1", "status --follow | true", "events | true"])
  func readerGone(words: String) async throws {
    let agent = try await makeAgent(Self.rows)
    let program = try FermataTestKit.Program.beside("fermata").path
    let child = try Child(
      .named("sh", package: "dash"), ["-c", "'\(program)' \(words)"], environment: agent.bus.environment)
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardError.isEmpty)
    try await onLoop { agent.leftOut = [] }
  }

  @Test("a followed status is written once a step of the track, and when something changes that it shows")
  func pace() {
    typealias Step = (text: String, position: Duration?, isDue: Bool)
    let steps: [Step] = [
      ("a", .seconds(1), true), ("a", .milliseconds(1_900), false), ("a", .milliseconds(2_001), true),
      ("b", .milliseconds(2_500), true), ("b", .milliseconds(2_600), false), ("b", .seconds(1), true),
      ("b", nil, true), ("b", nil, false), ("a", nil, true), ("a", .seconds(-1), true),
      ("a", .zero, false),
    ]
    var pace = FollowPace(interval: .seconds(1))
    for (index, step) in steps.enumerated() {
      #expect(pace.isDue(step.text, position: step.position) == step.isDue, "step \(index)")
    }
    for (interval, position, wait) in [
      (1_000, 0, 1_005), (1_000, 999, 6), (1_000, 1_000, 1_005), (300, 1_000, 205), (500, -20, 505),
    ] {
      let pace = FollowPace(interval: .milliseconds(interval))
      #expect(pace.wait(at: .milliseconds(position)) == .milliseconds(wait), "\(interval) at \(position)")
    }
  }

  @Test(
    "the living line fits into any terminal, and has the times in it where there is room", arguments: 4...160)
  func livingLine(columns: Int) {
    var status = StatusFace(Faces.playing, position: .seconds(83))
    let line = LivingLine.text(status, columns: columns)
    #expect(line.width < max(4, columns), "\(line.rendered(.plain))")
    if columns >= 40 {
      #expect(line.rendered(.plain).contains("1:23") && line.rendered(.plain).contains("5:05"))
    }
    if columns >= 60 { #expect(line.rendered(.plain).hasPrefix("▶ Björk, Guest – Jóga  ")) }
    (status.state, status.why) = (.paused, "route")
    let paused = LivingLine.text(status, columns: columns).rendered(.plain)
    // A long title gives way to the reason.
    if columns >= 60 { #expect(paused.contains("(paused: its output is gone)"), "\(columns): \(paused)") }
    if columns >= 40 { #expect(paused.contains("1:23") && paused.contains("5:05"), "\(columns): \(paused)") }
    status.current = nil
    #expect(LivingLine.text(status, columns: columns).width < max(4, columns))
  }

  @Test("JSON and moving templates come as often as was asked, and only while a track plays")
  func interval() async throws {
    let agent = try await makeAgent(Self.rows)
    for words in [["--json"], ["--format", "{positionSeconds}"]] {
      let child = try Child(
        .beside("fermata"), ["status", "--follow", "--interval", "0.05"] + words,
        environment: agent.bus.environment, isInteractive: true)
      var lines = Set<String>()
      while lines.count < 2 { lines.insert(try child.nextLine(until: .patient)) }
      child.stop()
    }
    try await onLoop { agent.face.state = .paused }
    let child = try Child(
      .beside("fermata"), ["status", "--follow", "--json", "--interval", "0.05"],
      environment: agent.bus.environment, isInteractive: true)
    _ = try child.nextLine(until: .patient)
    #expect(throws: KitError.self) { try child.nextLine(until: .after(.milliseconds(500))) }
  }

  @Test("on a terminal it is one line that moves, is drawn anew for another width, and goes with Ctrl-C")
  func livingTerminal() async throws {
    let agent = try await makeAgent(Self.rows)
    let program = try FermataTestKit.Program.beside("fermata").path
    let terminal = try FermataTestKit.Program.named("script", package: "bsdutils")
    let folder = try TemporaryDirectory()
    let pipe = folder.path("narrow")
    #expect(mkfifo(pipe, 0o600) == 0)
    let narrowing = "{ read word < \(pipe); stty cols 40 < /dev/tty; }"
    let child = try Child(
      terminal, ["-qec", "stty cols 60; \(narrowing) & exec \(program) status --follow", "/dev/null"],
      environment: agent.bus.environment.merging(["SHELL": "/bin/sh"]) { $1 }, isInteractive: true)
    let first = try child.text(through: "1:24")
    #expect(
      first.contains("\r\u{1B}[J▶ Björk, Guest – Jóga  ") && !first.contains("\n"),
      "\(first.debugDescription)")
    try await onLoop {
      agent.face.state = .paused
      try agent.emit(AgentDescriptions.player, "StateChanged", .arguments("paused", "user"))
    }
    _ = try child.text(through: "(paused)")
    _ = try child.text(through: "\r")
    // Longer than two of its beats.
    let more = try? child.text(through: "\r", within: .milliseconds(700))
    #expect(more == nil, "nothing is written while it is paused")
    try folder.write("narrow", "now\n")
    #expect(try child.text(through: "\r") == "\r")
    let narrow = try child.text(through: "\r")
    let width = TerminalText.width(String(narrow.dropFirst(3).dropLast()))
    #expect(narrow.contains("1:23") && width < 40 && width > 30, "\(narrow.debugDescription)")
    try child.send("\u{3}")
    let rest = try child.text(through: nil)
    #expect(rest.hasSuffix("\r\u{1B}[J"), "\(rest.debugDescription)")
    #expect(child.exit(until: .patient) == .exited(130))
  }

  @Test("events and a followed status come line by line, and end with the agent")
  func following() async throws {
    let agent = try await makeAgent(Self.rows)
    let status = try Child(
      .beside("fermata"), ["status", "--follow", "--format", "{state} {volume}"],
      environment: agent.bus.environment, isInteractive: true)
    #expect(try status.nextLine(until: .patient) == "playing 80%")
    let events = try Child(
      .beside("fermata"), ["events", "--json"], environment: agent.bus.environment, isInteractive: true)
    // A second client proves nothing about the first: tell until it hears.
    var line: String?
    for _ in 0..<100 where line == nil {
      try await onLoop {
        agent.face.volume = 0.5
        try agent.emit(AgentDescriptions.player, "StateChanged", .arguments("paused", "call"))
      }
      line = try? events.nextLine(until: .after(.milliseconds(100)))
    }
    #expect(line?.contains(#""event":"state","state":"paused","why":"call"}"#) == true)
    #expect(try status.nextLine(until: .patient) == "playing 50%")
    try await onLoop { agent.connection.close() }
    #expect(status.exit(until: .patient) == .exited(69))
    #expect(events.exit(until: .patient) == .exited(69))
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
