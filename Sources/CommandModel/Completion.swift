// SPDX-License-Identifier: MIT

/// Generates the scripts with which shells complete a program's command lines.
package enum Completion {
  package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish
  }

  /// The complete script for a shell.
  package static func script(for root: CommandDefinition, shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletion(root).text
    case .zsh: ZshCompletion(root).text
    case .fish: FishCompletion(root).text
    }
  }
}

extension CommandPath {
  /// The command to which the options and arguments at this place belong: the command itself, or its standard subcommand.
  var effective: CommandDefinition {
    command.standard ?? command
  }

  /// The commands that may be typed after `help`.
  var commandNames: [String] { root.subcommands.map(\.name) }

  /// The places behind `help` at which a command has been typed: the words after the program's name, and the command.
  var helpPlaces: [(words: [String], command: CommandDefinition)] {
    let paths = CommandPath(root).all.dropFirst()
    return paths.filter { $0.command.arguments.contains { $0.value.completion == .commands } }.flatMap {
      help in
      paths.map { (help.words + $0.words, $0.command) }
    }
  }
}

extension String {
  /// The text quoted as one word of a shell script, whatever it contains.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// The text without the backticks that mark literal words.
  var unmarked: String { filter { $0 != "`" } }
}

/// Generates the part of a completion script that finds the names of the user's own files in a certain folder, such as playlists.
enum KeptNames {
  /// Lines for bash and zsh that go through these files, put each name into `$name`, and then run the command `tell`. `pattern` matches the files in
  /// the folder.
  ///
  /// If the folder doesn't exist there are no names. A name with a control character is not offered: a line break
  /// would split it into two.
  ///
  /// `quoted` is a command that puts the quoted name into `$quoted`. If the shell writes `$'...'` there, the escapes do not stand for letters, and the
  /// file's name is meant as it is.
  static func loop(_ files: KeptFiles, pattern: String, quoted: String, tell: String) -> String {
    #"""
      [[ $folder == /* ]] || folder=${HOME-}/.local/share
      for file in "$folder"/\#(files.folder.shellQuoted)/\#(pattern); do
        [[ -f $file ]] || continue
        rest=${file##*/}
        rest=${rest%.*}
        whole=$rest
        name=
        while [[ $rest == *%* ]]; do
          name+=${rest%%\%*}
          rest=${rest#*%}
          if [[ $rest == [[:xdigit:]][[:xdigit:]]* ]]; then
            printf -v byte "\\x${rest:0:2}"
            name+=$byte
            rest=${rest:2}
          else
            name+=%
          fi
        done
        name+=$rest
        [[ $name != *[[:cntrl:]]* ]] || continue
        \#(quoted)
        [[ $quoted != *\$\'* ]] || name=$whole
        \#(tell)
      done
    """#
  }
}

extension CommandPath {
  /// All kinds of files, such as playlists, whose names may be typed in some command because the user keeps them in a certain folder. Each kind is
  /// listed once.
  var keptFiles: [KeptFiles] {
    let commands = all.map(\.command)
    let values = commands.flatMap { $0.arguments.map(\.value) + $0.options.compactMap(\.value) }
    return values.compactMap(\.kept).reduce(into: []) { found, files in
      if !found.contains(files) { found.append(files) }
    }
  }
}
