// SPDX-License-Identifier: MIT

/// Completion for bash, with nothing but what bash brings along.
///
/// The words before the cursor are walked to find the command; then its words are offered. Bash takes `--option=value` apart at the
/// `=`, so the option that a value belongs to may be two words back.
struct BashCompletion {
  private let root: CommandPath

  init(_ root: CommandDefinition) { self.root = CommandPath(root) }

  var text: String {
    let name = root.command.name
    return """
      # bash completion for \(name)
      _\(name)() {
        local word path= current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        COMPREPLY=()
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          case "$path $word" in
            \(steps.joined(separator: "\n      ")) path="$path $word" ;;
          esac
        done
        if [[ $current == '=' ]]; then
          current=
        elif [[ $previous == '=' ]]; then
          previous=${COMP_WORDS[COMP_CWORD-2]}
        fi
        local words= files=
        case "$path $previous" in
      \(values.joined(separator: "\n"))
          *)
            case "$path" in
      \(words.joined(separator: "\n"))
            esac ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        if [[ $files && $current != -* ]]; then
          compopt -o filenames 2>/dev/null
          local IFS=$'\\n'
          COMPREPLY+=($(compgen -f -- "$current"))
        fi
      }
      complete -F _\(name) \(name)

      """
  }

  // The lines of the commands that lead further: ` queue`, ` queue jump`.
  private var steps: [String] {
    let all = root.all.dropFirst().map { key($0).shellQuoted }
    return all.enumerated().map { $0.offset == all.count - 1 ? "\($0.element))" : "\($0.element) | \\" }
  }

  // Where an option's value is typed.
  private var values: [String] {
    root.all.flatMap { path in
      path.effective.options.compactMap { option in
        option.value.map { value in
          let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
          let pattern = names.map { "\(key(path)) \($0)".shellQuoted }.joined(separator: " | ")
          return "    \(pattern)) \(offer(value.choices.map(\.word), files: value.completion == .files)) ;;"
        }
      }
    }
  }

  // Where anything else is typed: commands, arguments' choices and options.
  private var words: [String] {
    root.all.map { path in
      let command = path.effective
      var words = path.command.subcommands.map(\.name)
      words += command.arguments.flatMap { $0.value.choices.map(\.word) }
      if command.arguments.contains(where: { $0.value.completion == .commands }) {
        words += path.commandNames
      }
      words += command.allOptions.map { "--\($0.long)" }
      let files = command.arguments.contains { $0.value.completion == .files }
      return "        \(key(path).shellQuoted)) \(offer(words, files: files)) ;;"
    }
  }

  private func key(_ path: CommandPath) -> String { path.words.map { " \($0)" }.joined() }

  private func offer(_ words: [String], files: Bool) -> String {
    "words=\(words.joined(separator: " ").shellQuoted)" + (files ? " files=1" : "")
  }
}
