// SPDX-License-Identifier: MIT

/// What a file looks like, whatever it does.
enum FormRules {
  private static let licence = "SPDX-License-Identifier: MIT"
  private static let licensed = [".swift", ".h", ".c", ".cpp", ".sh"]

  /// The first line names the licence; the second, where the first belongs to another program.
  static func licences(in file: SourceFile) -> [Violation] {
    let isMarked = licensed.contains { file.path.hasSuffix($0) } || file.path == "Makefile"
    guard isMarked else { return [] }
    let first = file.lines.first ?? ""
    let taken = first.hasPrefix("#!") || first.hasPrefix("// swift-tools-version")
    let line = file.lines.dropFirst(taken ? 1 : 0).first ?? ""
    return line == "// \(licence)" || line == "# \(licence)"
      ? [] : [file.violation(taken ? 2 : 1, "this line is to be: \(licence)")]
  }

  private static let unfinished: Set<Substring> = ["TODO", "FIXME"]

  /// What is unfinished is finished or left out, not noted.
  static func unfinished(in file: SourceFile) -> [Violation] {
    guard file.isSwift || licensed.contains(where: { file.path.hasSuffix($0) }) else { return [] }
    let lines = file.isSwift ? file.commentedLines : Array(1..<(file.lines.count + 1))
    return lines.filter { line in
      let text = file.isSwift ? file.comment(onLine: line) ?? "" : String(file.lines[line - 1])
      return text.split { $0.isASCII && !$0.isLetter }.contains { unfinished.contains($0) }
    }.map { file.violation($0, "unfinished work is not noted in the code") }
  }

  /// What is for other packages: only the library for them is.
  static func published(in file: SourceFile) -> [Violation] {
    guard file.isSource, !House.published.contains(file.module ?? "") else { return [] }
    return file.tokens.filter { $0.isCode("public") }.map {
      file.violation($0.line, "no other package uses this: say package")
    }
  }

  /// Folders of one machine. Put together here, so that this file does not hold them.
  private static let machines = ["home", "work", "Users"].map { Array("/\($0)/".utf8) }

  /// A path that is there on one machine only.
  static func machinePaths(in file: SourceFile) -> [Violation] {
    file.lines.indices.filter { index in
      let line = Array(file.lines[index].utf8)
      return line.indices.contains { at in
        line[at] == UInt8(ascii: "/") && isRoot(at, in: line)
          && machines.contains { line[at...].starts(with: $0) }
      }
    }.map { file.violation($0 + 1, "a path of one machine") }
  }

  /// The slash begins a path, and does not go on with one.
  private static func isRoot(_ at: Int, in line: [UInt8]) -> Bool {
    guard at > 0 else { return true }
    let continues = [".", "~", ")", "}", "*"].contains(String(UnicodeScalar(line[at - 1])))
    return !line[at - 1].isWord && !continues
  }
}
