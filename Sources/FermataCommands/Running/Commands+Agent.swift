// SPDX-License-Identifier: MIT
import FermataAgent

extension Commands {
  static func runAgent() -> ExitCode { ExitCode(rawValue: Agent.run(Log())) ?? .refused }
}
