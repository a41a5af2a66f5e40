// SPDX-License-Identifier: MIT

/// Whatever tests and scripts run is installed by the command that runs them: on a machine where everything is there nobody
/// would notice what packaging/setup/needs.sh forgets.
enum ProgramRules {
  static let list = "packaging/setup/needs.sh"

  /// The programs by the package, as `needs.sh` names it, that they come with or that depends on theirs.
  private static let packages: [String: String] = [
    "appstreamcli": "appstream", "audacious": "audacious", "busctl": "systemd", "cc": "g++", "cmus": "cmus",
    "cmus-remote": "cmus",
    "dbus-daemon": "dbus", "dbus-send": "dbus", "desktop-file-validate": "desktop-file-utils",
    "dpkg-shlibdeps": "dpkg-dev",
    "dpkg-source": "dpkg-dev", "ffmpeg": "ffmpeg", "flac": "flac", "gdbus": "libglib2.0-bin",
    "jmac": "libjmac-java", "lame": "lame",
    "lintian": "lintian", "lintian-explain-tags": "lintian", "man": "man-db",
    "metaflac": "flac", "mpc": "mpc", "mpcdec": "musepack-tools",
    "mpcenc": "musepack-tools", "mpd": "mpd", "mpg123": "mpg123", "mpv": "mpv", "ncmpcpp": "ncmpcpp",
    "nm": "g++", "oggdec": "vorbis-tools",
    "oggenc": "vorbis-tools",
    "opusdec": "opus-tools", "opusenc": "opus-tools", "pactl": "pulseaudio-utils",
    "paplay": "pulseaudio-utils",
    "pipewire": "pipewire",
    "pipewire-pulse": "pipewire-pulse", "pkg-config": "pkg-config", "playerctl": "playerctl",
    "playerctld": "playerctl",
    "pulseaudio": "pulseaudio", "python3": "python3-mutagen",
    "readelf": "g++", "shellcheck": "shellcheck", "sox": "sox", "systemctl": "systemd",
    "systemd-analyze": "systemd", "tmux": "tmux",
    "valgrind": "valgrind", "vlc": "vlc-bin", "vorbiscomment": "vorbis-tools", "wireplumber": "wireplumber",
  ]

  /// What each Debian and Ubuntu has, and what whoever builds has installed before.
  private static let present: Set<String> = [
    "apt-cache", "apt-config", "apt-get", "awk", "bash", "basename", "cat", "chmod", "comm", "cp", "cut",
    "date", "dirname", "dpkg",
    "dpkg-deb", "dpkg-query", "du", "env", "find", "flock", "getconf", "grep", "gzip", "head", "id", "ldd",
    "ln", "ls", "make", "md5sum",
    "mkdir", "mktemp", "mount", "mv", "nice", "nohup", "paste", "prlimit", "readlink", "realpath", "rm",
    "rmdir",
    "script", "sed",
    "setarch",
    "setpriv", "setsid", "sh", "sleep",
    "sort", "stat", "sudo", "swift", "swiftc", "tail", "tee", "timeout", "touch", "tr", "true", "uname",
    "unshare",
    "wc", "xargs",
  ]

  /// What a test wants to be missing.
  private static let absent = "no-such-program"

  static func violations(in file: SourceFile, needs: Needs) -> [Violation] {
    guard let purpose = purpose(of: file.path) else { return [] }
    let installed = needs.packages[purpose] ?? []
    return programs(in: file).compactMap { program in
      let name = program.name
      if present.contains(name) { return nil }
      guard let package = packages[name] else {
        return file.violation(
          program.line, "nobody knows which package \(name) comes with: say it in ProgramRules")
      }
      guard !installed.contains(package) else { return nil }
      return file.violation(
        program.line, "\(name) comes with \(package), which \(list) does not install for '\(purpose)'")
    }
  }

  /// For which of its purposes `needs.sh` is asked before the file's programs run.
  private static func purpose(of path: String) -> String? {
    let purposes = [
      ("Tests/Benchmarks/", "bench"), ("Tests/ArchitectureTests/Samples/", nil), ("Tests/", "test"),
      ("Tests/FermataTestKit/", "test"), (".ci/", "test"), ("Makefile", "all"),
      ("packaging/setup/play.sh", "play"),
      ("packaging/deb/build.sh", "deb"), ("packaging/deb/", "test_deb"), ("packaging/release/", "bench"),
      ("packaging/setup/sanitized.sh", "test"), ("packaging/desktop/", "test"), ("packaging/", "build"),
    ]
    return purposes.first { path.hasPrefix($0.0) }?.1
  }

