// SPDX-License-Identifier: MIT

/// The fields of a file as its tag has them, with several values each. Only fields that mean something here are kept,
/// so that whatever else a tag has takes no room.
package struct TagProperties: Sendable, Equatable {
  /// How many values of one field are kept; nobody shows more.
  package static let mostValues = 256

  private var fields: [TagField: [String]] = [:]

  /// No fields.
  package init() {}

  /// Adds a value to the field of this name. Names that mean nothing here are ignored.
  package mutating func add(_ value: String, to name: String) {
    if let field = TagField(name: name) { add(value, to: field) }
  }

  /// Adds a value to a field.
  package mutating func add(_ value: String, to field: TagField) {
    if self[field].count < Self.mostValues { fields[field, default: []].append(value) }
  }

  /// Takes over those fields of a less trusted tag of the same file that are missing here.
  package mutating func fill(from other: TagProperties) {
    fields.merge(other.fields) { own, _ in own }
  }

  /// All values of a field, as they came.
  package subscript(field: TagField) -> [String] { fields[field] ?? [] }

  /// Whether a tag has the field, even if it is empty.
  func has(_ field: TagField) -> Bool { fields[field] != nil }

  /// Each value once, in order, cleaned of white space around it.
  func all(_ field: TagField) -> [String] {
    var seen: Set<String> = []
    return self[field].compactMap(TagText.words).filter { seen.insert($0).inserted }
  }

  /// The first value in these fields that `parse` can read.
  func first<Value>(_ fields: TagField..., as parse: (String) -> Value?) -> Value? {
    for field in fields {
      for text in self[field] {
        if let value = parse(text) { return value }
      }
    }
    return nil
  }

  /// The first value in these fields that is not blank.
  func first(_ field: TagField, _ others: TagField...) -> String? {
    ([field] + others).lazy.compactMap { self.all($0).first }.first
  }
}
