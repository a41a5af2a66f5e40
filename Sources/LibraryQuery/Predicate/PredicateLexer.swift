// SPDX-License-Identifier: MIT
import MediaModel

/// A token of an expression, and its offset in the text's UTF-8.
struct PredicateToken: Equatable {
  enum Kind: Equatable {
    case word(String)
    case text(String)
    case number(Double)
    case date(MediaDate)
    /// A length of time in seconds; `isSigned` tells whether there was a sign before it.
    case span(Int64, isSigned: Bool)
    /// `==`, `(`, `..` and the like.
    case sign(String)
    case end
  }

  let kind: Kind
  let offset: Int
}

/// Splits an expression into tokens. It works on bytes, so that no text can make it trap.
struct PredicateLexer {
  private let text: String
  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) { (self.text, bytes) = (text, Array(text.utf8)) }

  /// The tokens of the text, followed by an `end` token.
  static func tokens(of text: String) throws(PredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(text)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private var byte: UInt8? { byte(0) }
  private func byte(_ ahead: Int) -> UInt8? { at + ahead < bytes.count ? bytes[at + ahead] : nil }

  private func error(_ message: String, at offset: Int) -> PredicateError {
    PredicateError(message, in: text, at: offset)
  }

  private mutating func next() throws(PredicateError) -> PredicateToken {
    while let byte, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { at += 1 }
    let start = at
    guard let first = byte else { return PredicateToken(kind: .end, offset: start) }
    if first == UInt8(ascii: "\"") { return PredicateToken(kind: .text(try quoted()), offset: start) }
    let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    if first.isDigit || isSigned && byte(1)?.isDigit == true {
      return PredicateToken(kind: try number(), offset: start)
    }
    if first.isLetter {
      return PredicateToken(
        kind: .word(take { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }), offset: start)
    }
    return PredicateToken(kind: .sign(try sign()), offset: start)
  }

  private mutating func take(while belongs: (UInt8) -> Bool) -> String {
    let start = at
    while let byte, belongs(byte) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func quoted() throws(PredicateError) -> String {
    let start = at
    var content: [UInt8] = []
    at += 1
    while let byte, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        guard let next = self.byte(1), next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") else {
          throw error(#"a backslash stands only before \ or ": write \\ for one"#, at: at)
        }
        at += 1
      }
      content.append(bytes[at])
      at += 1
    }
    guard byte != nil else { throw error("this text has no end: close it with a double quote", at: start) }
    at += 1
    return String(decoding: content, as: UTF8.self)
  }

  private static let signs = ["==", "!=", "<=", ">=", "..", "(", ")", "[", "]", ",", "<", ">"]
  /// Operators of other languages, each with ours that means the same.
  private static let foreign = [
    "=": "==", "&&": "and", "&": "and", "||": "or", "|": "or", "!": "not", "'": "double quotes for text",
    "~": "contains",
  ]

  private mutating func sign() throws(PredicateError) -> String {
    for sign in Self.signs where bytes[at...].starts(with: sign.utf8) {
      at += sign.utf8.count
      return sign
    }
    for length in [2, 1] {
      let candidate = String(decoding: bytes[at..<min(bytes.count, at + length)], as: UTF8.self)
      if let own = Self.foreign[candidate] {
        throw error("\(candidate) means nothing here: write \(own)", at: at)
      }
    }
    let character = String(decoding: bytes[at...].prefix(4), as: UTF8.self).first.map(String.init) ?? ""
    if "“”„«»‘’".utf8.elementsEqual(character.utf8)
      || ["“", "”", "„", "«", "»", "‘", "’"].contains(character)
    {
      throw error("text stands in plain double quotes (\")", at: at)
    }
    throw error("this character means nothing here; text stands in double quotes", at: at)
  }

  // MARK: Numbers, dates, lengths of time

  private mutating func number() throws(PredicateError) -> PredicateToken.Kind {
    let start = at
    let isSigned = !bytes[at].isDigit
    if isSigned { at += 1 }
    let digits = take { $0.isDigit }
    if !isSigned, digits.utf8.count == 4, byte == UInt8(ascii: "-"), byte(1)?.isDigit == true {
      return try date(from: start)
    }
    if byte?.isLetter == true, !beginsExponent { return try span(from: start, first: digits, isSigned) }
    if byte == UInt8(ascii: "."), byte(1)?.isDigit == true {
      at += 1
      _ = take { $0.isDigit }
    }
    if beginsExponent {
      at += 2
      _ = take { $0.isDigit }
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    guard let number = Double(text), number.isFinite, byte?.isLetter != true else {
      throw error("not a number; write 12, 0.5, 1997-05-20 or 30d", at: start)
    }
    return .number(number)
  }

  private var beginsExponent: Bool {
    guard byte == UInt8(ascii: "e") else { return false }
    return byte(1)?.isDigit == true
      || (byte(1) == UInt8(ascii: "-") || byte(1) == UInt8(ascii: "+")) && byte(2)?.isDigit == true
  }

  private mutating func date(from start: Int) throws(PredicateError) -> PredicateToken.Kind {
    at = start
    let parts = take { $0.isDigit || $0 == UInt8(ascii: "-") }.split(
      separator: "-", omittingEmptySubsequences: false)
    let isShaped = parts.count <= 3 && parts.dropFirst().allSatisfy { $0.utf8.count == 2 }
    let numbers = parts.compactMap { Int($0) }
    guard isShaped, numbers.count == parts.count, byte?.isLetter != true,
      let date = MediaDate(year: numbers[0], month: numbers[1], day: numbers.count > 2 ? numbers[2] : nil)
    else { throw error("no calendar has this date; write it as 1997-05-20", at: start) }
    return .date(date)
  }

  private mutating func span(
    from start: Int, first: String, _ isSigned: Bool
  ) throws(PredicateError) -> PredicateToken.Kind {
    var digits = first
    var total: Int64 = 0
    while true {
      let unitAt = at
      guard let unit = TimeUnit(rawValue: take { $0.isLetter }) else {
        throw error("no such unit; there are \(TimeUnit.words)", at: unitAt)
      }
      let part = (Int64(digits) ?? .max).multipliedReportingOverflow(by: unit.seconds)
      let sum = total.addingReportingOverflow(part.partialValue)
      guard !part.overflow, !sum.overflow else { throw error("longer than anybody can wait", at: start) }
      total = sum.partialValue
      guard byte?.isDigit == true else { break }
      digits = take { $0.isDigit }
    }
    return .span(bytes[start] == UInt8(ascii: "-") ? -total : total, isSigned: isSigned)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isLetter: Bool { (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
}
