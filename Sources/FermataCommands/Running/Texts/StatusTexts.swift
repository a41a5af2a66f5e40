// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The status as text for a person or a status bar.
enum StatusTexts {
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
    parts.append("repeat \(RepeatMode(status.repeatMode).rawValue)")
    parts.append("shuffle \(ShuffleMode(status.shuffleMode).rawValue)")
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
}