  static func programs(in file: SourceFile) -> [ShellScanner.Command] {
    if file.isSwift { return swiftPrograms(in: file) }
    if file.path == "Makefile" {
      return recipes(in: file).flatMap { ShellScanner($0.text, firstLine: $0.line).programs }
    }
    if file.path.hasSuffix(".sh") || file.path.hasPrefix(".ci/") { return ShellScanner(file.text).programs }
    return []
  }

  // MARK: Swift

  /// Programs that are named to the kit, those of the table that begin a list of words, and what shells are given to run.
  private static func swiftPrograms(in file: SourceFile) -> [ShellScanner.Command] {
    let tokens = file.tokens
    return tokens.indices.dropFirst(2).flatMap { at -> [ShellScanner.Command] in
      let (token, before) = (tokens[at], tokens[at - 1])
      guard token.kind == .string, !token.text.isEmpty else { return [] }
      let after = tokens[(at + 1)...].prefix(2).map(\.text)
      if before.isCode("("), tokens[at - 2].isCode("named"), after == [",", "package"] {
        return token.text == absent ? [] : [.init(name: token.text, line: token.line)]
      }
      let shell = ShellScanner(token.text, firstLine: token.line).programs.filter { $0.name != "fermata" }
      if isScript(tokens[..<at]) { return shell }
      if isCommand(tokens[at - 2], before) { return shell.filter { packages[$0.name] != nil } }
      let begins = before.isCode("[") || before.isCode("(")
      return begins && packages[token.text] != nil ? [.init(name: token.text, line: token.line)] : []
    }
  }

  /// What follows `script =`, or `"-c",` that begins the words for a shell.
  private static func isScript(_ before: ArraySlice<Token>) -> Bool {
    let texts = Array(before.suffix(4).map(\.text))
    if texts.suffix(2) == ["script", "="] { return true }
    return texts.suffix(3) == ["[", "-c", ","]
      || texts.suffix(3) == [",", "-c", ","] && texts[0].hasSuffix("sh")
  }

  /// `run("…")`, `from: "…"` and a function that is nothing but a string: a command line at times, and at times something else.
  private static func isCommand(_ first: Token, _ second: Token) -> Bool {
    first.isCode("run") && second.isCode("(") || first.isCode("from") && second.isCode(":")
      || first.isCode("String") && second.isCode("{")
  }

  // MARK: The Makefile

  /// The commands of its targets, with what `make` puts in made a variable.
  private static func recipes(in file: SourceFile) -> [(text: String, line: Int)] {
    var recipes: [(text: String, line: Int)] = []
    var goesOn = false
    for (index, line) in file.lines.enumerated() {
      if goesOn {
        recipes[recipes.count - 1].text += "\n" + withoutMake(String(line))
      } else if line.hasPrefix("\t") {
        recipes.append((withoutMake(String(line.drop { "\t@-+".contains($0) })), index + 1))
      }
      goesOn = (goesOn || line.hasPrefix("\t")) && line.hasSuffix("\\")
    }
    return recipes
  }

  private static func withoutMake(_ line: String) -> String {
    var text = ""
    var open = 0
    var isDollar = false
    for letter in line {
      if open > 0 {
        open += letter == "(" ? 1 : letter == ")" ? -1 : 0
      } else if isDollar {
        // Two dollars are one for the shell.
        open = letter == "(" ? 1 : 0
        text += letter == "$" ? "$" : "$make"
        isDollar = false
      } else if letter == "$" {
        isDollar = true
      } else {
        text.append(letter)
      }
    }
    return text
  }
}

/// The packages that packaging/setup/needs.sh installs for each purpose, by all their names.
struct Needs {
  private(set) var packages: [String: Set<String>] = [:]

  init(_ file: SourceFile) {
    var purpose: String?
    var isList = false
    for line in file.lines {
      let words = line.split { $0 == " " || $0 == "\"" }
      if let range = line.firstRange(of: "_needs() {") {
        purpose = String(line[..<range.lowerBound])
      } else if line == "}" {
        purpose = nil
      } else if let purpose, let first = words.first {
        if isList || first == "echo" {
          isList = first != "LIST" && isList
          let names = isList ? first : first == "echo" && words.count > 1 ? words[1] : ""
          packages[purpose, default: []].formUnion(names.split(separator: "|").map(String.init))
        } else if first == "cat" {
          isList = true
        } else if first.hasSuffix("_needs") {
          packages[purpose, default: []].formUnion(packages[String(first.dropLast("_needs".count))] ?? [])
        }
      }
    }
    packages["all"] = packages.values.reduce(into: []) { $0.formUnion($1) }
  }
}
