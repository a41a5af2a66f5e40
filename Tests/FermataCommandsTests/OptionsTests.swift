// SPDX-License-Identifier: MIT
import CommandModel
import PlaybackLogic
import ScreenModel
import Testing

@testable import FermataCommands

@Suite("What command lines say")
struct OptionsTests {
  private func read<Asked: Command>(_ words: String..., as: Asked.Type = Asked.self) throws -> Asked {
    let invocation = try CommandParser(FermataProgram.definition).parse(words)
    guard case .run(let command as Asked, _) = invocation else {
      throw CommandError(.refused, "\(words)", "say \(invocation)")
    }
    return command
  }

  private func refusal(_ words: [String]) -> CommandError? {
    #expect(throws: CommandError.self) { try CommandParser(FermataProgram.definition).parse(words) }
  }

  @Test(
    "a command that never ends is refused on the screen's ':' line, also with options before it",
    arguments: [
      (["events"], "events"), (["--json", "events"], "events"), (["fermata", "--json", "events"], "events"),
      (["status", "--follow"], "status"), (["--json", "status", "--follow"], "status"),
      (["--follow", "status"], "status"), (["play", "--here", "/a.mp3"], "play"),
      (["--here", "play"], "play"), (["agent"], "agent"), (["--plain", "ui"], "ui"),
    ])
  func endless(words: [String], name: String) {
    let wrong = Screen.mistake(in: words, of: FermataProgram.definition)
    #expect(wrong?.hasPrefix("':\(name)': ") == true, "\(words): \(wrong ?? "taken")")
  }

  @Test(
    "a command that ends is taken on the screen's ':' line",
    arguments: [
      ["status"], ["--json", "status"], ["play", "--", "--here"], ["events", "--help"], ["play", "/a.mp3"],
    ])
  func ending(words: [String]) {
    #expect(Screen.mistake(in: words, of: FermataProgram.definition) == nil)
  }

