// SPDX-License-Identifier: MIT
package import MediaModel

/// A condition that an item either meets or does not meet. A missing value meets no condition, so `not` exactly inverts the set of items.
///
/// Its text form is `description`, and `init(_:)` reads it back.
package indirect enum Predicate: Sendable, Hashable {
  case test(PropertyTest)
  case not(Predicate)
  /// All of these conditions are met. An empty list is met by every item.
  case all([Predicate])
  /// At least one of these conditions is met. An empty list is met by no item.
  case any([Predicate])
}

/// One comparison of a property with a value. It can only be created if the property and the value fit, so code that evaluates a predicate need not
/// check that again.
package struct PropertyTest: Sendable, Hashable {
  package enum Comparison: Sendable, Hashable {
    /// The property, which is a yes or no, is yes.
    case isTrue
    case equals(Operand)
    /// The text contains this one, without regard to case and accents.
    case contains(String)
    /// The text begins with this one, without regard to case and accents.
    case begins(String)
    /// The value is one of these. Texts are compared without regard to case and accents.
    case isAmong([Choice])
    case less(Operand)
    case lessOrEqual(Operand)
    case greater(Operand)
    case greaterOrEqual(Operand)
  }

  package enum Operand: Sendable, Hashable {
    case text(String)
    case number(Double)
    /// A year, month, day or second; it stands for the whole of it.
    case date(MediaDate)
    /// A time this many seconds before the question is asked.
    case ago(Int64)

    /// The value that a text stands for. For a property that is a time, a text such as "1997-05-20" is a date. It has to be written exactly so: to guess
    /// at another text, as is done for tags, would find something else than was asked for, and nobody would know.
    package init(_ text: String, for property: ItemProperty) {
      self = (property.kind.isTime ? MediaDate(exactly: text) : nil).map(Self.date) ?? .text(text)
    }

    /// The value that a number stands for. For a property that is a time, a whole number such as 1997 is a year.
    package init(_ number: Double, for property: ItemProperty) {
      let year = property.kind.isTime ? Int(exactly: number) : nil
      self = year.flatMap { MediaDate(year: $0) }.map(Self.date) ?? .number(number)
    }
  }

  package enum Choice: Sendable, Hashable {
    case one(Operand)
    /// A range of values; both ends are included.
    case range(Operand, Operand)
  }

  package let property: ItemProperty
  package let comparison: Comparison

  /// The test of this property. Throws if the property cannot be filtered by, or if the comparison makes no sense for it.
  package init(_ property: ItemProperty, _ comparison: Comparison) throws(PredicateError) {
    if let fault = Self.fault(property, comparison) { throw PredicateError(fault.message) }
    (self.property, self.comparison) = (property, comparison)
  }

  /// The part of a comparison that does not fit, and why.
  struct Fault: Equatable {
    enum Part { case property, comparison, value }

    let part: Part
    let message: String
  }

  static func fault(_ property: ItemProperty, _ comparison: Comparison) -> Fault? {
    if let refusal = property.filterRefusal { return Fault(part: .property, message: refusal) }
    guard Forms(property.kind).allows(comparison) else {
      return Fault(
        part: .comparison,
        message: "\(property.rawValue) is \(property.kind.noun): it takes \(Forms(property.kind).words)")
    }
    for choice in comparison.choices {
      if let message = choice.fault(for: property) { return Fault(part: .value, message: message) }
    }
    return nil
  }

  /// The comparisons that one kind of property allows.
  private struct Forms {
    let kind: ItemProperty.Kind

    init(_ kind: ItemProperty.Kind) { self.kind = kind }

    func allows(_ comparison: Comparison) -> Bool {
      switch (kind, comparison) {
      case (.flag, .isTrue): true
      case (.flag, _), (_, .isTrue): false
      case (_, .equals), (_, .isAmong), (.text, .contains), (.text, .begins): true
      case (.text, _), (.mediaType, _), (.identifier, _), (_, .contains), (_, .begins): false
      default: true
      }
    }

    var words: String {
      switch kind {
      case .text: "== != contains begins in"
      case .mediaType, .identifier: "== != in"
      case .flag: "no operator; write its name alone, or behind not"
      case .number, .duration, .date, .moment: "== != < <= > >= in"
      }
    }
  }
}

