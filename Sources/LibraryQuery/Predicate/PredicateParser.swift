// SPDX-License-Identifier: MIT
import MediaModel

extension Predicate {
  /// Reads a predicate from its text form.
  ///
  /// - Throws: if the text is not valid. The error points at the place and says what to write instead.
  package init(_ text: String) throws(PredicateError) {
    guard text.utf8.count <= PredicateParser.longest else {
      throw PredicateError("the expression is longer than \(PredicateParser.longest) bytes", in: text)
    }
    var parser = PredicateParser(text, try PredicateLexer.tokens(of: text))
    self = try parser.expression()
  }
}

/// Makes a predicate from tokens. The depth and length of an expression are limited, because of the stack here and because of SQLite's limits.
struct PredicateParser {
  static let longest = 1 << 16
  static let deepest = 20
  static let mostTests = 500
  static let mostValues = 4_000

  private let text: String
  private let tokens: [PredicateToken]
  private var at = 0
  private var depth = 0
  private var tests = 0
  private var values = 0

  init(_ text: String, _ tokens: [PredicateToken]) { (self.text, self.tokens) = (text, tokens) }

  private var token: PredicateToken { tokens[at] }

  private func error(_ message: String, at offset: Int? = nil) -> PredicateError {
    PredicateError(message, in: text, at: offset ?? token.offset)
  }

  private mutating func accept(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    at += 1
    return true
  }

  private mutating func accept(word: String) -> Bool {
    guard case .word(let found) = token.kind, found.lowercased() == word else { return false }
    at += 1
    return true
  }

  // MARK: Words between comparisons

  mutating func expression() throws(PredicateError) -> Predicate {
    if token.kind == .end { throw error("nothing is asked; write such as artist == \"X\" and year > 1990") }
    let predicate = try disjunction()
    guard token.kind == .end else {
      throw error("and, or or the end belongs here", at: token.offset)
    }
    return predicate
  }