  @Test("seek takes places, moves, and held runs")
  func seek() throws {
    let cases: [(String, PlayerOrder)] = [
      ("90", .seekTo(.seconds(90))), ("+30", .seek(.seconds(30))), ("-30", .seek(.seconds(-30))),
      ("-1:30", .seek(.seconds(-90))), ("1:02:03.5", .seekTo(.milliseconds(3_723_500))),
      ("-0.5", .seek(.milliseconds(-500))), ("--end", .endSeek), ("--begin=forward", .beginSeek(.forward)),
    ]
    #expect(try read("seek", "50%") == OrderCommand(.seekToPart(0.5)))
    #expect(try read("seek", "100%") == OrderCommand(.seekToPart(1)))
    for (word, expected) in cases { #expect(try read("seek", word) == OrderCommand(expected), "\(word)") }
    #expect(try read("seek", "--begin", "backward") == OrderCommand(.beginSeek(.backward)))
  }

  @Test(
    "seek refuses what is no time, and two forms at once",
    arguments: [
      ["seek"], ["seek", "soon"], ["seek", "-.5"], ["seek", "+"], ["seek", "101%"], ["seek", "+5%"],
      ["seek", "%"], ["seek", "30", "--end"],
      ["seek", "--begin", "up"], ["seek", "--begin=forward", "--end"], ["seek", "1", "2"],
    ])
  func noSeek(words: [String]) { _ = refusal(words) }

  @Test("volume sets, raises, lowers and shows")
  func volume() throws {
    let cases: [(String, VolumeCommand.Change)] = [
      ("50%", .to(50)), ("0", .to(0)), ("100%", .to(100)), ("+5%", .by(5)), ("-5%", .by(-5)),
      ("-100", .by(-100)), ("mute", .mute(true)), ("unmute", .mute(false)), ("toggle", .toggleMute),
    ]
    for (word, change) in cases {
      let options: VolumeCommand = try read("volume", word)
      #expect(options.change == change, "\(word)")
    }
    let shown: VolumeCommand = try read("volume", "--json")
    #expect(shown.change == nil && shown.json)
    for word in ["101%", "0.5", "%", "", "+", "5%%", "-", "loud", "٣%"] { _ = refusal(["volume", word]) }
  }

  @Test("modes are read, and a mistyped one is answered with the nearest")
  func modes() throws {
    let options: RepeatCommand = try read("repeat", "default")
    #expect(options.mode == .default)
    #expect((try read("shuffle", as: ShuffleCommand.self)).mode == nil)
    #expect((try read("repeat", "off", as: RepeatCommand.self)).mode == .chosen(.none))
    #expect((try read("shuffle", "on", as: ShuffleCommand.self)).mode == .chosen(.songs))
    #expect(refusal(["shuffle", "album"])?.remedy.hasPrefix("did you mean 'albums'?") == true)
  }

  @Test("add knows where things go, in whatever order it is told")
  func add() throws {
    let end: AddCommand = try read("add", "a", "b")
    #expect(end.sources == .words(["a", "b"]) && end.place == .end)
    #expect((try read("add", "a", "--next", as: AddCommand.self)).place == .next)
    let row: AddCommand = try read("add", "--at", "3", "--", "--next")
    #expect(row.place == .row(3) && row.sources == .words(["--next"]))
    #expect((try read("add", "-", as: AddCommand.self)).sources == .standardInput)
    for words in [
      ["add"], ["add", "a", "-"], ["add", "--at", "0", "a"], ["add", "--next", "--at", "1", "a"],
    ] {
      _ = refusal(words)
    }
  }

  @Test("rows are whole numbers from 1")
  func rows() throws {
    #expect((try read("queue", "remove", "3", "1", "3", as: QueueRemoveCommand.self)).rows == [1, 3])
    let runs: QueueRemoveCommand = try read("queue", "remove", "7-9", "2", "8-10", "4-4")
    #expect(runs.rows == [2, 4, 7, 8, 9, 10])
    for word in ["3-", "-3", "3-2", "0-2", "1-2-3", "a-b", "1-99999999999"] {
      _ = refusal(["queue", "remove", word])
    }
    let current: QueueRemoveCommand = try read("queue", "remove", "current", "2")
    #expect(current.rows == [2] && current.current && !runs.current)
    let move: QueueMoveCommand = try read("queue", "move", "9", "2")
    #expect(move.from == 9...9 && move.to == 2)
    let run: QueueMoveCommand = try read("queue", "move", "3-7", "12")
    #expect(run.from == 3...7 && run.to == 12)
    for word in ["3-", "-3", "7-3", "1-2-3"] { _ = refusal(["queue", "move", word, "1"]) }
    for word in ["0", "-3", "x", "1.5", "+1", "99999999999999999999"] {
      _ = refusal(["queue", "jump", word])
    }
    #expect(refusal(["queue", "move", "1"])?.reason == "needs M")
  }

  @Test(
    "a part of the queue is listed by its rows",
    arguments: [("10-30", 10...30), ("7", 7...7), ("3-", 3...1_000_000), ("4-4", 4...4)])
  func listedRows(word: String, rows: ClosedRange<Int>) throws {
    #expect((try read("queue", "list", word, as: QueueListCommand.self)).rows == rows)
  }

  @Test("rows that are none are refused", arguments: ["0", "0-3", "3-2", "a", "1-2-3", "", "-"])
  func noRows(word: String) { _ = refusal(["queue", "list", word]) }

  @Test("play can play one song or shuffle, not both")
  func play() throws {
    let options: PlayCommand = try read("play", "--shuffle", "--here")
    #expect(options.shuffle && options.here && options.sources == .words([]))
    _ = refusal(["play", "--random", "--shuffle"])
  }

  @Test("a status line's fields are checked before anything is asked of the agent")
  func template() throws {
    #expect((try read("status", "--json", as: StatusCommand.self)).form == .json)
    let error = refusal(["status", "--format", "{artits}"])
    #expect(error?.subject == "--format '{artits}'")
    #expect(error?.remedy.hasPrefix("did you mean '{artist}'? The fields are state,") == true)
    _ = refusal(["status", "--json", "--format", "x"])
  }

  @Test("who asks for a setting that there is not is told what lists them")
  func unknownSetting() {
    #expect(refusal(["settings", "get", "nope"])?.remedy == "'fermata settings' lists them")
  }

  @Test("a time to sleep has units, a colon or nothing")
  func sleep() throws {
    for (word, seconds) in [
      ("30m", 1_800), ("1h20m", 4_800), ("90s", 90), ("1h", 3_600), ("1:30", 5_400), ("0:05", 300),
      ("45", 45),
      ("1h2m3s", 3_723),
    ] {
      #expect((try read("sleep", word, as: SleepCommand.self)).wish == .set(.seconds(seconds)), "\(word)")
    }
    #expect((try read("sleep", "off", as: SleepCommand.self)).wish == .set(nil))
    #expect((try read("sleep", as: SleepCommand.self)).wish == .show)
    for word in ["", "0", "m", "5m1h", "1h30", "1:5", "1:60", "soon", "99999999", "-5m", "200h"] {
      _ = refusal(["sleep", word])
    }
  }

  @Test("a followed status takes an interval with fractions, and nothing else does")
  func interval() throws {
    #expect(
      (try read("status", "--follow", "--interval", "0.5", as: StatusCommand.self)).interval
        == .milliseconds(500))
    #expect((try read("status", "--follow", as: StatusCommand.self)).interval == nil)
    for words in [
      ["--interval", "1"], ["--follow", "--interval", "0"], ["--follow", "--interval", "soon"],
    ] {
      _ = refusal(["status"] + words)
    }
  }

  @Test("JSON can be asked for before the command, and of a group's default")
  func jsonAnywhere() throws {
    #expect((try read("--json", "events", as: EventsCommand.self)).json)
    #expect((try read("queue", "--json", as: QueueListCommand.self)).json)
    #expect((try read("--json", "queue", "list", as: QueueListCommand.self)).json)
    #expect((try read("--version", as: VersionCommand.self)).json == false)
    #expect((try read("-V", "--json", as: VersionCommand.self)).json)
    #expect((try read("--json", "--version", as: VersionCommand.self)).json)
    #expect(try read("prev") == OrderCommand(.previous))
  }

  @Test("standard input's sources are separated by NULs where there are any, else by lines")
  func split() {
    #expect(NamedSources.split(Array("a b\nc\n\n".utf8)) == [Array("a b".utf8), Array("c".utf8)])
    #expect(NamedSources.split(Array("a\nb\0\0c".utf8)) == [Array("a\nb".utf8), Array("c".utf8)])
    #expect(NamedSources.split([0xFF, 0x0A]) == [[0xFF]])
    #expect(NamedSources.split([]).isEmpty)
    #expect(NamedSources.split(Array("a b\r\n\r\nc\r\n".utf8)) == [Array("a b".utf8), Array("c".utf8)])
    #expect(NamedSources.split(Array("a\r\nb\n".utf8)) == [Array("a\r".utf8), Array("b".utf8)])
    #expect(NamedSources.split(Array("a\r\nb\r\nc".utf8)) == ["a", "b", "c"].map { Array($0.utf8) })
    #expect(NamedSources.split(Array("a\r".utf8)) == [Array("a\r".utf8)])
  }
}
