// SPDX-License-Identifier: MIT
import Testing

@Suite("How long things are")
struct SizeRulesTests {
  private func functionLengths(_ text: String) -> [Int] {
    SizeRules.functions([Sample(text).file]).map(\.length)
  }

  @Test("the lines of a file are counted with or without the last line's end")
  func lines() {
    #expect(Sample("").file.length == 0)
    #expect(Sample("a").file.length == 1)
    #expect(Sample("a\nb\n").file.length == 2)
  }

  @Test("the file over the limit is found, the one at the limit is not")
  func longFiles() {
    func lines(_ count: Int) -> SourceFile { Sample(String(repeating: "a\n", count: count)).file }
    #expect(SizeRules.longFiles(in: lines(SizeRules.longestFile)).isEmpty)
    #expect(SizeRules.longFiles(in: lines(SizeRules.longestFile + 1)).count == 1)
  }

  @Test("a function is measured from its name to its closing brace")
  func functions() {
    #expect(functionLengths("func a() {\n  b()\n}") == [3])
    #expect(functionLengths("func a() -> Int { 1 }\ninit(\n  x: Int = { 1 }()\n) {\n}") == [1, 4])
    #expect(functionLengths("func a() {\n  func b() {\n  }\n}") == [4, 2])
    #expect(functionLengths("deinit {\n  // {\n  print(\"{\")\n}") == [4])
  }

  @Test("what has no body is no function")
  func requirements() {
    #expect(
      functionLengths("protocol P {\n  func a()\n  init()\n  var b: Int { get }\n}\nfunc c() {}") == [1])
    #expect(functionLengths("let x = X.init(1)\nself.init()\nfunc c() {}") == [1])
  }

  @Test("a crowd keeps to its limits while its middle and all but one in twenty do")
  func crowd() {
    func violations(_ lengths: [Int]) -> [Violation] {
      let all = lengths.map { SizeRules.Measure(path: "a", line: 1, length: $0) }
      return SizeRules.crowd(all, of: "files", median: 10, p95: 20)
    }
    #expect(violations([]).isEmpty)
    #expect(violations(Array(repeating: 10, count: 19) + [1000]).isEmpty)
    #expect(violations(Array(repeating: 10, count: 18) + [1000, 21]).map(\.message).count == 2)
    #expect(violations([10, 11, 11]).count == 1)
  }
}
