// SPDX-License-Identifier: MIT

/// Generates the completion script for fish: one `complete` line for each thing to offer, with the command after
/// which it is offered.
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
              switch "$path $word"
      \(aliases.joined())\
                  case \(steps)
                      set path "$path $word"
              end
          end
          test "$path" = "$argv[1]"
      end
      function __\(name)_after -d 'Whether this is the word before the cursor'
          set -l words (commandline -opc)
          test "$words[-1]" = "$argv[1]"
      end
      \(root.keptFiles.map(names).joined())\
      complete -c \(name) -f
      \((root.all.flatMap(lines) + help).joined(separator: "\n"))

      """
  }

  private var steps: String {
    (root.all.dropFirst().map(\.words) + root.helpPlaces.map(\.words)).map { key($0).fishQuoted }.joined(
      separator: " ")
  }

  private var aliases: [String] {
    root.aliases.map { alias in
      """
                  case \(key(alias.words).fishQuoted)
                      set path \(key(alias.path.words).fishQuoted)

      """
    }
  }

  private func key(_ words: [String]) -> String { words.map { " \($0)" }.joined() }

  // The subcommands that may be typed after `help` and a command.
  private var help: [String] {
    root.helpPlaces.flatMap { place in
      place.command.subcommands.map { command in
        line(
          "__\(root.command.name)_at \(key(place.words).fishQuoted)",
          "-a \(command.name) -d \(command.summary.unmarked.fishQuoted)")
      }
    }
  }

  private func lines(_ path: CommandPath) -> [String] {
    let command = path.effective
    let commands = path.command.subcommands.map { "-a \($0.name) -d \($0.summary.unmarked.fishQuoted)" }
    let sequels = command.arguments.flatMap(\.value.sequels)
    // These scripts do not count words, and a choice for a later argument would be wrong as the first.
    let early = command.firstArguments.count
    let values = command.arguments.enumerated().flatMap { index, argument in
      index < early || argument.value.offered.isEmpty ? offer(argument.value) : []
    }
    let here = "__\(root.command.name)_at \(key(path.words).fishQuoted)"
    let after = "\(here); and __\(root.command.name)_after"
    // If an argument depends on the one before it, that one has to come directly after the command.
    let first = sequels.isEmpty ? here : "\(after) \(command.name)"
    return (commands + command.allOptions.map(option)).map { line(here, $0) }
      + values.map { line(first + $0.exception, $0.words) }
      + sequels.filter { !$0.words.isEmpty }.map { sequel in
        line("\(after) \(sequel.word)", "-a \(sequel.words.joined(separator: " ").fishQuoted)")
      }
  }

  private func line(_ condition: String, _ offer: String) -> String {
    "complete -c \(root.command.name) -n \(condition.fishQuoted) \(offer)"
  }

  // The fish function that prints the names of these files, such as playlists. If a name contains an invalid escape, it is printed unchanged.
  // A name with a control character is not printed, because a line break would make two names of it.
  private func names(_ files: KeptFiles) -> String {
    #"""
    function __\#(root.command.name)_\#(files.word) -d 'The names of files that are kept'
        set -l folder "$XDG_DATA_HOME"
        string match -q '/*' -- "$folder"; or set folder "$HOME/.local/share"
        for file in "$folder"/\#(files.folder.fishQuoted)/\#(files.pattern)
            test -f "$file"; or continue
            set -l name (string replace -r '^.*/(.*)\.[^.]*$' '$1' -- "$file")
            set -l plain (string unescape --style=url -- "$name" | string collect)
            test -n "$plain"; or set plain $name
            string match -qr '[[:cntrl:]]' -- "$plain"; or printf '%s\n' "$plain"
        end
    end

    """#
  }

  private func option(_ option: OptionDefinition) -> String {
    let short = option.short.map { "-s \($0) " } ?? ""
    let value = option.value.map { " -x" + $0.words } ?? ""
    let files = option.value?.takesFiles == true ? " -r -F" : value
    return "\(short)-l \(option.long)\(files) -d \(option.summary.unmarked.fishQuoted)"
  }

  /// Words that are offered.
  private struct Offer {
    /// The options of fish's `complete` that name them.
    let words: String
    /// What is added to the condition under which they are offered; empty if nothing is.
    let exception: String

    init(_ words: String, exceptFor pattern: String? = nil) {
      self.words = words
      exception = pattern.map { "; and not string match -q \"\($0)\" -- (commandline -ct)" } ?? ""
    }
  }

  private func offer(_ value: ValueDefinition) -> [Offer] {
    switch value.completion {
    case .commands: return [Offer("-a \(root.commandNames.joined(separator: " ").fishQuoted)")]
    case .kept(let kept): return [Offer("-a '(__\(root.command.name)_\(kept.word))'")]
    case .filesOrKept(let kept, let scheme):
      let names = "(__\(root.command.name)_\(kept.word) | string replace -r \"^\" \(scheme):)"
      // fish would offer the files whose names begin with what stands after a colon.
      return [Offer("-F", exceptFor: "\(scheme):*"), Offer("-a '\(names)'")]
    case .nothing, .choices, .suggestions, .files, .sequels:
      let described = value.offered.map { choice in
        "-a \(choice.word)" + (choice.summary.isEmpty ? "" : " -d \(choice.summary.unmarked.fishQuoted)")
      }
      return ((value.takesFiles ? ["-F"] : []) + described).map { Offer($0) }
    }
  }
}

extension ValueDefinition {
  fileprivate var words: String {
    choices.isEmpty ? "" : " -a \(choices.map(\.word).joined(separator: " ").fishQuoted)"
  }
}

extension String {
  // Within single quotes fish has two escapes: for the quote and for the backslash.
  fileprivate var fishQuoted: String {
    "'" + map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
