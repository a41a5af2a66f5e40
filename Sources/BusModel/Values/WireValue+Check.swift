// SPDX-License-Identifier: MIT

extension WireValue {
  /// Throws unless the value and everything in it is of the type, and can be sent.
  ///
  /// libdbus ends the process when it is given what the format cannot carry, so every value passes this check first.
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

  /// In the format an entry is a container, so it counts as a level of nesting.
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
  /// Whether the type holds others.
  package var isContainer: Bool {
    guard case .basic = self else { return true }
    return false
  }

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
