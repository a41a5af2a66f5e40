// SPDX-License-Identifier: MIT

/// A value to be written as JSON. There is no null: absent values are left out.
package enum JSONValue: Sendable, Hashable {
  /// One name and its value in an object.
  package struct Member: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The value.
    package let value: JSONValue

    /// A member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Members in the order in which they are written.
  case object([Member])
  /// Values in order.
  case array([JSONValue])
  /// A text.
  case string(String)
  /// A number.
  case number(JSONNumber)
  /// True or false.
  case bool(Bool)

  /// An object of those members that have a value, in the order given.
  package static func object(present members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  /// A whole number.
  package static func integer(_ number: Int) -> JSONValue { .number(JSONNumber(number)) }
  /// A time in seconds.
  package static func seconds(_ time: Duration) -> JSONValue { .number(JSONNumber(seconds: time)) }
  /// A list of texts.
  package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
}
