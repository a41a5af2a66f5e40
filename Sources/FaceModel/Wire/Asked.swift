// SPDX-License-Identifier: MIT
import BusModel
import MediaModel

/// Turns the values that callers give into what they mean. Values that mean nothing throw an error that says why.
enum Asked {
  /// A file that a URI names.
  static func file(_ uri: String) throws(BusError) -> FilePath {
    do throws(FileURIError) { return try FilePath(uri: uri) } catch {
      throw .invalidArguments(error.description)
    }
  }

  /// A volume from 0 to 1. A number out of that range is clamped, so that a wrong one cannot make the sound too loud.
  static func volume(_ volume: Double) throws(BusError) -> Double {
    guard volume.isFinite else {
      throw .invalidArguments("the volume \(volume) is no number; 0 to 1 are taken")
    }
    return min(max(0, volume), 1)
  }

  /// A change of the volume, clamped to -1…1.
  static func volumeChange(_ difference: Double) throws(BusError) -> Double {
    guard difference.isFinite else {
      throw .invalidArguments("the change \(difference) is no number; -1 to 1 are taken")
    }
    return min(max(-1, difference), 1)
  }

  /// A property's value, of the property's type.
  static func value<Value: WireConvertible>(
    _ value: WireValue, of property: MemberName
  ) throws(BusError) -> Value {
    guard let decoded = Value(wire: value) else {
      throw .propertyType(property, expected: Value.wireType, found: value.type)
    }
    return decoded
  }

  /// An option's value, of the option's type.
  static func option<Value: WireConvertible>(
    _ name: String
  ) -> (_ value: WireValue) throws(BusError) -> Value {
    { (value) throws(BusError) in
      guard let decoded = Value(wire: value) else {
        throw .invalidArguments("the option \(name) is of type \(Value.wireType), not \(value.type)")
      }
      return decoded
    }
  }

  /// The error for an unknown option. The option is not ignored, because the caller relies on it.
  static func unknownOption(_ name: String, taken: String) -> BusError {
    .invalidArguments("the option \(name.prefix(64)) is unknown; what is taken: \(taken)")
  }

  /// The error that says why a property cannot be set: it can only be read, or it does not exist.
  static func refusal(of property: MemberName, _ interface: InterfaceDescription) -> BusError {
    interface.property(property) == nil
      ? .unknownProperty(property.text, of: interface.name.text) : .readOnly(property)
  }
}
