// SPDX-License-Identifier: MIT

extension [WireValue] {
  /// The arguments of a message from Swift values.
  package static func arguments<each Argument: WireConvertible>(_ arguments: repeat each Argument)
    -> [WireValue]
  {
    var values: [WireValue] = []
    repeat values.append((each arguments).wireValue)
    return values
  }

  /// The arguments as values of these types. Throws `InvalidArgs`, which says what is
  /// wrong, unless number and types are exactly these.
  package func decoded<each Argument: WireConvertible>(
    as types: repeat (each Argument).Type
  ) throws(BusError) -> (repeat each Argument) {
    var expected: [WireType] = []
    repeat expected.append((each types).wireType)
    guard count == expected.count else { throw .argumentCount(expected: expected, found: count) }
    var next = 0
    return (repeat try argument(each types, &next))
  }

  private func argument<Argument: WireConvertible>(
    _ type: Argument.Type, _ next: inout Int
  ) throws(BusError) -> Argument {
    defer { next += 1 }
    guard let argument = Argument(wire: self[next]) else {
      throw .argumentType(at: next, expected: type.wireType, found: self[next].type)
    }
    return argument
  }

  /// Throws `InvalidArgs` unless the arguments are of exactly these types.
  package func check(as types: [WireType]) throws(BusError) {
    guard count == types.count else { throw .argumentCount(expected: types, found: count) }
    for (index, type) in types.enumerated() where self[index].type != type {
      throw .argumentType(at: index, expected: type, found: self[index].type)
    }
  }

  /// The types of the arguments, as text.
  package var signatureText: String {
    var bytes: [UInt8] = []
    for value in self { value.type.append(to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
