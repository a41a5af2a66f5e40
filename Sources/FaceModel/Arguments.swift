// SPDX-License-Identifier: MIT
package import BusModel
package import LibraryQuery
package import MediaModel
package import PlaybackLogic

// The arguments that methods of the bus interfaces take, and how each is read. An invalid value is refused with the reason.

/// A source that a client names, as a message carries it: a `file:` URI, so that file names in any encoding arrive intact; `item:` and the item's
/// number in the library; or `playlist:` and the name of a kept playlist.
package enum MediaSource: Sendable, Hashable, BusArgument {
  /// A file, a folder or a playlist.
  case file(FilePath)
  /// An item of the library.
  case item(MediaItem.ID)
  /// The saved playlist of this name: a file in fermata's own folder, or a query of the library.
  case playlist(String)

  private static let itemScheme = "item:"
  private static let playlistScheme = "playlist:"

  /// Reads a source from a text.
  /// - Throws: `InvalidArgs` for a URI that names no file of this machine, and for an `item:` without a number.
  package init(_ text: String) throws(BusError) {
    if text.utf8.starts(with: Self.playlistScheme.utf8) {
      self = .playlist(String(text.dropFirst(Self.playlistScheme.count)))
      return
    }
    guard text.utf8.starts(with: Self.itemScheme.utf8) else {
      self = .file(try FilePath.reading(text))
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
    case .playlist(let name): Self.playlistScheme + name
    }
  }

  package var argument: String { text }
  package static func reading(_ argument: String) throws(BusError) -> Self { try Self(argument) }
}

/// A file is sent as its URI.
extension FilePath: BusArgument {
  package var argument: String { uri }
  package static func reading(_ argument: String) throws(BusError) -> Self {
    do throws(FileURIError) { return try Self(uri: argument) } catch {
      throw .invalidArguments(error.description)
    }
  }
}

extension EntryID: BusArgument {
  package var argument: UInt64 { rawValue }
  package static func reading(_ argument: UInt64) -> Self { Self(rawValue: argument) }
}

/// A row of the queue, counted from 1.
struct Row: BusArgument {
  let number: Int

  var argument: UInt32 { UInt32(clamping: number) }
  static func reading(_ argument: UInt32) throws(BusError) -> Self {
    guard argument > 0 else { throw .invalidArguments("rows count from 1") }
    return Self(number: Int(argument))
  }
}

/// A time in a track is sent in seconds.
extension Duration: BusArgument {
  package var argument: Double { WireTime.seconds(self) }
  package static func reading(_ argument: Double) throws(BusError) -> Self {
    guard let time = WireTime.duration(seconds: argument) else {
      throw .invalidArguments("\(argument) is no time in a track; seconds are taken")
    }
    return time
  }
}

extension SeekDirection: BusArgument {
  package var argument: String { rawValue }
  package static func reading(_ argument: String) throws(BusError) -> Self {
    guard let direction = Self(rawValue: argument) else {
      throw .invalidArguments(
        "the direction \(argument.prefix(64)) is unknown; forward and backward are taken")
    }
    return direction
  }
}

/// A volume from 0 to 1.
struct Volume: BusArgument {
  let fraction: Double

  var argument: Double { fraction }
  static func reading(_ argument: Double) throws(BusError) -> Self {
    Self(fraction: try clamped(argument, to: 0...1, "the volume"))
  }
}

/// A place in a track as a part of its length, clamped to 0…1.
struct TrackPart: BusArgument {
  let fraction: Double

  var argument: Double { fraction }
  static func reading(_ argument: Double) throws(BusError) -> Self {
    Self(fraction: try clamped(argument, to: 0...1, "the part of the track"))
  }
}

/// A change of the volume, clamped to -1…1.
struct VolumeChange: BusArgument {
  let fraction: Double

  var argument: Double { fraction }
  static func reading(_ argument: Double) throws(BusError) -> Self {
    Self(fraction: try clamped(argument, to: -1...1, "the change"))
  }
}

/// A number clamped to a range, so that a wrong one cannot make the sound too loud. `what` names it in the error for a value that is not a number.
private func clamped(
  _ number: Double, to range: ClosedRange<Double>, _ what: String
) throws(BusError) -> Double {
  guard number.isFinite else {
    let limits = "\(Int(range.lowerBound)) to \(Int(range.upperBound))"
    throw .invalidArguments("\(what) \(number) is no number; \(limits) are taken")
  }
  return min(max(range.lowerBound, number), range.upperBound)
}

/// A mode that was chosen is sent as the command line's word for it; the mode from the settings is sent as `default`.
extension ModeChoice: BusArgument where Mode: CaseIterable & RawRepresentable<String> {
  private static var defaultText: String { "default" }

  var text: String {
    if case .chosen(let mode) = self { mode.rawValue } else { Self.defaultText }
  }

  package var argument: String { text }
  package static func reading(_ argument: String) throws(BusError) -> Self {
    if argument == defaultText { return .default }
    guard let mode = Mode(rawValue: argument) else {
      let words = (Mode.allCases.map(\.rawValue) + [defaultText]).joined(separator: ", ")
      throw .invalidArguments("\(argument.prefix(64)) is unknown; \(words) are taken")
    }
    return .chosen(mode)
  }
}

/// How tracks are to be sorted is sent as words, such as `artist` and `-year`.
extension TrackSort: BusArgument {
  package var argument: [String] { wordsOfKeys }
  package static func reading(_ argument: [String]) throws(BusError) -> Self {
    do throws(PredicateError) { return try Self(argument) } catch { throw .invalidArguments("\(error)") }
  }
}

/// Reads the options of a call, one by one. Unknown options are refused, because the caller relies on them.
struct Options {
  private var options: [String: WireValue]

  init(_ options: [String: WireValue]) { self.options = options }

  /// Takes an option out and returns its value; nil if the option was not given. Throws if the value is invalid or of another type.
  mutating func remove<Value: BusArgument>(_ name: String) throws(BusError) -> Value? {
    guard let value = options.removeValue(forKey: name) else { return nil }
    guard let wire = Value.Wire(wire: value) else {
      throw .invalidArguments("the option \(name) is of type \(Value.Wire.wireType), not \(value.type)")
    }
    return try Value.reading(wire)
  }

  /// Throws if an option is left that `remove` has not taken out. `taken` lists the known options for the error text.
  func checkForOthers(taken: String) throws(BusError) {
    guard let unknown = options.keys.min() else { return }
    throw .invalidArguments("the option \(unknown.prefix(64)) is unknown; what is taken: \(taken)")
  }
}
