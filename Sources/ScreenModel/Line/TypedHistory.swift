// SPDX-License-Identifier: MIT
import CommandModel

/// A line that was typed on the screen, to be brought back later, or the name of the list on which the screen was left.
package struct KeptLine: Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    case command
    /// Words that were typed after `/`, to show only the rows of a list that have them.
    case words
    /// The name of the list that was shown last. Of this kind there is one line.
    case screen

    fileprivate var sign: Unicode.Scalar {
      switch self {
      case .command: ":"
      case .words: "/"
      case .screen: "@"
      }
    }
  }

  package let kind: Kind
  package let text: String

  package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}

/// The lines that were typed on the screen, the oldest first. Their file has a line of text for each, which begins with the sign that it was typed
/// after: `:` or `/`. A line that begins with `@` has the name of a list.
package struct TypedHistory: Sendable, Hashable {
  package static let most = 500
  /// The most bytes that a file of typed lines may have.
  package static let largestFile = most * (LineEditor.longest + 2)

  package private(set) var lines: [KeptLine] = []

  package init() {}

  /// Reads the content of a file of typed lines. Nil if any line has another form, because the others can't be trusted then either.
  package init?(_ file: [UInt8]) {
    guard file.count <= Self.largestFile, let text = String(validating: file, as: UTF8.self),
      !text.unicodeScalars.contains(where: { TerminalText.isHazardous($0) && $0 != "\n" })
    else { return nil }
    // By scalars: a text that begins with an accent makes one character of it and the sign.
    for line in text.unicodeScalars.split(separator: "\n") {
      guard let kind = KeptLine.Kind.allCases.first(where: { $0.sign == line.first }) else { return nil }
      add(KeptLine(kind, String(line.dropFirst())))
    }
  }

  package var file: [UInt8] { lines.flatMap { Array("\($0.kind.sign)\($0.text)\n".utf8) } }

  package func texts(_ kind: KeptLine.Kind) -> [String] { lines.filter { $0.kind == kind }.map(\.text) }

  /// Adds a line as the newest. An equal one that was typed before is removed, and so is the oldest if there are too many.
  package mutating func add(_ line: KeptLine) {
    guard !line.text.isEmpty, !line.text.unicodeScalars.contains(where: TerminalText.isHazardous) else {
      return
    }
    lines.removeAll { $0 == line || line.kind == .screen && $0.kind == .screen }
    lines.append(line)
    while lines.count > Self.most, let oldest = lines.firstIndex(where: { $0.kind != .screen }) {
      lines.remove(at: oldest)
    }
  }
}
