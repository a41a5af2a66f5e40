// SPDX-License-Identifier: MIT

/// Completion for fish: one line for each thing to offer, each with the command at which it is offered.
struct FishCompletion {
  private let root: CommandPath

  init(_ root: CommandDefinition) { self.root = CommandPath(root) }

  var text: String {
    let name = root.command.name
    return """
      # fish completion for \(name)
      function __\(name)_at -d 'Whether the words before the cursor name this command'
          set -l path
          set -l words (commandline -opc)
          for word in $words[2..-1]
              if contains -- "$path $word" \(steps)
                  set path "$path $word"
              end
          end
          test "$path" = "$argv[1]"
      end
      complete -c \(name) -f
      \(root.all.flatMap(lines).joined(separator: "\n"))

      """
  }

  private var steps: String { root.all.dropFirst().map { key($0).fishQuoted }.joined(separator: " ") }

  private func key(_ path: CommandPath) -> String { path.words.map { " \($0)" }.joined() }

  private func lines(_ path: CommandPath) -> [String] {
    let command = path.effective
    let commands = path.command.subcommands.map { "-a \($0.name) -d \($0.summary.unmarked.fishQuoted)" }
    let offers = commands + command.allOptions.map(option) + command.arguments.flatMap { offer($0.value) }
    return offers.map {
      "complete -c \(root.command.name) -n \("__\(root.command.name)_at \(key(path).fishQuoted)".fishQuoted) \($0)"
    }
  }

  private func option(_ option: OptionDefinition) -> String {
    let short = option.short.map { "-s \($0) " } ?? ""
    let value = option.value.map { " -x" + $0.words(root) } ?? ""
    let files = option.value?.completion == .files ? " -r -F" : value
    return "\(short)-l \(option.long)\(files) -d \(option.summary.unmarked.fishQuoted)"
  }

  private func offer(_ value: ValueDefinition) -> [String] {
    if value.completion == .files { return ["-F"] }
    let described = value.choices.map { choice in
      "-a \(choice.word)" + (choice.summary.isEmpty ? "" : " -d \(choice.summary.unmarked.fishQuoted)")
    }
    return value.completion == .commands
      ? ["-a \(root.commandNames.joined(separator: " ").fishQuoted)"] : described
  }
}

extension ValueDefinition {
  fileprivate func words(_ root: CommandPath) -> String {
    choices.isEmpty ? "" : " -a \(choices.map(\.word).joined(separator: " ").fishQuoted)"
  }
}

extension String {
  // fish knows two escapes between single quotes, of the quote and of the backslash.
  fileprivate var fishQuoted: String {
    "'" + map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
