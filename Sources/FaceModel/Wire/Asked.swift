// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
import PlaybackLogic

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

/// A mode that is written as a word, the same as on the command line.
protocol ModeText: CaseIterable, Sendable, Hashable, RawRepresentable<String> {}

extension RepeatMode: ModeText {}
extension ShuffleMode: ModeText {}

extension ModeText {
  var text: String { rawValue }

  init?(text: String) { self.init(rawValue: text) }
}

extension ModeChoice where Mode: ModeText {
  private static var defaultText: String { "default" }

  var text: String {
    if case .chosen(let mode) = self { mode.text } else { Self.defaultText }
  }

  /// Reads a choice from a word. The error for any other word names the ones that are accepted.
  init(text: String) throws(BusError) {
    if text == Self.defaultText {
      self = .default
    } else if let mode = Mode(text: text) {
      self = .chosen(mode)
    } else {
      let words = (Mode.allCases.map(\.text) + [Self.defaultText]).joined(separator: ", ")
      throw .invalidArguments("\(text.prefix(64)) is unknown; \(words) are taken")
    }
  }
}

/// What a client wants to hear, as a message carries it: a `file:` URI, so that file names in any encoding arrive
/// whole, or `item:` and the item's number in the library.
package enum MediaSource: Sendable, Hashable {
  /// A file, a folder or a playlist.
  case file(FilePath)
  /// An item of the library.
  case item(MediaItem.ID)

  private static let itemScheme = "item:"

  /// Reads a source from a text.
  /// - Throws: `InvalidArgs` for a URI that names no file of this machine, and for an `item:` without a number.
  package init(_ text: String) throws(BusError) {
    guard text.utf8.starts(with: Self.itemScheme.utf8) else {
      self = .file(try Asked.file(text))
      return
    }
    guard let number = Int64(text.dropFirst(Self.itemScheme.count)) else {
      throw .invalidArguments("\(text.prefix(64)): item: is followed by a number of the library")
    }
    self = .item(MediaItem.ID(rawValue: number))
  }

  /// The source as a message carries it. Traps for a relative path.
  package var text: String {
    switch self {
    case .file(let path): path.uri
    case .item(let id): Self.itemScheme + String(id.rawValue)
    }
  }
}