  private mutating func disjunction() throws(PredicateError) -> Predicate {
    var parts = [try conjunction()]
    while accept(word: "or") { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateError) -> Predicate {
    var parts = [try negation()]
    while accept(word: "and") { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(PredicateError) -> Predicate {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error("nested more than \(Self.deepest) deep; write it flatter")
    }
    if accept(word: "not") { return .not(try negation()) }
    let opening = token.offset
    if accept("(") {
      let inner = try disjunction()
      guard accept(")") else {
        let isEnd = token.kind == .end
        throw isEnd ? error("this bracket is never closed", at: opening) : error("and, or or ) belongs here")
      }
      return inner
    }
    return try comparison()
  }

  // MARK: One comparison

  private mutating func comparison() throws(PredicateError) -> Predicate {
    tests += 1
    guard tests <= Self.mostTests else { throw error("more than \(Self.mostTests) comparisons; write fewer") }
    let start = token.offset
    let property = try property()
    try check(property, .isAmong([]), at: start, only: .property)
    if property.kind == .flag { return try flag(property) }
    let signAt = token.offset
    let sign = try sign(for: property)
    let valueAt = token.offset
    let (comparison, isNegated) = try comparison(sign, of: property, at: signAt)
    try check(property, comparison, at: signAt, only: .comparison)
    try check(property, comparison, at: valueAt, only: .value)
    let test = Predicate.test(try PropertyTest(property, comparison))
    return isNegated ? .not(test) : test
  }

  private func check(
    _ property: ItemProperty, _ comparison: PropertyTest.Comparison, at offset: Int,
    only part: PropertyTest.Fault.Part
  ) throws(PredicateError) {
    if let fault = PropertyTest.fault(property, comparison), fault.part == part {
      throw error(fault.message, at: offset)
    }
  }

  private mutating func property() throws(PredicateError) -> ItemProperty {
    guard case .word(let name) = token.kind else {
      throw error("a property's name belongs here, such as artist, year or rating")
    }
    guard let property = ItemProperty(rawValue: name) else {
      throw error("there is no property \(name)\(NameGuess.hint(for: name, among: ItemProperty.filterable))")
    }
    at += 1
    return property
  }

  private mutating func flag(_ property: ItemProperty) throws(PredicateError) -> Predicate {
    let test = Predicate.test(try PropertyTest(property, .isTrue))
    let signAt = token.offset
    guard token.kind == .sign("==") || token.kind == .sign("!=") else {
      // A comparison such as < makes no sense for a flag, which is an error of its own. Anything else is left to the caller.
      if case .sign(let sign) = token.kind, ["<", "<=", ">", ">="].contains(sign) {
        try check(property, .less(.number(0)), at: signAt, only: .comparison)
      }
      return test
    }
    let isNegated = token.kind == .sign("!=")
    at += 1
    if accept(word: "true") { return isNegated ? .not(test) : test }
    if accept(word: "false") { return isNegated ? test : .not(test) }
    throw error("\(property.rawValue) is true or false; its name alone means true")
  }

  private mutating func sign(for property: ItemProperty) throws(PredicateError) -> String {
    let sign: String? =
      switch token.kind {
      case .sign(let sign) where ["==", "!=", "<", "<=", ">", ">="].contains(sign): sign
      case .word(let word) where ["contains", "begins", "in"].contains(word.lowercased()): word.lowercased()
      default: nil
      }
    guard let sign else {
      throw error("an operator belongs behind \(property.rawValue): == != contains begins in < <= > >=")
    }
    at += 1
    return sign
  }

  private mutating func comparison(
    _ sign: String, of property: ItemProperty, at signAt: Int
  ) throws(PredicateError) -> (PropertyTest.Comparison, isNegated: Bool) {
    switch sign {
    case "in": return (.isAmong(try choices(for: property)), false)
    case "contains", "begins":
      try check(property, .contains(""), at: signAt, only: .comparison)
      let value = try operand(for: property)
      // What is no text is refused like any other value that the property is not compared with.
      guard case .text(let text) = value else { return (.equals(value), false) }
      return (sign == "begins" ? .begins(text) : .contains(text), false)
    default: break
    }
    let value = try operand(for: property)
    switch sign {
    case "<": return (.less(value), false)
    case "<=": return (.lessOrEqual(value), false)
    case ">": return (.greater(value), false)
    case ">=": return (.greaterOrEqual(value), false)
    default: return (.equals(value), sign == "!=")
    }
  }

  // MARK: Values

  private mutating func choices(for property: ItemProperty) throws(PredicateError) -> [PropertyTest.Choice] {
    guard accept("[") else { return [try choice(for: property)] }
    if accept("]") { return [] }
    var choices: [PropertyTest.Choice] = []
    repeat {
      let start = token.offset
      let choice = try choice(for: property)
      try check(property, .isAmong([choice]), at: start, only: .value)
      choices.append(choice)
    } while accept(",")
    guard accept("]") else { throw error("a comma or ] belongs here") }
    return choices
  }

  private mutating func choice(for property: ItemProperty) throws(PredicateError) -> PropertyTest.Choice {
    let first = try operand(for: property)
    return accept("..") ? .range(first, try operand(for: property)) : .one(first)
  }

  /// The next value in the unit of this property: `5m` is 300 seconds for a duration, and `1997` a year for a date.
  private mutating func operand(for property: ItemProperty) throws(PredicateError) -> PropertyTest.Operand {
    values += 1
    guard values <= Self.mostValues else { throw error("more than \(Self.mostValues) values; write fewer") }
    let operand: PropertyTest.Operand
    switch token.kind {
    case .text(let text): operand = .init(text, for: property)
    case .number(let number): operand = .init(number, for: property)
    case .date(let date): operand = .date(date)
    case .span(let seconds, let isSigned): operand = try span(seconds, isSigned, for: property)
    case .word(let word):
      throw error("\(word) is no value: text stands in double quotes, as \"\(word)\"")
    case .sign, .end: throw error("a value belongs here")
    }
    at += 1
    return operand
  }

  private func span(
    _ seconds: Int64, _ isSigned: Bool, for property: ItemProperty
  ) throws(PredicateError) -> PropertyTest.Operand {
    switch (property.kind, isSigned) {
    case (.duration, false): return .number(Double(seconds))
    case (.duration, true): throw error("a length of time has no sign")
    case (.date, false), (.moment, false):
      throw error("write -\(TimeUnit.text(seconds: seconds.magnitude)) for so long ago")
    default: return .ago(-seconds)
    }
  }
}

/// Guesses which property a wrong name may mean.
enum NameGuess {
  /// Names that other programs have for these properties.
  private static let others: [String: ItemProperty] = [
    "length": .duration, "time": .duration, "name": .title, "song": .title, "plays": .playCount,
    "skips": .skipCount, "stars": .rating, "played": .lastPlayed, "type": .mediaType, "path": .url,
    "file": .url, "filename": .url, "tracknumber": .track, "discnumber": .disc, "band": .artist,
  ]

  /// A text that names the property that was perhaps meant, and all possible ones.
  static func hint(for name: String, among properties: [ItemProperty]) -> String {
    let meant = meant(by: name).flatMap { properties.contains($0) ? $0 : nil }
    let guess = meant ?? nearest(to: name, among: properties)
    let question = guess.map { "; did you mean '\($0.rawValue)'?" } ?? ";"
    return "\(question) allowed are \(ItemProperty.names(properties))"
  }

  /// The property that other programs call by this name, or whose name differs only in case.
  static func meant(by name: String) -> ItemProperty? {
    let small = name.lowercased()
    return others[small] ?? ItemProperty.allCases.first { $0.rawValue.lowercased() == small }
  }

  /// The property whose name is most like this one; nil if none is like it.
  static func nearest(to name: String, among properties: [ItemProperty]) -> ItemProperty? {
    let small = name.lowercased()
    let near = properties.map { ($0, distance(small, $0.rawValue.lowercased())) }.min { $0.1 < $1.1 }
    return near.flatMap { $0.1 <= max(1, small.utf8.count / 3) ? $0.0 : nil }
  }

  /// Whether the word asks for a random order.
  static func isRandom(_ name: String) -> Bool {
    ["random", "rand", "shuffle", "shuffled"].contains(name.lowercased())
  }

  /// The number of letters to insert, remove, change or swap with their neighbour to make one word from the other.
  private static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.utf8.prefix(32)), Array(second.utf8.prefix(32)))
    var rows = [Array(0...b.count)]
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var best = min(rows[i][j] + (x == y ? 0 : 1), row[j] + 1, rows[i][j + 1] + 1)
        if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
