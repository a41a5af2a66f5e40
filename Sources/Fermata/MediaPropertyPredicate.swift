// SPDX-License-Identifier: MIT
import LibraryQuery
import MediaModel

extension MediaItem {
  /// A property by which items are filtered, sorted or shown.
  public enum Property: String, Sendable, Hashable, CaseIterable {
    /// The number by which the library knows the item.
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
    /// The words of a song. Nothing is filtered or sorted by them.
    case lyrics
    /// Whether the album gathers tracks of several artists.
    case isCompilation = "compilation"
    /// Whether the item lies elsewhere on the net; here none does.
    case isCloudItem = "cloud"
    /// The title of the podcast, a text.
    case podcastTitle = "podcast"
    /// Music, podcast or audiobook.
    case mediaType
    /// The number of the album.
    case albumPersistentID = "albumID"
    /// The number of the first artist.
    case artistPersistentID = "artistID"
    /// The number of the album's first artist.
    case albumArtistPersistentID = "albumArtistID"
    /// The number of the first genre.
    case genrePersistentID = "genreID"
    /// The number of the first composer.
    case composerPersistentID = "composerID"
    /// The number of the podcast.
    case podcastPersistentID = "podcastID"
    /// Where the file is, as a text that begins with `file:`.
    case assetURL = "url"
    /// The picture. Nothing is filtered or sorted by it.
    case artwork = "artUrl"
    /// What the user thinks of it, from 0 to 5.
    case rating
    /// How often it was heard.
    case playCount
    /// How often it was skipped.
    case skipCount
    /// When it was heard last.
    case lastPlayed
    /// When it came into the library.
    case dateAdded = "added"
  }

  /// Whether a predicate may ask for this property. Artwork and lyrics it may not.
  public static func canFilter(by property: Property) -> Bool { property.model?.canFilter ?? false }

  /// Whether the library has this property. It has all of them.
  package static func isKnown(_ property: Property) -> Bool { property.model != nil }

  /// Whether a query may be sorted by this property.
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
  /// How a value is compared with a property.
  public enum Comparison: Sendable, Hashable {
    /// They are the same, to the letter.
    case equalTo
    /// The property holds the text; case and accents don't count.
    case contains
    /// The property begins with the text; case and accents don't count.
    case beginsWith
    /// The property comes before the value: a smaller number, an earlier date.
    case lessThan
    /// The property comes after the value: a larger number, a later date.
    case greaterThan
  }

  let predicate: Predicate

  /// A comparison of a property with a text.
  /// - Throws: an error that names the property, the reason, and what is allowed instead.
  public init(
    _ value: String, forProperty property: MediaItem.Property, comparison: Comparison = .equalTo
  ) throws(MusicError) {
    self.predicate = try Self.test(property) { () throws(PredicateError) in
      switch comparison {
      case .equalTo: .equals(.text(value))
      case .contains: .contains(value)
      case .beginsWith: .begins(value)
      case .lessThan: .less(.text(value))
      case .greaterThan: .greater(.text(value))
      }
    }
  }

  /// A comparison of a property with a number; durations are in seconds.
  /// - Throws: an error that names the property, the reason, and what is allowed instead.
  public init(
    _ value: Double, forProperty property: MediaItem.Property, comparison: Comparison = .equalTo
  ) throws(MusicError) {
    self.predicate = try Self.test(property) { () throws(PredicateError) in
      switch comparison {
      case .equalTo: return .equals(.number(value))
      case .lessThan: return .less(.number(value))
      case .greaterThan: return .greater(.number(value))
      case .contains, .beginsWith: throw PredicateError("a number holds no text")
      }
    }
  }

  /// A flag that is set, such as ``MediaItem/Property/isCompilation``, or not set.
  public init(_ value: Bool, forProperty property: MediaItem.Property) throws(MusicError) {
    let test = try Self.test(property) { .isTrue }
    self.predicate = value ? test : .not(test)
  }

  /// The number of an item, an album, an artist and so on.
  public init(_ value: MediaItem.PersistentID, forProperty property: MediaItem.Property) throws(MusicError) {
    try self.init(Double(value.rawValue), forProperty: property)
  }

  /// The text form that the command line also takes: `artist == "X" and (year in 1990..1999 or rating >= 4)`.
  /// - Throws: an error that says what is wrong, and where.
  public init(text: String) throws(MusicError) {
    do throws(PredicateError) { predicate = try Predicate(text) } catch {
      throw MusicError(.refused, "'\(text)'", error.description)
    }
  }

  init(_ predicate: Predicate) { self.predicate = predicate }

  private static func test(
    _ property: MediaItem.Property, _ comparison: () throws(PredicateError) -> PropertyTest.Comparison
  ) throws(MusicError) -> Predicate {
    guard let model = property.model else {
      throw MusicError(.refused, property.rawValue, "the library has no such property")
    }
    do throws(PredicateError) { return .test(try PropertyTest(model, comparison())) } catch {
      throw MusicError(.refused, property.rawValue, error.description)
    }
  }

  /// Both conditions are met.
  public static func && (first: Self, second: Self) -> Self {
    Self(.all([first.predicate, second.predicate]))
  }
  /// At least one of the conditions is met.
  public static func || (first: Self, second: Self) -> Self {
    Self(.any([first.predicate, second.predicate]))
  }
  /// The condition is not met.
  public static prefix func ! (predicate: Self) -> Self { Self(.not(predicate.predicate)) }

  /// The text form, from which the same predicate can be made.
  public var description: String { predicate.description }
}
