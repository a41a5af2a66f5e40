// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@testable import FermataCommands

@Suite("Man page and completions")
struct GeneratedTests {
  private static let program = FermataProgram.definition

  @Test("the man page is the one that was approved")
  func manPage() {
    Golden.expect(HelpCommand.manPage(version: "1.0"), is: "fermata.1")
  }

  @Test("groff formats the man page without a complaint", .enabled(if: Program.isInstalled("groff")))
  func groff() throws {
    let result = try Program(
      ["groff", "-man", "-Tutf8", "-ww", "-z"], input: HelpCommand.manPage(version: "1.0"))
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test("every command, option and choice stands in the man page")
  func manPageIsWhole() {
    let page = HelpCommand.manPage(version: "1.0").split(separator: "\n").map(String.init)
    for path in CommandPath(Self.program).all.dropFirst() {
      #expect(page.contains(".SS \"\(path.words.joined(separator: " "))\""))
      for option in path.command.options {
        let name = "--\(option.long)".split(separator: "-", omittingEmptySubsequences: false)
          .joined(separator: "\\-")
        #expect(page.contains { $0.hasPrefix("\\fB") && $0.contains(name) }, "\(path.text) \(name)")
      }
      let help = HelpText(path, width: 100).text(.plain)
      for word in path.command.aliases {
        #expect(help.contains("also be written") && help.contains("'\(word)'"))
      }
    }
  }

  @Test("the completion script is the one that was approved", arguments: Completion.Shell.allCases)
  func completion(shell: Completion.Shell) {
    let names: [Completion.Shell: String] = [.bash: "fermata.bash", .zsh: "_fermata", .fish: "fermata.fish"]
    Golden.expect(Completion.script(for: Self.program, shell: shell), is: names[shell] ?? shell.rawValue)
  }

  @Test("each shell that is installed accepts its script", arguments: Completion.Shell.allCases)
  func syntax(shell: Completion.Shell) throws {
    let script = Completion.script(for: Self.program, shell: shell)
    guard Program.isInstalled(shell.rawValue) else {
      // Without the shell: at least no quote and no brace stays open.
      #expect(script.count { $0 == "{" } == script.count { $0 == "}" })
      #expect(script.count { $0 == "(" } <= script.count { $0 == ")" })
      return
    }
    let result = try Program([shell.rawValue, "-n"], input: script)
    #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
  }

  @Test(
    "bash offers what may stand at the cursor",
    arguments: [
      (["fermata", "pla"], "play playlist"),
      (["fermata", "queue", "re"], "remove redo"),
      (["fermata", "repeat", ""], "none off one all default"),
      (["fermata", "seek", "--begin", ""], "forward backward"),
      (["fermata", "seek", "--begin", "=", "b"], "backward"),
      (["fermata", "seek", "--begin", "="], "forward backward"),
      (["fermata", "status", "--f"], "--format --follow"),
      (["fermata", "queue", "--j"], "--json"),
      (["fermata", "queue", "move", "--"], "--help"),
      (["fermata", "help", "--completions", ""], "bash zsh fish"),
      (["fermata", "prev", ""], ""), (["fermata", "prev", "-"], "--help"),
      (["fermata", "help", "sh"], "shuffle"),
      (["fermata", "help", "queue", "re"], "remove redo"),
      (["fermata", "help", "queue", "move", ""], ""), (["fermata", "help", "play", ""], ""),
      (["fermata", "xyzzy", "--"], "--help"),
    ])
  func bash(words: [String], offered: String) throws {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      Completion.script(for: Self.program, shell: .bash)
      + "COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _fermata; echo \"${COMPREPLY[*]}\"\n"
    let result = try Program(["bash", "--norc", "-s"], input: script)
    #expect(result.output == offered + "\n")
  }

  @Test("bash offers files where sources are typed")
  func bashFiles() throws {
    let script =
      Completion.script(for: Self.program, shell: .bash)
      + "cd /; COMP_WORDS=(fermata add us); COMP_CWORD=2; _fermata; echo \"${COMPREPLY[*]}\"\n"
    #expect(try Program(["bash", "--norc", "-s"], input: script).output == "usr\n")
  }
}
