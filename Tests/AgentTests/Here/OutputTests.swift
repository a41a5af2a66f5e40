// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("Standard streams that take nothing", .endsAnyway)
struct OutputTests {
  private func run(_ words: String) throws -> Child {
    let shell = try Program.named("sh", package: "dash")
    let child = try Child(
      shell, ["-c", "\"$0\" \(words)", Program.beside("fermata").path], environment: ["HOME": "/nonexistent"])
    return child
  }

  @Test(
    "what cannot be written ends with 73 and a reason",
    arguments: ["version", "version --json", "help", "help --man", "help --completions bash", "settings"])
  func full(words: String) throws {
    for stream in [">/dev/full", ">&-"] {
      let child = try run("\(words) \(stream)")
      #expect(child.exit(until: .patient) == .exited(73), "\(stream)")
      #expect(child.standardError.hasPrefix("fermata: standard output: "))
    }
  }

  @Test("a reader that goes away is no error")
  func broken() throws {
    let child = try run("help --man | head -n 1")
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardError.isEmpty)
  }
}
