// SPDX-License-Identifier: MIT

/// A value for a parameter of a statement.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

/// An SQL statement and the values of its parameters. Texts that people write become values and never part of the SQL, so that no title or search
/// word can be taken for SQL.
package struct SQLStatement: Sendable, Hashable {
  /// The text, with a question mark for each value.
  package private(set) var text: String
  /// The values, in the order of the question marks.
  package private(set) var values: [SQLValue]

  package init(_ text: String = "", _ values: [SQLValue] = []) { (self.text, self.values) = (text, values) }

  /// Adds text, and the values of the question marks in it.
  package mutating func add(_ text: String, _ values: [SQLValue] = []) {
    self.text += text
    self.values += values
  }

  package mutating func add(_ other: SQLStatement) { add(other.text, other.values) }

  static func + (first: SQLStatement, second: SQLStatement) -> SQLStatement {
    SQLStatement(first.text + second.text, first.values + second.values)
  }

  static func + (first: String, second: SQLStatement) -> SQLStatement { SQLStatement(first) + second }
  static func + (first: SQLStatement, second: String) -> SQLStatement { first + SQLStatement(second) }
}
