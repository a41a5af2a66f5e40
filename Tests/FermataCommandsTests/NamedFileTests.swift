// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataTestKit
import MediaModel
import Testing

@testable import FermataCommands

/// Names that are no text, folders that are gone, and a home that is none.
@Suite("The files that a person names")
struct NamedFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private struct Run {
    let status: FermataTestKit.ExitStatus?
    let output: String
    let errors: String
  }

  /// Runs lines of a shell in the folder, where `$fermata` is the program and `$latin` a name that is not UTF-8.
  private func shell(_ script: String, _ environment: [String: String] = [:]) throws -> Run {
    let program = try FermataTestKit.Program.beside("fermata").path
    let own = ["HOME": folder.path, "fermata": program, "place": folder.path]
    let child = try Child(
      .named("sh", package: "dash"), ["-c", "cd \"$place\"; latin=$(printf 'B\\366rk')\n\(script)"],
      environment: environment.merging(own) { $1 })
    let status = child.exit(until: .patient)
    return Run(status: status, output: child.standardOutput, errors: child.standardError)
  }

  private var latin: [UInt8] { [0x42, 0xF6, 0x72, 0x6B] }

  @Test("from a folder whose name is no text they are named by its bytes, read and written")
  func latinFolder() async throws {
    let agent = try await onLoop { @AgentLoop in
      let agent = try await FakeAgent()
      agent.artURL = "file://\(folder.path)/cover.jpg"
      return agent
    }
    try folder.write("cover.jpg", "picture")
    let run = try shell(
      """
      mkdir "$latin" && cd "$latin" && : > a.mp3 && : > "$latin.mp3" &&
      "$fermata" add a.mp3 . && "$fermata" play "$latin.mp3" && "$fermata" queue save "$latin.m3u" &&
      "$fermata" art -o "$latin.jpg" && "$fermata" art --output="$latin.png" &&
      mkdir "$latin" && "$fermata" library add "$latin" && "$fermata" library scan "$latin" . &&
      "$fermata" library remove "$latin/" && "$fermata" pads load "$latin" &&
      "$fermata" library add "file://$place/B%F6rk"
      """, agent.bus.environment)
    #expect(run.status == .exited(0), "\(run)")
    let place = "file://\(folder.path)/B%F6rk"
    let calls = try await onLoop { agent.calls }
    #expect(
      calls.filter { $0.member != "Art" }.map { $0.arguments.first } == [
        ["\(place)/a.mp3", place].wireValue, ["\(place)/B%F6rk.mp3"].wireValue,
        .string("\(place)/B%F6rk.m3u"), .string("\(place)/B%F6rk"),
        ["\(place)/B%F6rk", place].wireValue, .string("\(place)/B%F6rk"), .string("\(place)/B%F6rk"),
        .string(place),
      ])
    for ending in [".jpg", ".png"] {
      let copy = folder.at(latin + Array("/".utf8) + latin + Array(ending.utf8))
      #expect(try contents(of: copy) == Array("picture".utf8))
    }
  }

  @Test("numbers on standard input are IDs of items, also where some of them are names of folders here")
  func numbers() async throws {
    let agent = try await onLoop { @AgentLoop in try await FakeAgent() }
    let run = try shell(
      """
      mkdir 1 2 && printf '1\n2\n3\n' | "$fermata" add - && printf '1\n2\n' | "$fermata" add -
      """, agent.bus.environment)
    #expect(run.status == .exited(0) && run.errors.hasPrefix("fermata: 1, 2: taken for files"), "\(run)")
    let place = "file://\(folder.path)"
    #expect(
      try await onLoop { agent.calls }.filter { $0.member == "Append" }.map { $0.arguments.first } == [
        ["item:1", "item:2", "item:3"].wireValue, ["\(place)/1", "\(place)/2"].wireValue,
      ])
  }

  @Test("a URI with this machine's name means a file here, as terminals write it; another's does not")
  func ownHost() async throws {
    let agent = try await onLoop { @AgentLoop in try await FakeAgent() }
    let run = try shell(
      """
      : > a.mp3 && "$fermata" add "file://$(uname -n)$place/a.mp3" && "$fermata" add "file://nas.$(uname -n)$place/a.mp3"
      """, agent.bus.environment)
    #expect(run.status == .exited(66) && run.errors.contains("mount it"), "\(run)")
    #expect(
      try await onLoop { agent.calls }.filter { $0.member == "Append" }.map { $0.arguments.first }
        == [["file://\(folder.path)/a.mp3"].wireValue])
  }

  @Test("below a home whose name is no text they are where it is, and nowhere else")
  func latinHome() throws {
    let run = try shell(
      """
      mkdir "$latin" && export HOME="$place/$latin" && "$fermata" settings set loudness track &&
      "$fermata" settings get loudness && XDG_CONFIG_HOME="$HOME/c" "$fermata" settings set loudness album &&
      mkdir -p "$HOME/.local/share/fermata/playlists" &&
      echo '#EXTM3U' > "$HOME/.local/share/fermata/playlists/Mine.m3u8" && "$fermata" playlist
      """)
    #expect(run.status == .exited(0) && run.output.hasPrefix("track\nMine"), "\(run)")
    let file = folder.at(latin + Array("/c/fermata/fermata.conf".utf8))
    #expect(try contents(of: file) == Array("loudness = album\n".utf8))
    #expect(folder.names().count == 1)
  }

  @Test(
    "in a folder that was removed a name without a place is refused, and a whole one is not",
    arguments: [
      ("add .", 66, "fermata: '.': "), ("play .", 66, "fermata: '.': "),
      ("play --here .", 66, "fermata: '.': "),
      ("play a.mp3", 66, "fermata: 'a.mp3': "), ("queue save x.m3u", 73, "fermata: 'x.m3u': "),
      ("art -o x.jpg", 73, "fermata: 'x.jpg': "), ("add /", 0, ""),
    ] as [(String, Int32, String)])
  func goneFolder(words: String, status: Int32, beginning: String) async throws {
    let agent = try await onLoop { @AgentLoop in
      let agent = try await FakeAgent()
      agent.artURL = "file://\(folder.path)/cover.jpg"
      return agent
    }
    try folder.write("cover.jpg", "picture")
    let run = try shell("mkdir gone; cd gone; rmdir ../gone; \"$fermata\" \(words)", agent.bus.environment)
    let text = "the current folder is gone; go to one that exists, or write the whole path\n"
    #expect(run.status == .exited(status) && run.errors == (status == 0 ? "" : beginning + text), "\(run)")
    let calls = try await onLoop { agent.calls.filter { $0.member != "Art" } }
    #expect(calls.count == (status == 0 ? 1 : 0))
  }

  @Test("a home that does not begin at the root is none, and that is said", arguments: [".", "home"])
  func relativeHome(home: String) throws {
    let reason = "HOME is '\(home)', which does not begin with a slash"
    let lists = try shell("HOME=\(home) \"$fermata\" playlist list")
    #expect(lists.status == .exited(73) && lists.errors.contains(reason), "\(lists)")
    let settings = try shell("HOME=\(home) \"$fermata\" settings set loudness off")
    #expect(settings.status == .exited(78) && settings.errors.contains(reason), "\(settings)")
    #expect(folder.names().isEmpty)
  }

  @Test("something that plays in a command's place has the command named that plays it")
  func sourceAsCommand() throws {
    try folder.write("a b.mp3", "")
    try folder.makeFolder("album")
    for (words, name, hint) in [
      ("'a b.mp3'", "a b.mp3", "\"a b.mp3\""), ("album", "album", "album"), ("album x", "album", "album"),
      ("\"$place/album\"", "\(folder.path)/album", "\(folder.path)/album"),
    ] {
      let run = try shell("\"$fermata\" \(words)")
      #expect(run.status == .exited(64))
      #expect(
        run.errors
          == "fermata: '\(name)': no such command, but there is a file or folder of that name; did you mean 'fermata play \(hint)'?\n"
      )
    }
    #expect(try shell("\"$fermata\" c.mp3").errors.contains("'fermata help' lists them"))
    #expect(try shell(": > status; \"$fermata\" status --jsn").errors.contains("'--json'"))
  }

  @Test(
    "a file's content on standard input is no list of names, whatever its lines name by chance",
    arguments: [
      (#"fLaC\0\0\0\042\020\0\020\0\n.\n"#, "sound"), (#"ID3\004\0\0\0\0\002\001\n.\n"#, "sound"),
      (#"OggS\0\002\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\001\007\001vorbis\n.\n"#, "sound"),
      (#"MThd\0\0\0\006\0\001\n.\n"#, "MIDI, notes without sound"), (#"PK\003\004\n.\n"#, "a ZIP archive"),
    ])
  func contentAsNames(content: String, name: String) async throws {
    let agent = try await onLoop { try await FakeAgent() }
    for words in ["play -", "add -", "play --here -"] {
      let run = try shell("printf '\(content)' | \"$fermata\" \(words)", agent.bus.environment)
      #expect(run.status == .exited(65), "\(words): \(run)")
      #expect(
        run.errors
          == "fermata: standard input: it is \(name), not a list of names; give the file's name\n")
    }
    #expect(try await onLoop { agent.calls }.isEmpty)
  }

  @Test("a standard input that cannot be read is no empty one")
  func unreadableInput() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    for words in ["play -", "add -", "library import -"] {
      let run = try shell("\"$fermata\" \(words) < /", agent.bus.environment)
      #expect(run.status == .exited(1))
      #expect(run.errors.hasPrefix("fermata: standard input: can't be read: Is a directory; "), "\(run)")
    }
    #expect(try await onLoop { agent.calls }.isEmpty)
  }

  @Test("a standard input that does not block is waited for")
  func unblockedInput() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    // The name comes later than the program looks for it.
    let run = try shell(
      """
      : > a.mp3; { for _ in 1 2 3 4; do "$fermata" version > v; done; echo a.mp3; } |
      perl -MFcntl -e 'fcntl(STDIN, F_SETFL, O_NONBLOCK); exec @ARGV' "$fermata" add -
      """, agent.bus.environment)
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(run)")
  }

  @Test("names that begin like a format are names")
  func namesLikeFormats() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    let run = try shell(
      "touch 'ID3 song.mp3' fLaC.flac; printf 'ID3 song.mp3\\0fLaC.flac\\0' | \"$fermata\" add -",
      agent.bus.environment)
    #expect(run.status == .exited(0) && run.errors.isEmpty, "\(run)")
    #expect(try await onLoop { agent.calls }.count == 1)
  }

  @Test("a list of which no line names anything is refused as a whole")
  func namesNothing() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    for words in ["play -", "add -", "play --here -"] {
      let run = try shell("printf 'a\\nb\\nc\\n' | \"$fermata\" \(words)", agent.bus.environment)
      #expect(run.status == .exited(66), "\(words): \(run)")
      #expect(
        run.errors
          == "fermata: standard input: none of its 3 lines names a file or folder: 'a' does not; write a file or folder a line\n"
      )
    }
    #expect(try await onLoop { agent.calls }.isEmpty)
  }

  @Test("alone and without a terminal the program shows its help")
  func alone() throws {
    let run = try shell("\"$fermata\" > all; echo $?; wc -l < all")
    let lines = run.output.split(separator: "\n").compactMap { Int($0) }
    #expect(run.errors.isEmpty && lines.first == 0 && (lines.last ?? 0) > 20, "\(run)")
  }

  @Test(
    "a number that is no file may be a row",
    arguments: [("2", true), ("002", true), ("0", false), ("2x", false)])
  func row(word: String, isRow: Bool) throws {
    let run = try shell("\"$fermata\" play \(word)")
    let remedy = isRow ? "did you mean 'fermata queue jump 2'?" : "name one that exists"
    #expect(run.status == .exited(66))
    #expect(run.errors == "fermata: '\(word)': no such file or folder; \(remedy)\n")
    #expect(!(try shell("\"$fermata\" add \(word)")).errors.contains("jump"))
    #expect(try shell("\"$fermata\" queue \(word)").errors.contains("queue jump 2") == isRow)
  }

  @Test(
    "what a command of a group takes, in that command's place, has the command named",
    arguments: [
      ("settings crossfade 3", "settings set crossfade 3"), ("settings crossfade", "settings get crossfade"),
      ("settings guard-except 'Some Player'", "settings set guard-except \"Some Player\""),
      ("pads 1", "pads hit 1"), ("playlist Mix", "playlist show Mix"),
      ("playlist 'Road trip'", "playlist show \"Road trip\""), ("playlist Other", nil), ("pads 0", nil),
      ("settings crosfade 3", nil),
    ] as [(String, String?)])
  func inGroup(words: String, hint: String?) throws {
    let run = try shell(
      """
      mkdir -p lists/fermata/playlists && cd lists/fermata/playlists && echo '#EXTM3U' > Mix.m3u8 &&
      cp Mix.m3u8 'Road trip.m3u8' && XDG_DATA_HOME="$place/lists" "$fermata" \(words)
      """)
    #expect(run.status == .exited(64))
    if let hint {
      #expect(run.errors.hasSuffix("; did you mean 'fermata \(hint)'?\n"), "\(run)")
    } else {
      #expect(!run.errors.contains("did you mean 'fermata "), "\(run)")
    }
  }
}

@Suite("The words that the program was called with")
struct CommandWordsTests {
  @Test("are as they were typed, and a file's name that is no text keeps its bytes")
  func words() throws {
    let latin = Array("Bj".utf8) + [0xF6] + Array("rk.mp3".utf8)
    let typed = [
      Array("--json".utf8), Array("Björk".utf8), [], latin, Array("/a/".utf8) + latin,
      Array("--output=".utf8) + latin,
    ]
    let words = CommandWords(typed, in: "/music")
    let (here, below) = ("file:///music/Bj%F6rk.mp3", "file:///a/Bj%F6rk.mp3")
    #expect(words.words == ["--json", "Björk", "", here, below, "--output=" + here])
    #expect(words.typed == [here: "Bj\u{FFFD}rk.mp3", below: "/a/Bj\u{FFFD}rk.mp3"])
    #expect(CommandWords([latin], in: nil).words == ["Bj\u{FFFD}rk.mp3"])
  }
}
