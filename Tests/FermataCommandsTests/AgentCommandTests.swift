// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusModel
import CommandModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@testable import FermataCommands

@Suite("Commands that talk to the agent", .serialized)
struct AgentCommandTests {
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
      (["queue", "move", "2-3", "1"], "Move", [.uint64(11), .uint32(2), .uint32(1)]),
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
    let last = try await CommandStage.asked(words, CommandStage.rows).calls.last
    #expect(last?.member.text == member && last?.arguments == arguments)
  }

  @Test("play with sources sends them absolute, and says what it waits for")
  func play() async throws {
    let result = try await CommandStage.asked(["play", "--shuffle", "/etc/./"])
    let call = try #require(result.calls.last)
    #expect(call.member == "Play" && call.arguments.first == ["file:///etc"].wireValue)
    #expect(result.output == "It will play when the call is over.\n")
  }

  @Test("undo and redo say what they took back and made again")
  func undone() async throws {
    for (counts, text) in [
      (EditCounts(added: 1), "1 track added"), (EditCounts(removed: 12), "12 tracks removed"),
      (EditCounts(moved: 2), "2 tracks moved"),
      (EditCounts(moved: 12, order: "artist, -year"), "12 tracks sorted by artist, -year"),
      (EditCounts(added: 3, removed: 12), "12 tracks replaced by 3"),
    ] {
      #expect(
        try await CommandStage.asked(["queue", "undo"]) { $0.undone = counts }.output == "Undone: \(text)\n")
      #expect(
        try await CommandStage.asked(["queue", "redo"]) { $0.undone = counts }.output
          == "Done again: \(text)\n")
    }
  }

  @Test(
    "rows that are removed are counted, and it is said how they come back",
    arguments: [
      (["remove", "3", "1"], "Removed 2 tracks; 'fermata queue undo' brings them back"),
      (["remove", "current"], "Removed 1 track; 'fermata queue undo' brings it back"),
      (["crop"], "Removed 2 tracks; 'fermata queue undo' brings them back"),
      (["clear"], "Removed 3 tracks; 'fermata queue undo' brings them back"),
    ])
  func removed(words: [String], text: String) async throws {
    #expect(try await CommandStage.asked(["queue"] + words, CommandStage.rows).output == "\(text)\n")
  }

  @Test("removing from an empty queue says that nothing was there")
  func nothingRemoved() async throws {
    #expect(try await CommandStage.asked(["queue", "clear"]).output == "There was nothing to remove\n")
  }

  @Test("a part of the queue is counted as that")
  func partOfQueue() async throws {
    #expect(
      try await CommandStage.asked(["queue", "list", "1-2"], CommandStage.rows).output.hasSuffix(
        "\n2 of 3 tracks, 1:07:08\n"))
    #expect(
      try await CommandStage.asked(["queue", "list", "2-3"], CommandStage.rows).output.hasSuffix(
        "\n2 of 3 tracks, 5:05 or more\n")
    )
  }

  @Test("several rows from the first on may be no rows; one row has to be there")
  func rowsOfNothing() async throws {
    #expect(
      try await CommandStage.asked(["queue", "list", "1-"]).output == CommandStage.asked(["queue"]).output)
    let agent = try await CommandStage.makeAgent()
    for row in ["1", "2-"] {
      #expect(
        try CommandStage.result(of: ["queue", "list", row], agent.bus.environment).status == .exited(1))
    }
  }

  @Test("tags of a part of the queue are read first where that is asked")
  func tagsOfPart() async throws {
    for (words, reads) in [([], 1), (["--tags"], 2)] {
      let calls = try await CommandStage.asked(["queue", "list", "2-3", "--json"] + words) { agent in
        CommandStage.rows(agent)
        agent.unread = 1
      }.calls
      #expect(calls.map(\.member) == [MemberName](repeating: "List", count: reads), "\(calls)")
    }
  }

  @Test("sort says what it did, what it could not read, and what was perhaps meant")
  func sorted() async throws {
    for (outcome, text) in [
      (
        SortOutcome(rows: 3, moved: 2, unread: 0),
        "3 tracks sorted by album; 'fermata queue undo' takes it back\n"
      ),
      (SortOutcome(rows: 3, moved: 0, unread: 0), "Already in order by album\n"),
      (
        SortOutcome(rows: 3, moved: 2, unread: 2),
        """
        3 tracks sorted by album; 'fermata queue undo' takes it back
        2 that could not be read stand last, by path

        """
      ),
    ] {
      #expect(try await CommandStage.asked(["queue", "sort"]) { $0.sorted = outcome }.output == text)
    }
    let outcome = SortOutcome(rows: 3, moved: 2, unread: 1)
    #expect(
      try await CommandStage.asked(["queue", "sort", "artist", "-year", "--json"]) { $0.sorted = outcome }
        .output
        == #"{"by":["artist","-year"],"rows":3,"moved":2,"unread":1}"# + "\n")
    let agent = try await CommandStage.makeAgent()
    for (words, text) in [
      (["artits"], "did you mean 'artist'?"), (["-yeer"], "did you mean 'year'?"),
      (["random"], "fermata shuffle --now"), (["--jsn"], "did you mean '--json'?"),
    ] {
      let run = try CommandStage.result(of: ["queue", "sort"] + words, agent.bus.environment)
      #expect(run.status == .exited(64) && run.errors.contains(text), "\(run)")
    }
  }

  @Test("what plays on is shuffled as long as it is the queue")
  func shuffledOn() async throws {
    let calls = try await CommandStage.asked(["play", "--shuffle"]).calls
    #expect(calls.map(\.member) == ["ShuffleList", "Play"] && calls[0].arguments == [.string("songs")])
  }

  @Test("what isn't there is named, and the rest is sent", arguments: ["play", "add"])
  func missingFile(command: String) async throws {
    let agent = try await CommandStage.makeAgent()
    let run = try CommandStage.result(
      of: [command, "/no/such\u{1B}.mp3", "/", "http://a/b"], agent.bus.environment)
    #expect(run.status == .exited(0))
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("fermata: '/no/such\\u{1B}.mp3': no such file"))
    #expect(lines.last?.hasPrefix("fermata: 'http://a/b': only files are played") == true)
    #expect(
      try await onLoop { agent.calls }.first?.arguments.first == .array("s", [.string("file:///")]))
  }

  @Test("it ends before anything is sent if nothing of what is named is there")
  func allMissing() async throws {
    let agent = try await CommandStage.makeAgent()
    for command in ["play", "add"] {
      let other = try CommandStage.result(
        of: [command, "/no/such", "http://a/b", "/nor/this"], agent.bus.environment)
      #expect(other.status == .exited(65) && other.errors.split(separator: "\n").count == 3)
      let run = try CommandStage.result(of: [command, "/no/such\u{1B}.mp3"], agent.bus.environment)
      #expect(run.status == .exited(66))
      #expect(
        run.errors
          == "fermata: '/no/such\\u{1B}.mp3': no such file or folder; name one that exists\n")
    }
    #expect(try await onLoop { agent.calls }.isEmpty)
  }

  @Test("a row that isn't there is refused, and nothing is changed")
  func noRow() async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    for words in [
      ["queue", "jump", "4"], ["queue", "remove", "1", "4"], ["queue", "move", "1", "4"],
      ["queue", "move", "2-4", "1"],
    ] {
      let run = try CommandStage.result(of: words, agent.bus.environment)
      #expect(run.status == .exited(1))
      #expect(run.errors == "fermata: row 4: the queue has 3 rows; 'fermata queue' lists them\n")
    }
    #expect(try await onLoop { agent.calls }.allSatisfy { ["List", "Rows"].contains($0.member) })
  }

  @Test(
    "too many calls at once can be tried again, and what the bus or systemd says of an agent that does not start is no refusal",
    arguments: [
      (.tooManyCalls("1024 of your calls"), .tryAgain),
      (.limitsExceeded("the message is too large"), .refused),
      (BusError("org.freedesktop.DBus.Error.TimedOut", "it did not start"), .unavailable),
      (BusError("org.freedesktop.systemd1.UnitMasked", "it is masked"), .unavailable),
    ] as [(BusError, ExitCode)])
  func otherErrors(error: BusError, code: ExitCode) async throws {
    let agent = try await CommandStage.makeAgent { $0.refusal = error }
    let run = try CommandStage.result(of: ["next"], agent.bus.environment)
    #expect(run.status == .exited(code.rawValue) && run.errors.contains(error.message), "\(run)")
  }

  @Test("each refusal has its exit code", arguments: AgentError.allCases)
  func refusals(error: AgentError) async throws {
    let agent = try await CommandStage.makeAgent { $0.refusal = error("it is so") }
    let run = try CommandStage.result(of: ["queue", "undo"], agent.bus.environment)
    #expect(run.status == .exited(ExitCode(error).rawValue))
    #expect(run.errors == "fermata: queue undo: it is so\n")
  }

  @Test(
    "what was left out of sources is told, a line each, and the rest of them is in the queue",
    arguments: [["add", "/"], ["play", "/"]])
  func leftOut(words: [String]) async throws {
    let agent = try await CommandStage.makeAgent {
      $0.leftOut = ["/a.mp3: no such file or folder", "and 3 \u{1B}[31mmore"]
    }
    let run = try CommandStage.result(of: words, agent.bus.environment)
    #expect(run.status == .exited(0))
    #expect(run.errors == "fermata: /a.mp3: no such file or folder\nfermata: and 3 \\u{1B}[31mmore\n")
    try await onLoop { agent.leftOut = [] }
  }

  @Test("without an agent or a bus it says what to do")
  func unavailable() throws {
    let bus = try PrivateBus()
    let agentless = try CommandStage.result(of: ["status", "--json"], bus.environment)
    #expect(agentless.status == .exited(69))
    #expect(agentless.errors.hasSuffix("start it with 'setsid -f fermata agent >/dev/null 2>&1'\n"))
    #expect(agentless.output.hasPrefix(#"{"error":{"code":69,"#))
    #expect(try CommandStage.result(of: ["pause"], [:]).status == .exited(69))
  }

  @Test(
    "a mode that was chosen by hand is told to whoever sets it for always",
    arguments: [("repeat", "RepeatChoice", "all"), ("shuffle", "ShuffleChoice", "songs")]
      as [(String, MemberName, String)])
  func chosenByHand(name: String, property: MemberName, value: String) async throws {
    let folder = try TemporaryDirectory()
    let agent = try await CommandStage.makeAgent { $0.choices = [property: "default"] }
    let environment = agent.bus.environment.merging(["HOME": folder.path]) { $1 }
    #expect(try CommandStage.result(of: ["settings", "set", name, value], environment).errors.isEmpty)
    try await onLoop { agent.choices = [property: value] }
    #expect(try CommandStage.result(of: ["settings", "set", name, value], environment).errors.isEmpty)
    let run = try CommandStage.result(of: ["settings", "unset", name], environment)
    #expect(run.status == .exited(0))
    #expect(
      run.errors
        == "fermata: \(name): the agent keeps '\(value)', which was chosen by hand; 'fermata \(name) default' has it follow the settings\n"
    )
    #expect(try CommandStage.result(of: ["settings", "set", "loudness", "off"], environment).errors.isEmpty)
  }
}
