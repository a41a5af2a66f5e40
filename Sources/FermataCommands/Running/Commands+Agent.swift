// SPDX-License-Identifier: MIT
import FermataAgent

extension Commands {
  static func runAgent(_ options: AgentCommand.Options) -> ExitCode {
    let log = Log(isVerbose: options.verbose)
    return ExitCode(rawValue: Agent.run(log, unlessRunning: options.unlessRunning)) ?? .refused
  }
}
