// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

extension StatusTexts {
  /// The value of a template's field; nil if there is none.
  static func value(of name: String, _ status: StatusFace) -> String? {
    StatusField(rawValue: name).flatMap { value(of: $0, status) }
  }

  private static func value(of field: StatusField, _ status: StatusFace) -> String? {
    switch field {
    case .state: status.state.rawValue
    case .why: status.why
    case .position: status.position.map(ClockText.text)
    case .remaining: remaining(status)
    case .volume: percent(status.volume)
    case .repeat: RepeatMode(status.repeatMode).rawValue
    case .shuffle: ShuffleMode(status.shuffleMode).rawValue
    case .index: status.queueRow.map(String.init)
    case .length: String(status.queueLength)
    case .sink: status.route?.description
    case .port: status.route.flatMap { $0.portDescription ?? $0.port }
    default: status.current.flatMap { value(of: field, $0) }
    }
  }

  private static func value(of field: StatusField, _ face: ItemFace) -> String? {
    let (item, tags) = (face.item, face.item.tags)
    return switch field {
    case .title: item.displayTitle
    case .artist: tags.artist.joined(separator: ", ")
    case .album: tags.album
    case .albumArtist: tags.albumArtist.joined(separator: ", ")
    case .composer: tags.composer.joined(separator: ", ")
    case .genre: tags.genre.joined(separator: ", ")
    case .track: tags.track.map(String.init)
    case .disc: tags.disc.map(String.init)
    case .date: tags.date?.description
    case .duration: tags.duration.map(ClockText.text)
    case .rating: item.listening.rating > 0 ? String(item.listening.rating) : nil
    case .id: item.id.map { String($0.rawValue) }
    case .url: item.location.uri
    case .artUrl: face.artURL
    default: nil
    }
  }

  private static func remaining(_ status: StatusFace) -> String? {
    guard let length = status.current?.item.tags.duration, let position = status.position else { return nil }
    return ClockText.text(max(.zero, length - position))
  }
}
