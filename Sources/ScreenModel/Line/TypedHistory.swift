// SPDX-License-Identifier: MIT
import CommandModel

/// A line that was typed on the screen, to be brought back later.
package struct TypedEntry: Sendable, Hashable {
  package enum Kind: Sendable, Hashable, CaseIterable {
    case command
    /// Words that a list was narrowed by.
    case words

    fileprivate var sign: Character { self == .command ? ":" : "/" }
  }

  package let kind: Kind
  package let text: String

  package init(_ kind: Kind, _ text: String) { (self.kind, self.text) = (kind, text) }
}

/// The lines that were typed, the oldest first, as they are kept in a file: a line for each, behind the sign that it was typed behind.
package struct TypedHistory: Sendable, Hashable {
  package static let most = 500
  /// More bytes than any history has.
  package static let largestFile = most * (LineEditor.longest + 2)

  package private(set) var entries: [TypedEntry] = []

  package init() {}

  /// The history in a file. Nil if anything in it is none: what follows can't be trusted either.
  package init?(_ file: [UInt8]) {
    guard file.count <= Self.largestFile, let text = String(validating: file, as: UTF8.self),
      !text.unicodeScalars.contains(where: { TerminalText.isHazardous($0) && $0 != "\n" })
    else { return nil }
    for line in text.split(separator: "\n") {
      guard let kind = TypedEntry.Kind.allCases.first(where: { $0.sign == line.first }) else { return nil }
      add(TypedEntry(kind, String(line.dropFirst())))
    }
  }

  package var file: [UInt8] { entries.flatMap { Array("\($0.kind.sign)\($0.text)\n".utf8) } }

  package func texts(_ kind: TypedEntry.Kind) -> [String] { entries.filter { $0.kind == kind }.map(\.text) }

  /// Adds a line. One that was typed before is the newest now, and the oldest goes where there are too many.
  package mutating func add(_ entry: TypedEntry) {
    guard !entry.text.isEmpty, !entry.text.unicodeScalars.contains(where: TerminalText.isHazardous) else {
      return
    }
    entries.removeAll { $0 == entry }
    entries.append(entry)
    if entries.count > Self.most { entries.removeFirst(entries.count - Self.most) }
  }
}
