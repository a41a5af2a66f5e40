// SPDX-License-Identifier: MIT

/// The part of a script that finds the names of files that are kept.
enum KeptNames {
  /// Lines for bash and zsh that go through files and, in `$name`, tell each name to `tell`. `pattern` finds the files in `$folder`.
  ///
  /// A folder that is not there has none. A name with a line's end would be two, so it is not offered.
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
  /// All that is kept under names that may be typed somewhere, each once.
  var keptFiles: [KeptFiles] {
    let commands = all.map(\.command)
    let values = commands.flatMap { $0.arguments.map(\.value) + $0.options.compactMap(\.value) }
    return values.compactMap(\.kept).reduce(into: []) { found, files in
      if !found.contains(files) { found.append(files) }
    }
  }
}
