// SPDX-License-Identifier: MIT

/// Parts Swift's text into tokens and comments. It knows nested comments, and strings with their raw and
/// multi-line forms; what is interpolated counts as code.
struct SwiftScanner {
  private enum Context {
    /// Code; in an interpolation, how many of its own parentheses are open.
    case code(openInInterpolation: Int?)
    case string(hashes: Int, quotes: Int, start: Int)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var lastEnd = -1
  private var contexts: [Context] = [.code(openInInterpolation: nil)]
  /// Of the strings that are open, innermost last, what they hold so far.
  private var texts: [[UInt8]] = []

  private(set) var tokens: [Token] = []
  /// The text of the comments by the line that they stand on.
  private(set) var comments: [Int: [UInt8]] = [:]

  init(_ text: String) {
    bytes = Array(text.utf8)
    while index < bytes.count { step() }
  }

  private mutating func step() {
    switch contexts[contexts.count - 1] {
    case .code(let open): code(open)
    case .string(let hashes, let quotes, let start): string(hashes: hashes, quotes: quotes, start: start)
    }
  }

  private mutating func code(_ openInInterpolation: Int?) {
    let byte = bytes[index]
    if byte == UInt8(ascii: "\n") {
      line += 1
      index += 1
    } else if byte == UInt8(ascii: " ") {
      index += 1
    } else if next(is: "//") {
      lineComment()
    } else if next(is: "/*") {
      blockComment()
    } else if let opening = openingQuotes() {
      contexts.append(.string(hashes: opening.hashes, quotes: opening.quotes, start: line))
      texts.append([])
      index += opening.hashes + opening.quotes
    } else if byte.isWord {
      word()
    } else {
      mark(byte, openInInterpolation)
    }
  }

  private mutating func word() {
    let start = index
    while index < bytes.count, bytes[index].isWord { index += 1 }
    append(.word, String(decoding: bytes[start..<index], as: UTF8.self), from: start)
  }

  private mutating func mark(_ byte: UInt8, _ openInInterpolation: Int?) {
    index += 1
    if let open = openInInterpolation {
      if byte == UInt8(ascii: ")"), open == 0 {
        contexts.removeLast()
        return
      }
      let change = byte == UInt8(ascii: "(") ? 1 : byte == UInt8(ascii: ")") ? -1 : 0
      contexts[contexts.count - 1] = .code(openInInterpolation: open + change)
    }
    append(.mark, String(UnicodeScalar(byte)), from: index - 1)
  }

  private mutating func string(hashes: Int, quotes: Int, start: Int) {
    let tail = String(repeating: "#", count: hashes)
    if next(is: String(repeating: "\"", count: quotes) + tail) {
      contexts.removeLast()
      index += quotes + hashes
      append(.string, String(decoding: texts.removeLast(), as: UTF8.self), from: index, line: start)
    } else if next(is: "\\" + tail + "(") {
      index += hashes + 2
      contexts.append(.code(openInInterpolation: 0))
    } else if next(is: "\\" + tail) {
      index += hashes + 1
      if index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
    } else {
      texts[texts.count - 1].append(bytes[index])
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private mutating func lineComment() {
    while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { takeIntoComment(1) }
  }

  private mutating func blockComment() {
    var depth = 0
    repeat {
      if next(is: "/*") {
        depth += 1
        takeIntoComment(2)
      } else if next(is: "*/") {
        depth -= 1
        takeIntoComment(2)
      } else {
        takeIntoComment(1)
      }
    } while depth > 0 && index < bytes.count
  }

  private mutating func takeIntoComment(_ count: Int) {
    comments[line, default: []] += bytes[index..<(index + count)]
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += count
  }

  private mutating func append(_ kind: Token.Kind, _ text: String, from start: Int, line: Int? = nil) {
    tokens.append(
      Token(kind: kind, text: text, line: line ?? self.line, touchesPrevious: start == lastEnd))
    lastEnd = index
  }

  private func next(is text: String) -> Bool {
    var at = index
    for byte in text.utf8 {
      guard at < bytes.count, bytes[at] == byte else { return false }
      at += 1
    }
    return true
  }

  private func openingQuotes() -> (hashes: Int, quotes: Int)? {
    guard bytes[index] == UInt8(ascii: "#") || bytes[index] == UInt8(ascii: "\"") else { return nil }
    let hashes = bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count
    let rest = bytes[(index + hashes)...]
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    return (hashes, rest.starts(with: "\"\"\"".utf8) ? 3 : 1)
  }
}

extension UInt8 {
  /// A byte of an identifier or a number, or of anything beyond ASCII.
  var isWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
