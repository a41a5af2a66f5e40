// SPDX-License-Identifier: MIT

/// Generates the completion script for bash. The script needs nothing but bash itself.
///
/// It goes through the words before the cursor to find the command, and then offers that command's words. Bash splits
/// `--option=value` at the `=` and `scheme:name` at the colon, so the option or scheme of a value may be two words
/// back.
struct BashCompletion {
  private let root: CommandPath

  init(_ root: CommandDefinition) { self.root = CommandPath(root) }

  var text: String {
    let name = root.command.name
    return """
      # bash completion for \(name)
      \(root.keptFiles.map { BashKept(name, $0).text }.joined())\
      _\(name)() {
        local word path= current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$path $word" in
            \((aliases + steps).joined(separator: "\n      ")) path="$path $word" ;;
          esac
        done
        if [[ $current == '=' ]]; then
          current=
        elif [[ $previous == '=' ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        local words= files= kept= scheme=
        case "$path $previous" in
      \((values + sequels).joined(separator: "\n"))
          *)
            case "$path" in
      \(words.joined(separator: "\n"))
            esac ;;
        esac
      \(keptCall)\
        # Options are offered to who begins one. Where a value belongs, bash would else type the only one by itself.
        local fitting=()
        for word in $words; do
          if [[ $current == -* || $word != -* ]]; then fitting+=("$word"); fi
        done
        COMPREPLY+=($(compgen -W "${fitting[*]}" -- "$current"))
        if [[ $files && $current != -* ]]; then
          local found
          mapfile -t found <<<"$(compgen -f -- "$current")"
          if [[ ${found[0]} ]]; then
            compopt -o filenames 2>/dev/null
            COMPREPLY+=("${found[@]}")
          fi
        fi
      }
      complete -F _\(name) \(name)

      """
  }

  private var keptCall: String {
    root.keptFiles.isEmpty ? "" : "  if [[ $kept ]]; then _\(root.command.name)_offer_kept; fi\n"
  }

  // The `case` patterns of the words that lead to a command: ` queue`, ` queue jump`.
  private var steps: [String] {
    let all = (root.all.dropFirst().map(\.words) + root.helpPlaces.map(\.words)).map { key($0).shellQuoted }
    return all.enumerated().map { $0.offset == all.count - 1 ? "\($0.element))" : "\($0.element) | \\" }
  }

  // The patterns of commands' other names, each with the path of the command.
  private var aliases: [String] {
    root.aliases.map { "\(key($0.words).shellQuoted)) path=\(key($0.path).shellQuoted) ;;" }
  }

  // The words that are offered for the value of an option.
  private var values: [String] {
    root.all.flatMap { path in
      path.effective.options.compactMap { option in
        option.value.map { value in
          let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
          return line(names.map { "\(key(path)) \($0)" }, offer(value.offered.map(\.word), [value]))
        }
      }
    }
  }

  // The words that are offered for an argument that depends on the argument before it.
  private var sequels: [String] {
    root.all.flatMap { path in
      path.effective.arguments.flatMap(\.value.sequels).map { sequel in
        line(["\(key(path)) \(sequel.word)"], offer(sequel.words, []))
      }
    }
  }

  private func line(_ places: [String], _ offer: String) -> String {
    "    \(places.map(\.shellQuoted).joined(separator: " | "))) \(offer) ;;"
  }

  // The words that are offered everywhere else: subcommands, choices of arguments, and options.
  private var words: [String] {
    let help = root.helpPlaces.filter { !$0.command.subcommands.isEmpty }.map { place in
      "        \(key(place.words).shellQuoted)) \(offer(place.command.subcommands.map(\.name), [])) ;;"
    }
    return root.all.map { path in
      let command = path.effective
      var words = path.command.subcommands.map(\.name)
      words += command.firstArguments.flatMap { $0.value.offered.map(\.word) }
      if command.arguments.contains(where: { $0.value.completion == .commands }) {
        words += path.commandNames
      }
      words += command.allOptions.map { "--\($0.long)" }
      return "        \(key(path).shellQuoted)) \(offer(words, command.arguments.map(\.value))) ;;"
    } + help
  }

  private func key(_ path: CommandPath) -> String { key(path.words) }
  private func key(_ words: [String]) -> String { words.map { " \($0)" }.joined() }

  private func offer(_ words: [String], _ values: [ValueDefinition]) -> String {
    var parts = ["words=\(words.joined(separator: " ").shellQuoted)"]
    if values.contains(where: \.takesFiles) { parts.append("files=1") }
    for value in values {
      if let kept = value.kept { parts.append("kept=_\(root.command.name)_\(kept.word)") }
      if case .filesOrKept(_, let scheme) = value.completion { parts.append("scheme=\(scheme)") }
    }
    return parts.joined(separator: " ")
  }
}

/// Generates the bash functions that offer the names of the user's own files in a certain folder, such as playlists.
struct BashKept {
  private let program: String
  private let files: KeptFiles

  init(_ program: String, _ files: KeptFiles) {
    self.program = program
    self.files = files
  }

  /// The functions. Names are looked up in a subshell, so that its globbing options can be set without changing the
  /// user's. A name is offered in the form in which it has to be typed: quoted in the way in which the word was
  /// begun, and without its beginning if bash has split that off. Bash takes a word apart at each `=` and colon.
  var text: String {
    #"""
    _\#(program)_\#(files.word)() (
      shopt -u failglob nullglob dotglob nocaseglob
      folder=${XDG_DATA_HOME-}
    \#(KeptNames.loop(files, pattern: files.pattern, quoted: "printf -v quoted %q \"$name\"", tell: "printf '%s\\n' \"$name\""))
    )
    _\#(program)_offer_kept() {
      local name quote= lead= at=$COMP_CWORD typed=${COMP_WORDS[COMP_CWORD]} front=${COMP_LINE:0:COMP_POINT}
      front=${front%"$typed"}
      if [[ $typed == [:=] ]]; then
        [[ ${COMP_WORDS[at-1]}$typed == --*= ]] || lead=$typed
        typed=
      fi
      while [[ ${COMP_WORDS[--at]} != --* && $front == *"${COMP_WORDS[at]}" ]]; do
        [[ ${COMP_WORDS[at-1]}${COMP_WORDS[at]} != --*= ]] || break
        lead=${COMP_WORDS[at]}$lead
        front=${front%"${COMP_WORDS[at]}"}
      done
      lead=${lead//\\/}
      case $typed in
        "'"*) quote="'" typed=${typed:1} ;;
        '"'*) quote='"' typed=${typed:1} ;;
      esac
      [[ $quote == "'" ]] || typed=${typed//\\/}
      typed=$lead$typed
      if [[ $scheme && $typed != "$scheme":* ]]; then
        if [[ $typed && $scheme: == "$typed"* ]]; then
          COMPREPLY+=("$scheme:")
          compopt -o nospace 2>/dev/null
        fi
        return
      fi
      if [[ $lead || $scheme ]]; then words= files=; fi
      while IFS= read -r name; do
        [[ $name ]] || continue
        name=${scheme:+$scheme:}$name
        [[ $name == "$typed"* && $name != "$lead" ]] || continue
        name=${name#"$lead"}
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
