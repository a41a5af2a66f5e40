// SPDX-License-Identifier: MIT
import CommandModel

/// A field of a status line, as `status --format` names it.
package enum StatusField: String, Sendable, Hashable, CaseIterable {
  case state, why
  case title, artist, album, albumArtist, composer, genre, track, disc, date, rating, id, url, artUrl
  case position, duration, remaining
  case volume, `repeat`, shuffle
  case index, length
  case sink, port

  /// All names, in the order in which errors and the man page list them.
  static let names = allCases.map(\.rawValue)

  /// The meaning of the field, as a phrase.
  package var meaning: String {
    switch self {
    case .state: "`stopped`, `playing`, `paused`, `interrupted`, `seekingForward` or `seekingBackward`"
    case .why: "Why nothing is heard"
    case .title: "The title; the file's name where it has none"
    case .artist: "The artists, separated by commas"
    case .album: "The album"
    case .albumArtist: "The artists of the album"
    case .composer: "The composers"
    case .genre: "The genres"
    case .track: "The number on the disc"
    case .disc: "The disc's number"
    case .date: "The date of release"
    case .rating: "Your rating, 0 to 5"
    case .id: "The item's identity in the library"
    case .url: "Where it is"
    case .artUrl: "Where its picture is"
    case .position: "How far it has come, `1:23`"
    case .duration: "How long it is, `4:56`"
    case .remaining: "How long it still plays"
    case .volume: "The volume, `80%`"
    case .repeat: "The repeat mode"
    case .shuffle: "The shuffle mode"
    case .index: "The row of the queue that plays"
    case .length: "The rows in the queue"
    case .sink: "The output that it plays on"
    case .port: "The output's port, such as headphones"
    }
  }
}
