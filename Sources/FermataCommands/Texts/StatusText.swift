// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The status as text for a person or a status bar.
enum StatusText {
  /// The whole status in a few lines, none wider than `width`.
  static func block(_ status: StatusFace, width: Int) -> [StyledText] {
    var lines = [head(status)]
    if let current = status.current {
      let names = [artist(of: current), current.item.tags.album].compactMap(\.self).filter { !$0.isEmpty }
      if !names.isEmpty { lines.append("  " + .outside(names.joined(separator: " · "))) }
      let length = current.item.tags.duration
      lines.append(
        "  " + ProgressLine.text(position: status.position ?? .zero, length: length, width: width - 2))
      lines.append("")
    }
    lines.append(StyledText("  " + modes(status), .dim))
    if let route = status.route {
      let names = [route.description, route.portDescription ?? route.port].compactMap(\.self)
      lines.append(.outside("  on " + names.joined(separator: ", "), .dim))
    }
    if !status.isStored { lines.append(StyledText("  not stored: 'fermata doctor' says why", .dim)) }
    return lines.map { $0.truncated(to: width) }
  }

  /// The most important in one line, without the position or anything else that changes by itself.
  static func shortLine(_ status: StatusFace) -> StyledText {
    guard let current = status.current, let artist = artist(of: current) else { return head(status) }
    return head(status) + .outside(" · " + artist)
  }

  /// The line that a template makes.
  static func line(_ status: StatusFace, _ template: Template) -> String {
    template.text { value(of: $0, status) }
  }

  /// A volume from 0 to 1 as a percentage. The number came from the bus, so it may be out of range or not a number.
  static func percent(_ volume: Double) -> String {
    "\(volume.isFinite ? Int((min(max(0, volume), 1) * 100).rounded()) : 0)%"
  }

  private static func head(_ status: StatusFace) -> StyledText {
    let sign = StyledText(sign(of: status.state) + " ")
    guard let current = status.current else {
      let text = status.queueLength == 0 ? "The queue is empty" : "Stopped"
      return sign + StyledText(text, .bold)
    }
    let title = sign + .outside(current.item.displayTitle, .bold)
    guard status.state != .playing || status.why != nil else { return title }
    return title + .outside("  (\(PlainWords.state(status.state, status.why)))", .dim)
  }

  private static func modes(_ status: StatusFace) -> String {
    var parts = ["volume \(percent(status.volume))"]
    parts.append("repeat \(status.repeatMode.rawValue)")
    parts.append("shuffle \(status.shuffleMode.rawValue)")
    if let row = status.queueRow {
      parts.append("row \(row) of \(status.queueLength)")
    } else if status.queueLength > 0 {
      parts.append(status.queueLength == 1 ? "one row" : "\(status.queueLength) rows")
    }
    return parts.joined(separator: " · ")
  }

  private static func sign(of state: PlaybackState) -> String {
    switch state {
    case .playing: "▶"
    case .paused, .interrupted: "⏸"
    case .stopped: "⏹"
    case .seekingForward: "⏩"
    case .seekingBackward: "⏪"
    }
  }

  private static func artist(of face: ItemFace) -> String? {
    let names = face.item.tags.artist.isEmpty ? face.item.tags.albumArtist : face.item.tags.artist
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  // MARK: The fields of a template

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
    case .repeat: status.repeatMode.rawValue
    case .shuffle: status.shuffleMode.rawValue
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

/// A field of a status line, as `status --format` names it.
enum StatusField: String, Sendable, Hashable, CaseIterable {
  case state, why
  case title, artist, album, albumArtist, composer, genre, track, disc, date, rating, id, url, artUrl
  case position, duration, remaining
  case volume, `repeat`, shuffle
  case index, length
  case sink, port

  /// All names, in the order in which errors and the man page list them.
  static let names = allCases.map(\.rawValue)

  /// The meaning of the field, as a phrase.
  var meaning: String {
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
