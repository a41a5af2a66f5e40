// SPDX-License-Identifier: MIT
import LibraryQuery
import MediaModel

extension MediaItem {
  /// A property by which items are filtered, sorted or shown.
  public enum Property: String, Sendable, Hashable, CaseIterable {
    /// The item's ID in the library.
    case persistentID = "id"
    /// The title, a text.
    case title
    /// The artists of the track, texts.
    case artist
    /// The title of the album, a text.
    case albumTitle = "album"
    /// The artists of the whole album, texts.
    case albumArtist
    /// The composers, texts.
    case composer
    /// The genres, texts.
    case genre
    /// The length, a time.
    case playbackDuration = "duration"
    /// The number of the track on its disc.
    case albumTrackNumber = "track"
    /// How many tracks the disc has.
    case albumTrackCount = "trackCount"
    /// The number of the disc.
    case discNumber = "disc"
    /// How many discs the album has.
    case discCount
    /// The date of release: a year, a month or a day.
    case releaseDate = "date"
    /// The year of release, a number.
    case year
    /// Beats in a minute, a number.
    case beatsPerMinute = "bpm"
    /// Comments, texts.
    case comments = "comment"
    /// The lyrics. Items can't be filtered or sorted by them.
    case lyrics
    /// Whether the album has tracks by several artists.
    case isCompilation = "compilation"
    /// Whether the file is on the net; false for all items of this library.
    case isCloudItem = "cloud"
    /// The title of the podcast, a text.
    case podcastTitle = "podcast"
    /// Music, podcast or audiobook.
    case mediaType
    /// The album's ID in the library.
    case albumPersistentID = "albumID"
    /// The ID of the first artist in the library.
    case artistPersistentID = "artistID"
    /// The ID of the album's first artist in the library.
    case albumArtistPersistentID = "albumArtistID"
    /// The ID of the first genre in the library.
    case genrePersistentID = "genreID"
    /// The ID of the first composer in the library.
    case composerPersistentID = "composerID"
    /// The podcast's ID in the library.
    case podcastPersistentID = "podcastID"
    /// The location of the file, as a text that begins with `file:`.
    case assetURL = "url"
    /// The picture. Items can't be filtered or sorted by it.
    case artwork = "artUrl"
    /// The user's rating, from 0 to 5.
    case rating
    /// How often the item was played. A play counts when half of the item, or four minutes of it, has been heard.
    case playCount
    /// How often the user left the item early for another one.
    case skipCount
    /// When the item was last played, counted as for `playCount`.
    case lastPlayed
    /// When the item was added to the library.
    case dateAdded = "added"
  }

  /// Whether items can be filtered by this property. Only artwork and lyrics can't be used.
  public static func canFilter(by property: Property) -> Bool { property.model?.canFilter ?? false }

  /// Whether the library has this property. It has all of them; a test makes sure of that.
  package static func isKnown(_ property: Property) -> Bool { property.model != nil }

  /// Whether a query can sort by this property.
  public static func canSort(by property: Property) -> Bool { property.model?.canSort ?? false }
}

extension MediaItem.Property {
  var model: ItemProperty? { ItemProperty(rawValue: rawValue) }
}

/// A condition that items meet or do not meet.
///
/// ```swift
/// let slow = try MediaPropertyPredicate("Miles Davis", forProperty: .artist)
/// let quiet = try slow && MediaPropertyPredicate(text: "bpm < 90 and not compilation")
/// ```
public struct MediaPropertyPredicate: Sendable, Hashable, CustomStringConvertible {
  /// The way in which a property is compared with a value.
  public enum Comparison: Sendable, Hashable {
    /// The property equals the value exactly.
    case equalTo
    /// The property contains the text, without regard to case and accents.
    case contains
    /// The property begins with the text, without regard to case and accents.
    case beginsWith
    /// The property is less than the value: a smaller number, an earlier date.
    case lessThan
    /// The property is greater than the value: a larger number, a later date.
    case greaterThan
  }

  let predicate: Predicate

  /// A comparison of a property with a text. A date is written like `1997`, `1997-05` or `1997-05-20`.
  /// - Throws: an error that names the property, the reason, and what is allowed instead.
  public init(
    _ value: String, forProperty property: MediaItem.Property, comparison: Comparison = .equalTo
  ) throws(MusicError) {
    self.predicate = try Self.test(property) { property throws(PredicateError) in
      let operand = PropertyTest.Operand(value, for: property)
      return switch comparison {
      case .equalTo: .equals(operand)
      case .contains: .contains(value)
      case .beginsWith: .begins(value)
      case .lessThan: .less(operand)
      case .greaterThan: .greater(operand)
      }
    }
  }

  /// A comparison of a property with a number; durations are in seconds, and dates are years.
  /// - Throws: an error that names the property, the reason, and what is allowed instead.
  public init(
    _ value: Double, forProperty property: MediaItem.Property, comparison: Comparison = .equalTo
  ) throws(MusicError) {
    self.predicate = try Self.test(property) { property throws(PredicateError) in
      let operand = PropertyTest.Operand(value, for: property)
      switch comparison {
      case .equalTo: return .equals(operand)
      case .lessThan: return .less(operand)
      case .greaterThan: return .greater(operand)
      case .contains, .beginsWith: throw PredicateError("a number holds no text")
      }
    }
  }

  /// The condition that a flag, such as ``MediaItem/Property/isCompilation``, has this value.
  public init(_ value: Bool, forProperty property: MediaItem.Property) throws(MusicError) {
    let test = try Self.test(property) { _ in .isTrue }
    self.predicate = value ? test : .not(test)
  }

  /// The condition that an ID, such as that of an album or an artist, has this value.
  public init(_ value: MediaItem.PersistentID, forProperty property: MediaItem.Property) throws(MusicError) {
    try self.init(Double(value.rawValue), forProperty: property)
  }

  /// Reads the text form that the command line also takes: `artist == "X" and (year in 1990..1999 or rating >= 4)`.
  ///
  /// - Throws: an error that says what is wrong, and where.
  public init(text: String) throws(MusicError) {
    do throws(PredicateError) { predicate = try Predicate(text) } catch {
      throw MusicError(.invalidArgument, "'\(text)'", error.description)
    }
  }

  init(_ predicate: Predicate) { self.predicate = predicate }

  private static func test(
    _ property: MediaItem.Property,
    _ comparison: (ItemProperty) throws(PredicateError) -> PropertyTest.Comparison
  ) throws(MusicError) -> Predicate {
    guard let model = property.model else {
      throw MusicError(.invalidArgument, property.rawValue, "the library has no such property")
    }
    do throws(PredicateError) { return .test(try PropertyTest(model, comparison(model))) } catch {
      throw MusicError(.invalidArgument, property.rawValue, error.description)
    }
  }

  /// The condition that both conditions are met.
  public static func && (first: Self, second: Self) -> Self {
    // Many conditions that a program joins one after the other stay one list: the text form must not be nested deep.
    if case .all(let parts) = first.predicate { return Self(.all(parts + [second.predicate])) }
    return Self(.all([first.predicate, second.predicate]))
  }
  /// The condition that at least one of the two is met.
  public static func || (first: Self, second: Self) -> Self {
    if case .any(let parts) = first.predicate { return Self(.any(parts + [second.predicate])) }
    return Self(.any([first.predicate, second.predicate]))
  }
  /// The condition that this one is not met.
  public static prefix func ! (predicate: Self) -> Self { Self(.not(predicate.predicate)) }

  /// The text form, which `init(text:)` reads.
  public var description: String { predicate.description }
}
