// SPDX-License-Identifier: MIT
import FermataAgent
import Glibc
import TerminalIO

extension Commands {
  static func runAgent(_ options: AgentCommand.Options) -> ExitCode {
    let log = Log(isVerbose: options.verbose)
    if !options.unlessRunning, Terminal.isBackground(of: STDERR_FILENO) {
      log(
        .warning,
        "in the background of this terminal the agent ends with it; what lasts is 'systemctl --user start fermata' "
          + "or 'setsid -f fermata agent >/dev/null 2>&1'")
    }
    return ExitCode(rawValue: Agent.run(log, unlessRunning: options.unlessRunning)) ?? .refused
  }
}
