// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FermataTestKit
import Glibc
import PlaybackLogic
import TerminalIO
import Testing

@testable import FermataCommands

@Suite("Errors")
struct ErrorTests {
  @Test("the exit codes are the ones that scripts rely on")
  func codes() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 73, 75, 78])
  }

  @Test("a line names the thing, the reason and what to do")
  func line() {
    let error = CommandError(.noSuchFile, "'/music'", "no such folder", "name one that exists")
    let printer = ErrorPrinter(words: ["play", "/music"])
    #expect(printer.line(error) == "fermata: '/music': no such folder; name one that exists")
    #expect(printer.object(error) == nil)
    #expect(
      printer.line(CommandError(.refused, "queue", "nothing to undo")) == "fermata: queue: nothing to undo")
  }

  @Test("who asks for JSON gets the error as an object too, even where the command line is wrong")
  func object() {
    let error = CommandError(.usage, "'statsu'", "no such command", "did you mean 'status'?")
    let object = ErrorPrinter(words: ["statsu", "--json"]).object(error)
    #expect(object == #"{"error":{"code":64,"message":"'statsu': no such command; did you mean 'status'?"}}"#)
    #expect(ErrorPrinter(words: ["play", "--", "--json"]).object(error) == nil)
  }

  @Test("each reason why an order is refused comes with what to do, except where another order has come")
  func refusals() {
    for refusal in Refusal.allCases where refusal != .overtaken {
      #expect(!refusal.remedy.isEmpty, "\(refusal)")
    }
  }

  @Test("the words of other programs lead to commands that there are")
  func foreignWords() throws {
    let definition = FermataProgram.definition
    for (word, meaning) in definition.foreignWords {
      let words = meaning.split(separator: " ").map(String.init)
      let parser = CommandParser(definition)
      var path = try parser.path(to: Array(words.prefix(1)))
      // What stands behind a command that has none below it is an argument of its own.
      for count in words.indices.dropFirst(2) + [words.count] where !path.command.subcommands.isEmpty {
        path = try parser.path(to: Array(words.prefix(count)))
      }
      #expect(path.words.count <= words.count && !words.isEmpty, "\(word)")
    }
  }

  @Test("a file's name is quoted where a shell would read something else")
  func quoting() {
    let words = ["/a/b.mp3", "Björk.flac", "a b.mp3", "$5 \"x\"", "it's", "My Help!.mp3"].map(
      ShellWord.quoted)
    #expect(
      words == [
        "/a/b.mp3", "Björk.flac", "\"a b.mp3\"", #""\$5 \"x\"""#, "\"it's\"", #"My\ Help\!.mp3"#,
      ])
  }

  @Test("errors go to standard error, objects to standard output, and the code is the status")
  func printing() throws {
    let files = [try #require(tmpfile()), try #require(tmpfile())]
    defer { for file in files { fclose(file) } }
    let writers = files.map { LineWriter(fileno($0)) }
    let error = CommandError(.tryAgain, "library", "a scan is under way", "try again when it is done")
    let code = ErrorPrinter(words: ["--json"]).print(error, output: writers[0], errors: writers[1])
    for file in files { rewind(file) }
    #expect(code == .tryAgain)
    let message = "library: a scan is under way; try again when it is done"
    #expect(TextFile.rest(of: files[0]) == #"{"error":{"code":75,"message":"\#(message)"}}"# + "\n")
    #expect(TextFile.rest(of: files[1]) == "fermata: \(message)\n")
  }

  @Test("a file's name can't write to the terminal through an error")
  func hostile() {
    let error = CommandError(.noSuchFile, "'\u{1B}]52;c;x\u{07}'", "no such file")
    #expect(ErrorPrinter(words: []).line(error) == #"fermata: '\u{1B}]52;c;x\u{7}': no such file"#)
  }

  @Test(
    "mistyped words are answered with what was meant",
    arguments: [
      (["statsu"], "'statsu': no such command; did you mean 'status'?"),
      (["prevous"], "'prevous': no such command; did you mean 'previous'?"),
      (["current"], "'current': no such command; did you mean 'status'?"),
      (["del", "3"], "'del': no such command; did you mean 'queue remove'?"),
      (["ls"], "'ls': no such command; did you mean 'queue'?"),
      (["random", "on"], "'random': no such command; did you mean 'shuffle'?"),
      (["--json", "single"], "'single': no such command; did you mean 'repeat one'?"),
      (["crossfade", "4"], "'crossfade': no such command; did you mean 'settings set crossfade'?"),
      (["xyzzy"], "'xyzzy': no such command; 'fermata help' lists them"),
      (["clear"], "'clear': no such command; did you mean 'queue clear'?"),
      (["save", "x"], "'save': no such command; did you mean 'queue save' or 'playlist save'?"),
      (["queue", "mvoe"], "'mvoe': no such command of 'fermata queue'; did you mean 'move'?"),
      (["status", "--jsn"], "'--jsn': no such option of 'fermata status'; did you mean '--json'?"),
      (["status", "-json"], "'-j' in '-json': no such option of 'fermata status'; did you mean '--json'?"),
      (["pause", "now"], "'now': one word too many for 'fermata pause'; see 'fermata help pause'"),
      (["queue", "move", "1"], "queue move: needs M; write 'fermata queue move N M'"),
      (["add", "a", "--at"], "--at: needs N; write '--at N'"),
      (["add", "a", "--at", "--next"], "--at: needs N; write '--at N'"),
      (
        ["repeat", "al"],
        "'al': no such mode of 'fermata repeat'; did you mean 'all'? It is one of none, off, one, all, default"
      ),
      (
        ["settings", "get", "loudnes"],
        "'loudnes': no such key of 'fermata settings get'; did you mean 'loudness'?"
      ),
      (["queue", "jump", "0"], "row '0': out of range; write a number from 1 up"),
      (["queue", "jump", "-1"], "row '-1': out of range; write a number from 1 up"),
      (
        ["queue", "jump", "9999999999999999999"],
        "row '9999999999999999999': out of range; write a number from 1 up"
      ),
      (["queue", "jump", "-"], "row '-': not a whole number; write one from 1 up"),
      (
        ["add", "-dash.wav"],
        "'-d' in '-dash.wav': no such option of 'fermata add'; see 'fermata help add', or write './-dash.wav' if it is a file"
      ),
      (["help", "--man", "play"], "'play': what is written is about all commands; leave it out"),
      (["status", "--json=1"], "--json: takes no value; leave '=1' out"),
    ])
  func mistyped(words: [String], text: String) {
    let error = #expect(throws: CommandError.self) {
      try CommandParser(FermataProgram.definition).parse(words)
    }
    #expect(error?.description == text)
  }
}
