// SPDX-License-Identifier: MIT

/// Completion for zsh: one function a command, each a call of `_arguments`.
struct ZshCompletion {
  private let root: CommandPath

  init(_ root: CommandDefinition) { self.root = CommandPath(root) }

  var text: String {
    let functions = root.all.reversed().map { $0.command.subcommands.isEmpty ? leaf($0) : branch($0) }
    return "#compdef \(root.command.name)\n\n" + functions.joined(separator: "\n")
      + "\n\(function(root)) \"$@\"\n"
  }

  private func function(_ path: CommandPath) -> String {
    "_" + ([root.command.name] + path.words).joined(separator: "_")
  }

  private func leaf(_ path: CommandPath) -> String {
    let lines = (options(path.command) + arguments(path.command)).map { "    \($0.shellQuoted)" }
    return "\(function(path))() {\n  _arguments -s -S \\\n" + lines.joined(separator: " \\\n") + "\n}\n"
  }

  // The word that names the command below decides which function goes on; before one is typed, both the commands and the
  // options of the default one are offered.
  private func branch(_ path: CommandPath) -> String {
    let described = path.command.subcommands.map {
      "        \("\($0.name):\($0.summary.unmarked)".shellQuoted)"
    }
    let calls = path.children.map { "      \($0.command.name)) \(function($0)) ;;" }
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

  private func arguments(_ command: CommandDefinition) -> [String] {
    command.arguments.enumerated().map { index, argument in
      let place = argument.arity.repeats ? "*" : "\(index + 1)"
      return place + (argument.arity.minimum == 0 && !argument.arity.repeats ? ":" : "")
        + action(argument.value)
    }
  }

  private func action(_ value: ValueDefinition) -> String {
    let message = value.name.lowercased()
    guard value.choices.isEmpty else {
      return ":\(message):(\(value.choices.map(\.word).joined(separator: " ")))"
    }
    return switch value.completion {
    case .nothing: ":\(message): "
    case .files: ":\(message):_files"
    case .commands: ":\(message):(\(root.commandNames.joined(separator: " ")))"
    }
  }

  private func bracketSafe(_ text: String) -> String {
    text.unmarked.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
