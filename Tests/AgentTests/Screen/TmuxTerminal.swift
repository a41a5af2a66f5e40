// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

/// A terminal with a shell in it that a test types into and looks at. Ended with it.
final class TmuxTerminal {
  private let server: Child
  private let program: Program
  private let socket: String

  /// A terminal of this size, with a shell that has this environment.
  init(in folder: TemporaryDirectory, _ environment: [String: String], columns: Int = 80, rows: Int = 24)
    throws
  {
    program = try Program.named("tmux", package: "tmux")
    socket = "\(folder.path)/tmux"
    var all = environment
    all["TERM"] = "screen-256color"
    all["LC_ALL"] = "C.UTF-8"
    all["PATH"] = "/usr/bin:/bin"
    all["PS1"] = "$ "
    server = try Child(program, ["-S", socket, "-f", "/dev/null", "-D"], environment: all)
    let deadline = Deadline.patient
    while access(socket, F_OK) != 0 {
      if deadline.hasPassed { throw KitError("tmux does not start: \(server.standardError)") }
      sched_yield()
    }
    try tmux("new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "bash --norc -i")
  }

  deinit { server.kill() }

  @discardableResult
  private func tmux(_ words: String...) throws -> String {
    try Child.run(program, ["-S", socket] + words, environment: ["LC_ALL": "C.UTF-8"])
  }

  /// Presses keys, as tmux names them.
  func press(_ keys: String...) throws { for key in keys { try tmux("send-keys", key) } }

  /// Types a text as it stands.
  func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

  func resize(columns: Int, rows: Int) throws {
    try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
  }

  /// From now on has all that is written to it in a file as well.
  func record(to path: String) throws { try tmux("pipe-pane", "cat > '\(path)'") }

  /// From now on has only one page, as some terminals do: what a program shows stays when it ends.
  func useOnePage() throws { try tmux("set-window-option", "-g", "alternate-screen", "off") }

  /// Waits until a program has asked for the mouse, or has left it to the terminal.
  func wait(forMouse isReported: Bool) throws {
    let deadline = Deadline.patient
    while try tmux("display-message", "-p", "#{mouse_button_flag}").filter(\.isNumber)
      != (isReported ? "1" : "0")
    {
      if deadline.hasPassed { throw KitError("the mouse is\(isReported ? " not" : "") reported") }
    }
  }

  /// What it shows.
  func text() throws -> String { try tmux("capture-pane", "-p") }

  /// What it shows and what has left it at the top, line by line.
  func history() throws -> [String] {
    try tmux("capture-pane", "-p", "-S", "-").split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
  }

  func lines() throws -> [String] {
    try text().split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The line that the cursor is in, counted from 0.
  func cursorRow() throws -> Int? { Int(try tmux("display-message", "-p", "#{cursor_y}").filter(\.isNumber)) }

  func title() throws -> String { try tmux("display-message", "-p", "#{pane_title}") }

  /// Looks again and again until this holds of what it shows; tmux's own start is the pause in between.
  func wait(until what: String, _ holds: ([String]) -> Bool) throws {
    let deadline = Deadline.patient
    while true {
      let lines = try lines()
      if holds(lines) { return }
      if deadline.hasPassed { throw KitError("not \(what):\n\(lines.joined(separator: "\n"))") }
    }
  }

  /// Waits until it shows these words.
  func wait(for words: String) throws {
    try wait(until: "'\(words)'") { lines in lines.contains { $0.firstRange(of: words) != nil } }
  }

  /// Waits until its window has a title that begins with these words.
  func wait(forTitle words: String) throws {
    let deadline = Deadline.patient
    while true {
      let title = try title()
      if title.hasPrefix(words) { return }
      if deadline.hasPassed { throw KitError("the window's title is '\(title)', not '\(words)…'") }
    }
  }

  /// Waits until it does not show these words any more.
  func waitForEnd(of words: String) throws {
    try wait(until: "without '\(words)'") { lines in !lines.contains { $0.firstRange(of: words) != nil } }
  }

  /// Runs a command in the shell and waits for what it writes.
  func run(_ line: String, writes words: String) throws {
    try type(line)
    try press("Enter")
    try wait(until: "'\(words)'") { lines in lines.contains { $0 == words } }
  }
}
