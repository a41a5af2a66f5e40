// SPDX-License-Identifier: MIT

/// Generates the completion script for zsh: one function for each command, which calls `_arguments`.
struct ZshCompletion {
  private let root: CommandPath

  init(_ root: CommandDefinition) { self.root = CommandPath(root) }

  var text: String {
    let functions = root.all.reversed().map { $0.command.subcommands.isEmpty ? leaf($0) : branch($0) }
    return "#compdef \(root.command.name)\n\n" + (kept + [helpWords] + functions).joined(separator: "\n")
      + "\n\(function(root)) \"$@\"\n"
  }

  private func function(_ path: CommandPath) -> String {
    "_" + ([root.command.name] + path.words).joined(separator: "_")
  }

  private func leaf(_ path: CommandPath) -> String {
    let lines = (options(path.command) + arguments(path)).map { "    \($0.shellQuoted)" }
    return sequels(path) + "\(function(path))() {\n  _arguments -s -S \\\n"
      + lines.joined(separator: " \\\n") + "\n}\n"
  }

  // The word that names the subcommand decides which function continues. Before one is typed, the subcommands are
  // offered together with the options of the default one.
  private func branch(_ path: CommandPath) -> String {
    let described = path.command.subcommands.map {
      "        \("\($0.name):\($0.summary.unmarked)".shellQuoted)"
    }
    let calls = path.children.map { child in
      let names = [child.command.name] + child.command.aliases.filter { !$0.hasPrefix("-") }
      return "      \(names.joined(separator: "|"))) \(function(child)) ;;"
    }
    let lines = options(path.effective).map { "    \($0.shellQuoted) \\" }
    return """
      \(function(path))() {
        local curcontext="$curcontext" state line
        local -a commands
        _arguments -C -S \\
      \(lines.joined(separator: "\n"))
          '1:command:->command' '*::argument:->argument'
        case $state in
          command)
            commands=(
      \(described.joined(separator: "\n"))
            )
            _describe command commands ;;
          argument)
            case $line[1] in
      \(calls.map { "  \($0)" }.joined(separator: "\n"))
            esac ;;
        esac
      }

      """
  }

  private func options(_ command: CommandDefinition) -> [String] {
    command.allOptions.flatMap { option in
      let names = ["--\(option.long)"] + (option.short.map { ["-\($0)"] } ?? [])
      return names.map { name in
        let excluded = names.filter { $0 != name } + rivals(of: option, in: command)
        let exclusion = excluded.isEmpty ? "" : "(\(excluded.joined(separator: " ")))"
        let attached = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
        return "\(exclusion)\(name)\(attached)[\(bracketSafe(option.summary))]"
          + (option.value.map(action) ?? "")
      }
    }
  }

  private func rivals(of option: OptionDefinition, in command: CommandDefinition) -> [String] {
    command.exclusive.filter { $0.contains(option) }.joined().filter { $0 != option }.map { "--\($0.long)" }
  }

  private func arguments(_ path: CommandPath) -> [String] {
    path.command.arguments.enumerated().map { index, argument in
      let place = argument.arity.repeats ? "*" : "\(index + 1)"
      let action =
        argument.value.sequels.isEmpty
        ? action(argument.value) : ":\(argument.value.name.lowercased()):\(function(path))_sequel"
      return place + (argument.arity.minimum == 0 && !argument.arity.repeats ? ":" : "") + action
    }
  }

  // The function that offers the words of an argument that depends on the argument before it.
  private func sequels(_ path: CommandPath) -> String {
    let sequels = path.command.arguments.flatMap(\.value.sequels)
    guard !sequels.isEmpty else { return "" }
    let lines = sequels.filter { !$0.words.isEmpty }.map {
      "    \($0.word)) compadd \"$@\" -- \($0.words.joined(separator: " ")) ;;"
    }
    return """
      \(function(path))_sequel() {
        case $words[CURRENT-1] in
      \(lines.joined(separator: "\n"))
          *) _message value ;;
        esac
      }


      """
  }

  // The functions that offer the names of the user's own files, such as playlists, alone and after a scheme: `playlist:NAME`.
  private var kept: [String] {
    root.keptFiles.map { files in
      let name = "_\(root.command.name)_\(files.word)"
      return #"""
        \#(name)() {
          emulate -L zsh
          local folder=$XDG_DATA_HOME file rest whole name byte quoted
          local -a names
        \#(KeptNames.loop(files, pattern: "\(files.pattern)(N)", quoted: "quoted=${(q)name}", tell: "names+=(\"$name\")"))
          compadd "$@" -a names
        }

        \#(name)_or_files() {
          local scheme=$1 failed=1
          shift
          if compset -P "$scheme:"; then
            \#(name) "$@"
            return
          fi
          [[ -n $PREFIX ]] && compadd -S '' -- "$scheme:" && failed=0
          _files && failed=0
          return failed
        }

        """#
    }
  }

  // The function that offers the commands after `help`, and below a command that stands there already.
  private var helpWords: String {
    let below = root.children.filter { !$0.command.subcommands.isEmpty }.map { path in
      "    \(path.command.name)) compadd \"$@\" -- \(path.command.subcommands.map(\.name).joined(separator: " ")) ;;"
    }
    return """
      _\(root.command.name)_help_words() {
        case "${(j: :)words[2,CURRENT-1]}" in
          '') compadd "$@" -- \(root.commandNames.joined(separator: " ")) ;;
      \(below.joined(separator: "\n"))
        esac
      }

      """
  }

  private func action(_ value: ValueDefinition) -> String {
    let message = value.name.lowercased()
    return switch value.completion {
    case .choices(let choices), .suggestions(let choices):
      ":\(message):(\(choices.map(\.word).joined(separator: " ")))"
    case .nothing, .sequels: ":\(message): "
    case .files: ":\(message):_files"
    case .commands: ":\(message):_\(root.command.name)_help_words"
    case .kept(let files): ":\(message):_\(root.command.name)_\(files.word)"
    case .filesOrKept(let files, let scheme):
      // The call is in braces, so that `_arguments` puts no arguments of its own between the function and its word.
      ":\(message):{_\(root.command.name)_\(files.word)_or_files \(scheme)}"
    }
  }

  private func bracketSafe(_ text: String) -> String {
    text.unmarked.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
