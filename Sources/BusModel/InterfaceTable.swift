// SPDX-License-Identifier: MIT

// An interface is declared once, as a table with a row for each method and each signal. The description for the bus, the reading of
// what arrives and the writing of what is sent all come from the same row.

/// The methods of one interface: an enum with a case for each, whose raw value is the method's name.
package protocol MethodTable: CaseIterable, RawRepresentable<String>, Sendable {
  /// A decoded call of one of these methods, made from its arguments.
  associatedtype Call
  /// The method's arguments and answers, and how a call of it is decoded.
  var row: MethodRow<Call> { get }
}

extension MethodTable {
  /// The descriptions of all methods, in the order of the cases.
  package static var descriptions: [MethodDescription] { allCases.map(\.description) }

  /// The method's name on the bus: the raw value.
  package var member: MemberName { MemberName(unchecked: rawValue) }

  package var description: MethodDescription {
    let row = row
    return MethodDescription(member, in: row.inputs, out: row.outputs)
  }

  /// The arguments of a call that we make, as values for a message. A debug build traps if the method takes other types.
  package func arguments<each Argument: BusArgument>(_ arguments: repeat each Argument) -> [WireValue] {
    var values: [WireValue] = []
    repeat values.append((each arguments).argument.wireValue)
    assert(values.map(\.type) == row.inputs.map(\.type), "\(member) does not take \(values.signatureText)")
    return values
  }
}

/// One method: the names and types of its arguments and answers, and how a call is read.
package struct MethodRow<Call>: Sendable {
  package let inputs: [ArgumentDescription]
  package let outputs: [ArgumentDescription]
  /// Decodes a call from its arguments. Throws `InvalidArgs` with the reason if an argument is invalid.
  package let read: @Sendable (_ arguments: [WireValue]) throws(BusError) -> Call

  /// A method whose arguments have these names. Their types are those of the parameters of `call`, whose result is the decoded call. Traps if there
  /// are more or fewer names than parameters.
  package init<each Argument: BusArgument>(
    _ names: MemberName..., out: KeyValuePairs<MemberName, WireType> = [:],
    _ call: @escaping @Sendable (repeat each Argument) throws(BusError) -> Call
  ) {
    var types: [WireType] = []
    repeat types.append((each Argument).Wire.wireType)
    precondition(names.count == types.count, "\(types.count) arguments have the names \(names)")
    inputs = zip(names, types).map { ArgumentDescription($0, $1) }
    outputs = out.map { ArgumentDescription($0, $1) }
    read = { (arguments) throws(BusError) in
      let wires = try arguments.decoded(as: repeat (each Argument).Wire.self)
      return try call(repeat try (each Argument).reading(each wires))
    }
  }
}

/// A value that can be an argument of a method or the new value of a property. Messages carry it as a `Wire`. Not every `Wire` is
/// valid: a row of the queue is sent as a `UInt32`, for example, and 0 is no row.
package protocol BusArgument: Sendable {
  associatedtype Wire: WireConvertible
  /// The value as a message carries it.
  var argument: Wire { get }
  /// Reads the value from what a message carried. Throws `InvalidArgs` with the reason if that is invalid.
  static func reading(_ argument: Wire) throws(BusError) -> Self
}

extension BusArgument where Wire == Self {
  package var argument: Self { self }
  package static func reading(_ argument: Self) -> Self { argument }
}

extension Bool: BusArgument { package typealias Wire = Bool }
extension UInt32: BusArgument { package typealias Wire = UInt32 }
extension Int64: BusArgument { package typealias Wire = Int64 }
extension Double: BusArgument { package typealias Wire = Double }
extension String: BusArgument { package typealias Wire = String }
extension ObjectPath: BusArgument { package typealias Wire = ObjectPath }

extension Array: BusArgument where Element: BusArgument {
  /// The elements, each as a message carries it.
  package var argument: [Element.Wire] { map(\.argument) }
  /// Reads the elements; throws at the first that is invalid.
  package static func reading(_ argument: [Element.Wire]) throws(BusError) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(argument.count)
    for element in argument { elements.append(try Element.reading(element)) }
    return elements
  }
}

/// One signal: its name, and the names and types of its arguments.
package struct SignalRow<each Argument: WireConvertible>: Sendable {
  package let description: SignalDescription

  /// A signal whose arguments have these names. Traps if there are more or fewer names than argument types.
  package init(_ name: MemberName, _ names: MemberName...) {
    var types: [WireType] = []
    repeat types.append((each Argument).wireType)
    precondition(names.count == types.count, "\(types.count) arguments have the names \(names)")
    description = SignalDescription(name, zip(names, types).map { ArgumentDescription($0, $1) })
  }

  /// The signal's name and these arguments, as it is sent.
  package func callAsFunction(_ arguments: repeat each Argument) -> (MemberName, [WireValue]) {
    (description.name, .arguments(repeat each arguments))
  }

  /// The arguments of a signal that arrived; nil if it is another one, or has arguments of other types.
  package func arguments(of member: MemberName, _ values: [WireValue]) -> (repeat each Argument)? {
    guard member == description.name else { return nil }
    return try? values.decoded(as: repeat (each Argument).self)
  }
}
