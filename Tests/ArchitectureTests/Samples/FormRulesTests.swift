// SPDX-License-Identifier: MIT
import Testing

@Suite("What a file looks like")
struct FormRulesTests {
  private static let licence = "SPDX-License-Identifier: MIT"

  @Test(
    "the licence stands in the first line, or in the second below a mark of another program",
    arguments: [
      ("Sources/A/a.swift", "// \(licence)\n", true), ("Sources/A/a.h", "// \(licence)\n", true),
      ("a.sh", "#!/bin/sh\n# \(licence)\n", true), ("Makefile", "# \(licence)\n", true),
      ("Package.swift", "// swift-tools-version: 6.2\n// \(licence)\n", true), ("README.md", "# a\n", true),
      ("Sources/A/a.swift", "", false), ("Sources/A/a.swift", "import B\n// \(licence)\n", false),
      ("Sources/A/a.swift", "//\(licence)\n", false), ("a.sh", "#!/bin/sh\n\n# \(licence)\n", false),
    ])
  func licences(path: String, text: String, isFine: Bool) {
    #expect(FormRules.licences(in: SourceFile(path, text)).isEmpty == isFine)
  }

  @Test(
    "a note of unfinished work is found in comments only, and only as a word",
    arguments: [
      ("// TODO later", 1), ("let x = 1  // FIXME: wrong", 1), ("/*\n TODO\n*/", 1),
      ("let text = \"TODO\"", 0),
      ("let TODO = 1", 0), ("// TODOS", 0), ("// to do", 0),
    ])
  func unfinished(text: String, count: Int) {
    #expect(FormRules.unfinished(in: Sample(text).file).count == count)
  }

  @Test("a note in a script is found as well")
  func unfinishedScript() {
    #expect(FormRules.unfinished(in: SourceFile("a.sh", "true\n# TODO\n")).map(\.line) == [2])
  }

  @Test(
    "a path of one machine is found in any file, code or not",
    arguments: [("home", true), ("work", true), ("Users", true), ("music", false), ("homes", false)])
  func machinePaths(folder: String, isFound: Bool) {
    for text in ["/\(folder)/a", "see \"/\(folder)/a\"", "// file:///\(folder)/a"] {
      #expect(FormRules.machinePaths(in: SourceFile("README.md", text)).isEmpty != isFound, "\(text)")
    }
    for text in ["a/\(folder)/b", "~/\(folder)/b", "./\(folder)/b", "$(top)/\(folder)/b", "/\(folder)"] {
      #expect(FormRules.machinePaths(in: SourceFile("README.md", text)).isEmpty, "\(text)")
    }
  }

  @Test(
    "what other packages could use is found, in code only",
    arguments: [
      ("public struct A {}", 1), ("public import B\npackage struct A { public var b: Int }", 2),
      ("package struct A {}\n// public\nlet text = \"public\"", 0),
    ])
  func published(text: String, count: Int) {
    #expect(FormRules.published(in: Sample(text).file).count == count)
  }
}