extension ItemProperty {
  /// Why a predicate can't ask for this property, with the properties that it can ask for; nil if it can.
  fileprivate var filterRefusal: String? {
    if canFilter { return nil }
    let reason =
      self == .lyrics
      ? "lyrics are too long to look through for each item" : "a picture is nothing to compare"
    return "can't filter by \(rawValue): \(reason); allowed are \(Self.names(Self.filterable))"
  }

  static func names(_ properties: [ItemProperty]) -> String {
    properties.map(\.rawValue).joined(separator: ", ")
  }
}

extension ItemProperty.Kind {
  fileprivate var noun: String {
    switch self {
    case .text: "a text"
    case .number: "a number"
    case .duration: "a length of time"
    case .date: "a date"
    case .moment: "a moment"
    case .flag: "a yes or no"
    case .mediaType: "one of music, podcast, audiobook"
    case .identifier: "an identity"
    }
  }

  /// An example of a value of this kind, for messages.
  fileprivate var example: String {
    switch self {
    case .text: "text in double quotes, such as \"Rock\""
    case .number: "a number, such as 3"
    case .duration: "a length of time, such as 300 or 5m"
    case .date: "a date, such as 1997, \"1997-05-20\" or -1y"
    case .moment: "a moment, such as -30d, 2024-12-31 or \"2024-12-31T18:00\""
    case .flag: "true or false"
    case .mediaType: "\"music\", \"podcast\" or \"audiobook\""
    case .identifier: "a number, as --ids prints it"
    }
  }
}

extension PropertyTest.Comparison {
  /// The values that the property is compared with.
  var choices: [PropertyTest.Choice] {
    switch self {
    case .isTrue: []
    case .contains(let text), .begins(let text): [.one(.text(text))]
    case .isAmong(let choices): choices
    case .equals(let value), .less(let value), .lessOrEqual(let value), .greater(let value),
      .greaterOrEqual(let value):
      [.one(value)]
    }
  }
}

extension PropertyTest.Choice {
  /// The highest number that can be compared: every whole number up to it is exact as a `Double`.
  private static let most = 9_007_199_254_740_992.0
  /// The longest time that can be compared: 10,000 years, in seconds.
  private static let longest: Int64 = 320_000_000_000

  fileprivate func fault(for property: ItemProperty) -> String? {
    switch self {
    case .one(let value): return Self.fault(value, property)
    case .range(let first, let last):
      if let fault = Self.fault(first, property) ?? Self.fault(last, property) { return fault }
      if [.text, .mediaType, .identifier].contains(property.kind) {
        return "\(property.rawValue) has no ranges; write a list, such as [1, 2]"
      }
      switch (first, last) {
      case (.number(let low), .number(let high)) where low > high:
        return "the range is empty: its first number is the higher one; turn it round"
      case (.ago(let first), .ago(let last)) where first < last:
        return Self.isTurnedRound
      case (.date(let first), .date(let last)) where TimeSpan(first).begin >= TimeSpan(last).end:
        return Self.isTurnedRound
      default: return nil
      }
    }
  }

  private static let isTurnedRound = "the range is empty: it ends before it begins; turn it round"

  private static func fault(_ value: PropertyTest.Operand, _ property: ItemProperty) -> String? {
    let isFit =
      switch (property.kind, value) {
      case (.text, .text): true
      case (.mediaType, .text(let name)): MediaType(rawValue: name) != nil
      case (.number, .number(let number)), (.duration, .number(let number)): abs(number) <= most
      case (.identifier, .number(let number)): (1...most).contains(number) && number.rounded() == number
      case (.date, .date), (.moment, .date): true
      case (.date, .ago(let seconds)), (.moment, .ago(let seconds)): (-longest...longest).contains(seconds)
      default: false
      }
    return isFit ? nil : "\(property.rawValue) is compared with \(property.kind.example)"
  }
}

/// Why a text is not a valid predicate: what is wrong, where, and what to write instead.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, why, and what may be written instead, as a sentence for a person.
  package let message: String
  /// The expression as it was written; nil for a predicate that a program has made.
  package let text: String?
  /// Where in the text's UTF-8 the error is. It is the text's length if something is missing at the end.
  package let offset: Int

  package init(_ message: String, in text: String? = nil, at offset: Int = 0) {
    (self.message, self.text, self.offset) = (message, text, offset)
  }

  package var description: String {
    text == nil ? message : "\(message) (at character \(column + 1))"
  }

  /// The number of characters before the error.
  package var column: Int {
    guard let text else { return 0 }
    let end = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
    return text[..<end].count
  }
}
