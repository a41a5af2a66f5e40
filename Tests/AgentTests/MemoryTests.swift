// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

/// What would come back unseen, and cost memory only.
@Suite("The agent's memory", .serialized, .timeLimit(.minutes(1)))
struct MemoryTests {
  @Test("the library of regular expressions, a megabyte, is not used")
  func regularExpressions() throws {
    let found = try Child.run(
      Program(path: "/bin/sh"),
      ["-c", "grep -c 17_StringProcessing \"$0\" || true", Program.beside("fermata").path])
    #expect(found == "0\n", "a string is looked for in a string, with 'contains' or 'split'?")
  }
}
