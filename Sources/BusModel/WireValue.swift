// SPDX-License-Identifier: MIT

/// A value as a D-Bus message carries it, with its exact type.
///
/// Containers name the types of their elements, so that an empty one has a type too. `check(as:)` makes sure that the elements have these types;
/// every outgoing message is checked by it.
package enum WireValue: Sendable, Hashable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  case objectPath(ObjectPath)
  case signature(Signature)
  case array(WireType, [WireValue])
  case dictionary(BasicType, WireType, [DictionaryEntry])
  case structure([WireValue])
  indirect case variant(WireValue)

  /// The type that the value claims to have. Its elements are not checked.
  package var type: WireType {
    switch self {
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key, value)
    case .structure(let fields): .structure(fields.map(\.type))
    case .variant: .variant
    default: .basic(basicType ?? .byte)
    }
  }

  /// Whether `type` of this value is the given type. This is faster than comparing, since no type is built.
  package func isOf(_ type: WireType) -> Bool {
    switch (self, type) {
    case (.variant, .variant): true
    case (.array(let element, _), .array(let expected)): element == expected
    case (.dictionary(let key, let value, _), .dictionary(let expectedKey, let expectedValue)):
      key == expectedKey && value == expectedValue
    case (.structure, _): self.type == type
    case (_, .basic(let expected)): basicType == expected
    default: false
    }
  }

  /// The basic type of a value that holds no others; nil for a container.
  package var basicType: BasicType? {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .array, .dictionary, .structure, .variant: nil
    }
  }

  /// A dictionary from text to anything, the commonest container on a bus: `a{sv}`.
  package static func properties(_ entries: [(String, WireValue)]) -> WireValue {
    .dictionary(.string, .variant, entries.map { DictionaryEntry(.string($0), .variant($1)) })
  }

  /// The fields of a structure; nil for any other value.
  package var fields: [WireValue]? {
    guard case .structure(let fields) = self else { return nil }
    return fields
  }
}

/// One key of a dictionary with its value.
package struct DictionaryEntry: Sendable, Hashable {
  package var key: WireValue
  package var value: WireValue

  package init(_ key: WireValue, _ value: WireValue) {
    self.key = key
    self.value = value
  }
}

extension WireValue {
  /// Throws unless the value and everything in it has the type, and can be sent.
  ///
  /// libdbus ends the process when it is given a value that the format cannot carry, so every value is checked here first.
  package func check(as type: WireType, budget: inout WireBudget) throws(WireError) {
    switch (self, type) {
    case (.string(let text), .basic(.string)):
      try budget.pay(text.utf8.count)
      guard !text.utf8.contains(0) else { throw .nul(text) }
    case (.objectPath(let path), .basic(.objectPath)): try budget.pay(path.text.utf8.count)
    case (.signature(let signature), .basic(.signature)): try budget.pay(signature.text.utf8.count)
    case (_, .basic(let expected)):
      guard basicType == expected else { throw mismatch(type) }
      try budget.pay()
    default: try checkContainer(as: type, budget: &budget)
    }
  }

  private func checkContainer(as type: WireType, budget: inout WireBudget) throws(WireError) {
    try budget.pay()
    try budget.enter()
    switch (self, type) {
    case (.variant(let inner), .variant):
      let innerType = inner.type
      if !innerType.isShallow { try innerType.checkNesting() }
      try inner.check(as: innerType, budget: &budget)
    case (.array(let element, let values), .array(let expected)) where element == expected:
      for value in values { try value.check(as: element, budget: &budget) }
    case (.dictionary(let key, let value, let entries), .dictionary(let expectedKey, let expectedValue))
    where key == expectedKey && value == expectedValue:
      try Self.check(entries, key: .basic(key), value: value, budget: &budget)
    case (.structure(let values), .structure(let types)) where values.count == types.count:
      for (value, type) in zip(values, types) { try value.check(as: type, budget: &budget) }
    default: throw mismatch(type)
    }
    budget.leave()
  }

  /// Checks the entries of a dictionary. In D-Bus's format an entry is a container, so it counts as a level of nesting.
  private static func check(
    _ entries: [DictionaryEntry], key: WireType, value: WireType, budget: inout WireBudget
  ) throws(WireError) {
    try budget.enter()
    for entry in entries {
      try entry.key.check(as: key, budget: &budget)
      try entry.value.check(as: value, budget: &budget)
    }
    budget.leave()
  }

  private func mismatch(_ type: WireType) -> WireError { .typeMismatch(expected: type, found: self.type) }
}

extension WireType {
  /// Throws if no message can carry these types together.
  package static func check(_ types: [WireType]) throws(WireError) {
    if types.count <= 16, types.allSatisfy(\.isShallow) { return }
    do throws(SignatureError) { _ = try Signature(types) } catch { throw .badSignature(error) }
  }

  /// Throws for a type that this enum can express but no signature can.
  func checkNesting() throws(WireError) {
    do throws(SignatureError) { _ = try Signature([self]) } catch { throw .badSignature(error) }
  }
}

/// How much memory and how many levels of nesting the values of one message may still use.
///
/// A message of 128 MiB is legal. If it has only bytes, its values take about two dozen times that in memory. So code that reads or writes values
/// pays for each from a budget first.
package struct WireBudget: Sendable {
  /// How deep containers may be nested, variants included: the specification's limit.
  package static let deepest = 64
  /// What each value costs, in bytes, apart from its text.
  package static let valueCost = MemoryLayout<WireValue>.stride
  /// The budget of a usual message, in bytes: enough for an edit of 100,000 tracks.
  package static let standardLimit = 32 << 20

  /// The size of the budget at the beginning, in bytes.
  package let limit: Int
  private var left: Int
  private var depth = 0

  /// A budget of this many bytes.
  package init(limit: Int = standardLimit) {
    self.limit = limit
    left = limit
  }

  /// How many bytes of the budget are used up.
  package var spent: Int { limit - left }

  /// Pays for one value with this many bytes of text; throws if the budget is too small.
  package mutating func pay(_ bytes: Int = 0) throws(WireError) {
    let cost = bytes.addingReportingOverflow(Self.valueCost)
    guard !cost.overflow, cost.partialValue <= left else { throw .tooLarge(limit: limit) }
    left -= cost.partialValue
  }

  /// Counts one more level of nesting; throws if that is too deep.
  package mutating func enter() throws(WireError) {
    guard depth < Self.deepest else { throw .tooDeep }
    depth += 1
  }

  /// Counts one level of nesting less.
  package mutating func leave() { depth -= 1 }
}

/// Why a value cannot be sent, or why a value that arrived is not accepted.
package enum WireError: Error, Sendable, Hashable, CustomStringConvertible {
  case typeMismatch(expected: WireType, found: WireType)
  case nul(String)
  case tooDeep
  case tooLarge(limit: Int)
  case fileDescriptor
  case badSignature(SignatureError)
  case unreadable(String)

  package var description: String {
    switch self {
    case .typeMismatch(let expected, let found): "a value of type \(found) stands where \(expected) belongs"
    case .nul(let text): "a text holds a NUL, which no message can carry: \(text.prefix(32))…"
    case .tooDeep: "values nest deeper than \(WireBudget.deepest)"
    case .tooLarge(let limit): "the message needs more than \(limit) bytes; ask for less, or in parts"
    case .fileDescriptor: "file descriptors are not taken here"
    case .badSignature(let reason): reason.description
    case .unreadable(let what): "the message holds \(what)"
    }
  }
}
