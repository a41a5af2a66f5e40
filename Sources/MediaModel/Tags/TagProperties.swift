// SPDX-License-Identifier: MIT

/// The fields of a file as its tag has them: names in capitals, several values each. The names are those of
/// Vorbis comments, to which readers translate other kinds of tag.
public struct TagProperties: Sendable, Equatable {
  private var fields: [String: [String]] = [:]

  /// No fields.
  public init() {}

  /// Adds a value; names are compared without case.
  public mutating func add(_ value: String, to name: String) {
    fields[name.uppercased(), default: []].append(value)
  }

  /// All values of a field, as they came.
  public subscript(name: String) -> [String] { fields[name] ?? [] }

  /// The field names, in no order.
  public var names: some Collection<String> { fields.keys }

  /// Each value once, in order, cleaned of white space around it.
  func all(_ name: String) -> [String] {
    var seen: Set<String> = []
    return self[name].compactMap(TagText.words).filter { seen.insert($0).inserted }
  }

  /// The first field of these that says anything, read by `parse`.
  func first<Value>(_ names: String..., as parse: (String) -> Value?) -> Value? {
    for name in names {
      for text in self[name] {
        if let value = parse(text) { return value }
      }
    }
    return nil
  }

  /// The first of these fields that says anything.
  func first(_ name: String, _ others: String...) -> String? {
    ([name] + others).lazy.compactMap { self.all($0).first }.first
  }
}
