// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import Glibc
import ScreenModel
import TerminalIO

/// `fermata ui`, and `fermata` without words on a terminal.
struct UICommand: Command {
  /// Whether to write lines instead of painting the terminal.
  let plain: Bool

  private static let plain = OptionDefinition(
    "plain", summary: "Write a line for each change, and read commands as lines; for screen readers and pipes"
  )

  static let definition = CommandDefinition(
    "ui", summary: "Open the screen",
    discussion: [
      """
      The screen shows the queue and the library and, in its last two lines, what plays, or why nothing does and what `p` would do \
      about it. Leaving it leaves the music playing. `fermata` alone opens it on a terminal.
      """,
      """
      `?` shows the keys, `:` takes the commands, except those that run until stopped or read the terminal, and `/` shows only the rows \
      with some words. On both lines the arrow up brings back what was typed before, also in earlier screens: `$XDG_STATE_HOME/fermata/history` keeps the last 500 lines.
      """,
      """
      The cover of what plays is on its fifth screen and, from 110 columns on, beside the queue. kitty, Ghostty, Konsole, WezTerm, \
      iTerm2 and terminals that say that they have sixel, such as foot, show it in full; any other terminal that tells of 256 colours \
      (TERM) or all of them (COLORTERM=truecolor), and tmux, show two pixels a cell. `:set covers blocks` asks for those everywhere, as over a slow line, `:set covers off` for no cover, and \
      `:set covers auto` for the best again. `:set mouse off` leaves the mouse to the terminal, `:set title off` the window its title. While another window has the keyboard the clock goes in steps of ten seconds: `:set unfocused live` makes it go on, `:set unfocused still` stand.
      """,
      """
      With `--plain`, or where the terminal is a `dumb` one, no escape sequence is written: one line for each change, none for each \
      second. Lines that are typed are commands; `q` or the end of input ends it.
      """,
      """
      `$XDG_CONFIG_HOME/fermata/keys.conf` changes keys, a line for each: `KEY = :command`, as `F5 = :library scan`, or `KEY = none`. \
      `:keys cmus` and `:keys ncmpcpp` take over keys of these players, for good as a line of that file.
      """,
      "Keys:",
    ] + KeyTable().manual.map { "`\($0.keys)`: \($0.summary)" },
    options: [plain], read: Self.init)

  init(_ parsed: ParsedCommand) { plain = parsed.has(Self.plain) }

  private init(plain: Bool) { self.plain = plain }

  /// The command that `fermata` without words means; nil if the terminal can't show a screen.
  static var forTerminal: UICommand? { canPaint ? UICommand(plain: false) : nil }

  private static var isTerminal: Bool {
    Terminal.isTerminal(STDIN_FILENO) && Terminal.isTerminal(STDOUT_FILENO)
  }

  private static var canPaint: Bool {
    let terminal = Process.environment("TERM") ?? ""
    return isTerminal && !terminal.isEmpty && terminal != "dumb"
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    if plain || (Self.isTerminal && !Self.canPaint) { return try PlainScreen.run(as: name) }
    guard Self.isTerminal else {
      throw CommandError(.usage, "ui", "the screen needs a terminal", "'fermata ui --plain' works in a pipe")
    }
    return try ScreenRunner.run(as: name)
  }
}
