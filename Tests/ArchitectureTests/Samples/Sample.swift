// SPDX-License-Identifier: MIT
import Testing

/// A planted breach, or what looks like one: a file that is nowhere but here.
struct Sample: CustomTestStringConvertible {
  var path: String
  var text: String

  var file: SourceFile { SourceFile(path, text) }
  var testDescription: String { "\(path): \(text.split(separator: "\n").joined(separator: " ⏎ "))" }

  init(_ text: String, in path: String = "Sources/FermataAgent/Sample.swift") {
    self.text = text
    self.path = path
  }

  /// A line that imports, in a module.
  init(importing name: String, in module: String, below folder: String = "Sources") {
    self.init("import \(name)", in: "\(folder)/\(module)/Sample.swift")
  }
}
