// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@testable import FermataCommands

@Suite("Completion of playlists' names and of settings' values")
struct KeptNameCompletionTests {
  private let data: TemporaryDirectory

  init() throws {
    data = try TemporaryDirectory()
    let files = [
      "AC%2FDC.m3u8", "100% hits.m3u8", "Road trip.m3u8", "Road works.m3u8", "it's $5.m3u8", "Björk.m3u8",
      "q=1 one.m3u8", "q=10.m3u8", "q=2.m3u8", "Zu: soft.m3u8", "50%ab.m3u8", ".hidden.m3u8", "list.m3u",
      "disc.cue", "two%0Alines.m3u8",
    ]
    for name in files { try data.write("fermata/playlists/\(name)", "") }
    try data.makeFolder("fermata/playlists/folder.m3u8")
  }

  /// What bash offers, one a line, for words as it takes a line apart.
  private func bash(_ words: [String], prepare: String = "") throws -> [String] {
    let array = words.map {
      "'" + $0.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
    // The line of which bash made these words: it takes a word apart at each colon and equals sign.
    let line = [":", "="].reduce(words.joined(separator: " ")) { line, mark in
      line.replacing(" \(mark) ", with: mark).replacing(" \(mark)", with: mark)
    }
    let script =
      Completion.script(for: FermataProgram.definition, shell: .bash)
        + """
        COMP_LINE='\(line.replacing("'", with: "'\\''"))' COMP_POINT=999
        set -u; cd /; export HOME=/nowhere XDG_DATA_HOME='\(data.path)'; \(prepare)
        COMP_WORDS=(\(array.joined(separator: " "))); COMP_CWORD=\(words.count - 1); _fermata
        printf '%s\\n' "${COMPREPLY[@]-}"

        """
    let result = try Program(["bash", "--norc", "-s"], input: script)
    #expect(result.status == 0)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(
    "bash offers the values of the setting before the cursor",
    arguments: [
      (["repeat", ""], ["none", "one", "all"]), (["play-on-start", "y"], ["yes"]),
      (["resume-on-return", ""], ["off"]), (["duck-level", ""], []),
      (["role-ph"], ["role-phone"]),
    ])
  func values(words: [String], offered: [String]) throws {
    #expect(try bash(["fermata", "settings", "set"] + words) == offered)
  }

  @Test("every setting's words are offered", arguments: Completion.Shell.allCases)
  func everyValue(shell: Completion.Shell) {
    let script = Completion.script(for: FermataProgram.definition, shell: shell)
    let line: [Completion.Shell: String] = [
      .bash: "' settings set loudness') words='off track album auto' ;;",
      .zsh: "loudness) compadd \"$@\" -- off track album auto ;;",
      .fish: "-n '__fermata_at \\' settings set\\'; and __fermata_after loudness' -a 'off track album auto'",
    ]
    #expect(script.contains(line[shell] ?? "no line"))
  }

  @Test(
    "bash offers playlists as their names have to be typed, however the word was begun",
    arguments: [
      (["show", "Ro"], ["Road\\ trip", "Road\\ works"]), (["show", "Road\\ t"], ["Road\\ trip"]),
      (["delete", "'Road t"], ["Road trip"]), (["save", "\"Road t"], ["Road trip"]),
      (["show", "A"], ["AC/DC"]), (["show", "AC/"], ["AC/DC"]), (["show", "1"], ["100%\\ hits"]),
      (["show", "it"], ["it\\'s\\ \\$5"]), (["show", "'it"], ["it'\\''s $5"]),
      (["show", "\"it"], ["it's \\$5"]), (["show", "Bj"], ["Björk"]), (["show", "--j"], ["--json"]),
      (["show", "q", "=", "1"], ["1\\ one", "10"]), (["show", "q", "="], ["1\\ one", "10", "2"]),
      (["show", "Zu", ":"], ["\\ soft"]), (["show", "Zu", ":", "\\ s"], ["\\ soft"]),
      (["show", "y", "=", "1"], []), (["delete", "q=1"], ["q=1\\ one", "q=10"]),
      (["delete", "\"q=1"], ["q=1 one", "q=10"]),
      (["save", "50"], ["50%ab"]),
      (["show", "."], []), (["show", "two"], []), (["show", "fo"], []), (["show", "x"], []),
    ])
  func names(words: [String], offered: [String]) throws {
    #expect(try bash(["fermata", "playlist"] + words) == offered)
  }

  @Test(
    "bash offers them as sources, whether or not it takes the word apart at the colon",
    arguments: [
      (
        ["playlist", ":"],
        [
          "100%\\ hits", "50%ab", "AC/DC", "Björk", "Road\\ trip", "Road\\ works", "Zu:\\ soft",
          "it\\'s\\ \\$5", "list",
          "q=10", "q=1\\ one", "q=2",
        ]
      ),
      (["playlist", ":", "Road\\ t"], ["Road\\ trip"]),
      (["playlist:Road\\ t"], ["playlist:Road\\ trip"]),
      (["'playlist:Ro"], ["playlist:Road trip", "playlist:Road works"]),
      (["a.mp3", "playlist", ":", "A"], ["AC/DC"]), (["playlis"], ["playlist:"]), (["us"], ["usr"]),
      (["playlist:x"], []),
    ])
  func sources(words: [String], offered: [String]) throws {
    for command in ["play", "add"] {
      #expect(try bash(["fermata", command] + words).sorted() == offered)
    }
  }

  @Test(
    "a folder that is not there is silence, whatever the shell's options",
    arguments: ["", "shopt -s failglob;", "shopt -s nullglob;", "set -f;", "unset HOME;", "set -o posix;"])
  func nothing(option: String) throws {
    let none = option + "export XDG_DATA_HOME='\(data.path("none"))'"
    #expect(try bash(["fermata", "playlist", "show", "R"], prepare: none) == [])
    #expect(try bash(["fermata", "playlist", "delete", "-"], prepare: none) == ["--help"])
  }

  @Test("without XDG_DATA_HOME, or with one that is relative, they are below HOME")
  func home() throws {
    try data.write("home/.local/share/fermata/playlists/At home.m3u8", "")
    for variable in ["unset XDG_DATA_HOME", "XDG_DATA_HOME=", "XDG_DATA_HOME=tmp"] {
      let prepare = "\(variable); HOME='\(data.path("home"))'"
      #expect(try bash(["fermata", "playlist", "show", "A"], prepare: prepare) == ["At\\ home"])
    }
  }

  @Test("zsh and fish look into the same folder for names and sources")
  func others() {
    let zsh = Completion.script(for: FermataProgram.definition, shell: .zsh)
    #expect(zsh.contains("for file in \"$folder\"/'fermata/playlists'/*.{m3u8,m3u,pls,xspf}(N); do"))
    #expect(zsh.contains("'1:name:_fermata_playlists'"))
    #expect(zsh.contains("'*:source:{_fermata_playlists_or_files playlist}'"))
    let fish = Completion.script(for: FermataProgram.definition, shell: .fish)
    #expect(fish.contains("for file in \"$folder\"/'fermata/playlists'/*.{m3u8,m3u,pls,xspf}\n"))
    #expect(fish.contains("-n '__fermata_at \\' playlist show\\'' -a '(__fermata_playlists)'"))
    #expect(
      fish.contains(
        "-n '__fermata_at \\' add\\'; and not string match -q \"playlist:*\" -- (commandline -ct)' -F\n"))
    #expect(fish.contains("-a '(__fermata_playlists | string replace -r \"^\" playlist:)'"))
  }
}
