// SPDX-License-Identifier: MIT

extension Commands {
  static func runAgent() throws(CommandError) -> ExitCode {
    throw CommandError(.refused, "agent", "not yet")
  }
}
