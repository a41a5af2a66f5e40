// SPDX-License-Identifier: MIT
import Testing

@Suite("Trust and its proofs")
struct ProofRulesTests {
  static let trusting = [
    "let x = try! load()", "let x = y as! Int", "final class C: @unchecked Sendable {}",
    "nonisolated(unsafe) var x = 1", "let f = unsafe unsafeBitCast(g, to: F.self)", "let x = y!",
    "let x = f(1)!.count", "let x = list[0]!", "let x: Int! = 1",
  ]

  @Test("without a sentence it is found", arguments: trusting)
  func bare(text: String) {
    #expect(ProofRules.violations(in: Sample(text).file).count == 1)
    #expect(ProofRules.violations(in: Sample("// Above.\n\n\(text)").file).count == 1)
    #expect(ProofRules.violations(in: Sample("// Above.\na()\nb()\nc()\nd()\n\(text)").file).count == 1)
  }

  @Test("with one beside it or just above it is not", arguments: trusting)
  func proved(text: String) {
    #expect(ProofRules.violations(in: Sample("\(text)  // The table is never empty.").file).isEmpty)
    #expect(ProofRules.violations(in: Sample("/// Immutable.\n@safe\n\(text)").file).isEmpty)
  }

  @Test(
    "what only looks like trust is none",
    arguments: [
      "let x = !y", "if a != b {}", "if a !== b {}", "let x = try? load()", "let x = y as? Int",
      "print(\"try! as! x!\")", "if try !f() {}",
      "f(!x, [!y])", "let x = a ? !b : c", "// unsafeBitCast",
    ])
  func none(text: String) {
    #expect(ProofRules.violations(in: Sample(text).file).isEmpty)
  }

  @Test("a test may unwrap, but not cast or try, by force")
  func inTests() {
    let path = "Tests/BusIOTests/Sample.swift"
    #expect(ProofRules.violations(in: Sample("let x = y!", in: path).file).isEmpty)
    #expect(ProofRules.violations(in: Sample("let x = y as! Int", in: path).file).count == 1)
  }
}
