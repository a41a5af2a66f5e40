// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import Testing

extension WireValue {
  /// The entries of an `a{sv}`, without the variants around the values.
  var table: [String: WireValue] {
    guard case .dictionary(.string, .variant, let entries) = self else { return [:] }
    return Dictionary(
      entries.compactMap { entry in
        guard case .string(let key) = entry.key, case .variant(let value) = entry.value else { return nil }
        return (key, value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether it is of the type through and through and can travel.
  func travels(as type: WireType) -> Bool {
    var budget = WireBudget()
    return (try? check(as: type, budget: &budget)) != nil
  }
}

extension Fields {
  /// The entries, without the variants around the values.
  var table: [String: WireValue] { wireValue.table }
}

extension MethodTable {
  /// What a call of the method with this name asks for.
  static func read(_ member: MemberName, _ arguments: [WireValue] = []) throws -> Call {
    try #require(Self(rawValue: member.text), "no method \(member)").row.read(arguments)
  }
}

/// That the properties are those of the description, in its order, of its types, and can travel.
func expect(
  _ properties: [(MemberName, WireValue)], fit description: InterfaceDescription, except: [MemberName] = []
) {
  #expect(properties.map(\.0) == description.properties.map(\.name).filter { !except.contains($0) })
  for (name, value) in properties {
    let type = description.property(name)?.type ?? .byte
    #expect(value.travels(as: type), "\(name) is \(value.type), not \(type)")
  }
}
