// SPDX-License-Identifier: MIT

/// Generates the bash functions that offer the names of kept files.
struct BashKept {
  private let program: String
  private let files: KeptFiles

  init(_ program: String, _ files: KeptFiles) {
    self.program = program
    self.files = files
  }

  /// The functions. Names are looked up in a subshell, so that its globbing options can be set without changing the
  /// user's. A name is offered in the form in which it has to be typed: quoted in the way in which the word was
  /// begun, and without the scheme if bash has split that off as a word of its own.
  var text: String {
    #"""
    _\#(program)_\#(files.word)() (
      shopt -u failglob nullglob dotglob nocaseglob
      folder=${XDG_DATA_HOME-}
    \#(KeptNames.loop(files, pattern: "*.\(files.ending)", tell: "printf '%s\\n' \"$name\""))
    )
    _\#(program)_offer_kept() {
      local name typed=$current quote= lead=
      case $typed in
        "'"*) quote="'" typed=${typed:1} ;;
        '"'*) quote='"' typed=${typed:1} ;;
      esac
      [[ $quote == "'" ]] || typed=${typed//\\/}
      if [[ $scheme && $current == : && $previous == "$scheme" ]]; then
        typed=
      elif [[ $scheme && $previous == : && ${COMP_WORDS[COMP_CWORD-2]} == "$scheme" ]]; then
        :
      elif [[ $scheme && $typed == "$scheme":* ]]; then
        lead=$scheme:
      elif [[ $scheme ]]; then
        if [[ $typed && $scheme: == "$typed"* ]]; then
          COMPREPLY+=("$scheme:")
          compopt -o nospace 2>/dev/null
        fi
        return
      fi
      if [[ $scheme ]]; then words= files=; fi
      while IFS= read -r name; do
        name=$lead$name
        [[ $name != "$lead" && $name == "$typed"* ]] || continue
        case $quote in
          "'") name=${name//"'"/"'\\''"} ;;
          '"')
            name=${name//\\/\\\\}
            name=${name//'"'/'\"'}
            name=${name//'$'/'\$'}
            name=${name//'`'/'\`'} ;;
          *) printf -v name %q "$name" ;;
        esac
        COMPREPLY+=("$name")
      done <<<"$("$kept")"
    }

    """#
  }
}
