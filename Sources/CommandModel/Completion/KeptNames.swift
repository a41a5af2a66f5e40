// SPDX-License-Identifier: MIT

/// Generates the part of a completion script that finds the names of kept files.
enum KeptNames {
  /// Lines for bash and zsh that go through the kept files, put each name into `$name`, and then run the command
  /// `tell`. `pattern` matches the files in the folder.
  ///
  /// If the folder doesn't exist there are no names. A name with a control character is not offered: a line break
  /// would split it into two.
  static func loop(_ files: KeptFiles, pattern: String, tell: String) -> String {
    #"""
      [[ $folder == /* ]] || folder=${HOME-}/.local/share
      for file in "$folder"/\#(files.folder.shellQuoted)/\#(pattern); do
        [[ -f $file ]] || continue
        rest=${file##*/}
        rest=${rest%.\#(files.ending)}
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
        [[ $name == *[[:cntrl:]]* ]] || \#(tell)
      done
    """#
  }
}

extension CommandPath {
  /// All kinds of kept files whose names may be typed in some command, each once.
  var keptFiles: [KeptFiles] {
    let commands = all.map(\.command)
    let values = commands.flatMap { $0.arguments.map(\.value) + $0.options.compactMap(\.value) }
    return values.compactMap(\.kept).reduce(into: []) { found, files in
      if !found.contains(files) { found.append(files) }
    }
  }
}
