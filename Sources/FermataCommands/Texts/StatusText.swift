// SPDX-License-Identifier: MIT
import AudioModel
import CommandModel
import FaceModel
import MediaModel
package import PlaybackLogic

/// The status as text for a person or a status bar.
package enum StatusText {
  /// The whole status in a few lines. If `width` is given, none is wider.
  static func block(_ status: StatusFace, width: Int?) -> [StyledText] {
    var lines = [head(status)]
    if let current = status.current {
      let names = [artist(of: current), current.item.tags.album].compactMap(\.self).filter { !$0.isEmpty }
      if !names.isEmpty { lines.append("  " + .outside(names.joined(separator: " · "))) }
      let length = current.item.tags.duration
      lines.append(
        "  " + ProgressLine.text(position: status.position ?? .zero, length: length, width: (width ?? 80) - 2)
      )
      lines.append("")
    }
    if !status.onlyGuards { lines.append(StyledText("  " + modes(status), .dim)) }
    if let route = status.route {
      let names = [route.description, route.portDescription ?? route.port].compactMap(\.self)
      let filter = route.filter.map { ", through \($0)" } ?? ""
      lines.append(.outside("  on " + names.joined(separator: ", ") + filter, .dim))
    }
    if !status.isStored { lines.append(StyledText("  not stored: 'fermata doctor' says why", .dim)) }
    return width.map { width in lines.map { $0.truncated(to: width) } } ?? lines
  }

  /// The most important facts in one line, without the position or anything else that changes by itself.
  static func shortLine(_ status: StatusFace) -> StyledText {
    guard let current = status.current, let artist = artist(of: current) else { return head(status) }
    return head(status) + .outside(" · " + artist)
  }

  /// A volume from 0 to 1 as a percentage. The number came from the bus, so it may be out of range or not a number.
  package static func percent(_ volume: Double) -> String {
    "\(volume.isFinite ? Int((min(max(0, volume), 1) * 100).rounded()) : 0)%"
  }

  /// A volume above 100 %, which only a mixer sets: `130% in the mixer`.
  static func mixerPercent(_ volume: Double) -> String {
    "\(Int((min(volume, 100) * 100).rounded()))% in the mixer"
  }

  /// The sign of the state, and the title with the reason if it is silent. Without a current track, a text that says so.
  static func head(_ status: StatusFace) -> StyledText {
    let sign = StyledText(sign(of: status.state) + " ")
    guard let current = status.current else {
      if status.onlyGuards {
        return sign + StyledText("Only guards other players", .bold)
          + StyledText("; 'fermata quit' ends that, and the next command starts one that plays", .dim)
      }
      if status.queueLength == 0 { return sign + StyledText("The queue is empty", .bold) }
      guard status.why == "finished" else {
        let words = PlainWords.state(.stopped, status.why)
        return sign + .outside(words.prefix(1).uppercased() + words.dropFirst(), .bold)
      }
      return sign + StyledText("Finished", .bold) + StyledText("; 'fermata play' begins it again", .dim)
    }
    let title = sign + .outside(current.item.displayTitle, .bold)
    guard status.state != .playing || status.why != nil else { return title }
    return title + .outside("  (\(PlainWords.state(of: status)))", .dim)
  }

  private static func modes(_ status: StatusFace) -> String {
    var parts = ["volume \(volume(status))\(status.isMuted ? ", muted" : "")"]
    parts.append("repeat \(status.repeatMode.rawValue)")
    parts.append("shuffle \(status.shuffleMode.rawValue)")
    if status.consumes { parts.append("consume") }
    if let left = status.sleepLeft { parts.append("pauses in \(ClockText.text(left))") }
    if status.stopsAfterCurrent { parts.append("stops after this track") }
    if let row = status.queueRow {
      parts.append("row \(row) of \(status.queueLength)")
    } else if status.queueLength > 0 {
      parts.append(status.queueLength == 1 ? "one row" : "\(status.queueLength) rows")
    }
    return parts.joined(separator: " · ")
  }

  private static func volume(_ status: StatusFace) -> String {
    if let mixer = status.mixerVolume, mixer.isFinite { return mixerPercent(mixer) }
    guard let level = status.duckLevel else { return percent(status.volume) }
    let reason = status.duckedFor.map(PlainWords.meanwhile) ?? "while something else sounds"
    return "\(percent(status.volume * level)) \(reason)"
  }

  /// The sign for a state, like those on the keys of a tape recorder.
  package static func sign(of state: PlaybackState) -> String {
    switch state {
    case .playing: "▶"
    case .paused, .interrupted: "⏸"
    case .stopped: "⏹"
    case .seekingForward: "⏩"
    case .seekingBackward: "⏪"
    }
  }

  /// The artists, or else the album's artists; nil if neither is known.
  static func artist(of face: ItemFace) -> String? {
    let names = face.item.tags.artist.isEmpty ? face.item.tags.albumArtist : face.item.tags.artist
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}

/// A field of a status line, as `status --format` names it.
struct StatusField: Sendable {
  let name: String
  /// The meaning of the field, as a phrase.
  let meaning: String
  /// Whether the field's value changes by itself while a track plays.
  let moves: Bool
  /// The field's value in a status; nil if there is none.
  let value: @Sendable (StatusFace) -> String?

  private init(
    _ name: String, _ meaning: String, moves: Bool = false, value: @escaping @Sendable (StatusFace) -> String?
  ) {
    self.name = name
    self.meaning = meaning
    self.moves = moves
    self.value = value
  }

  /// A field about the current track, which has no value without one.
  private static func item(
    _ name: String, _ meaning: String, value: @escaping @Sendable (MediaItem) -> String?
  ) -> StatusField {
    StatusField(name, meaning) { $0.current.flatMap { value($0.item) } }
  }

  private static func file(of item: MediaItem) -> FilePath? {
    if case .file(let path) = item.location { path } else { nil }
  }

  private static func seconds(_ time: Duration) -> String { String(max(0, time.components.seconds)) }

  /// The name of the field for the next track, which the agent is asked for separately because the status does not have it.
  static let next = "next"

  static func named(_ name: String) -> StatusField? { all.first { $0.name == name } }

  /// All fields, in the order in which errors and the man page list them.
  static let all: [StatusField] = [
    .init("state", "`stopped`, `playing`, `paused`, `interrupted`, `seekingForward` or `seekingBackward`") {
      $0.state.rawValue
    },
    .init("why", "Why nothing is heard") { $0.why },
    .item("title", "The title; the file's name where it has none") { $0.displayTitle },
    .item("artist", "The artists, separated by commas") { $0.tags.artist.joined(separator: ", ") },
    .item("album", "The album") { $0.tags.album },
    .item("albumArtist", "The artists of the album") { $0.tags.albumArtist.joined(separator: ", ") },
    .item("composer", "The composers") { $0.tags.composer.joined(separator: ", ") },
    .item("genre", "The genres") { $0.tags.genre.joined(separator: ", ") },
    .item("track", "The number on the disc") { $0.tags.track.map(String.init) },
    .item("disc", "The disc's number") { $0.tags.disc.map(String.init) },
    .item("date", "The date of release") { $0.tags.date?.description },
    .item("rating", "Your rating, 0 to 5") {
      $0.listening.rating > 0 ? String($0.listening.rating) : nil
    },
    .item("id", "The item's identity in the library") { $0.id.map { String($0.rawValue) } },
    .item("url", "Where it is") { $0.location.uri },
    .item("file", "The file's name") { file(of: $0)?.name },
    .item("folder", "The folder that the file is in") { file(of: $0)?.parent?.text },
    .init("coding", "How the file is coded, `FLAC · 44.1 kHz · stereo · 16 bit`, once it is open") {
      $0.coding?.text
    },
    .init("codec", "The name of the coding") { $0.coding?.codec },
    .init("sampleRate", "Samples a second of each channel") { $0.coding.map { String($0.rate) } },
    .init("channels", "How many channels it has") { $0.coding.map { String($0.channels) } },
    .init("bits", "The bits of a sample, where the coding keeps samples as they were") {
      $0.coding?.bits.map(String.init)
    },
    .init("bitRate", "Bits a second on average, where the file's header tells them") {
      $0.coding?.bitRate.map(String.init)
    },
    .init("artUrl", "Where its picture is") { $0.current?.artURL },
    .init("position", "How far it has come, `1:23`", moves: true) { $0.position.map(ClockText.text) },
    .item("duration", "How long it is, `4:56`") { $0.tags.duration.map(ClockText.text) },
    .init("remaining", "How long it still plays", moves: true) { status in
      guard let length = status.current?.item.tags.duration, let position = status.position else {
        return nil
      }
      return ClockText.text(length - position)
    },
    .init("percent", "How much of it has played, `0` to `100`", moves: true) { status in
      guard let length = status.current?.item.tags.duration, length > .zero, let position = status.position
      else { return nil }
      return String(Int(min(max(0, position / length), 1) * 100))
    },
    .init("positionSeconds", "How far it has come, in whole seconds", moves: true) {
      $0.position.map(seconds)
    },
    .item("durationSeconds", "How long it is, in whole seconds") { $0.tags.duration.map(seconds) },
    .init(next, "The title of what plays next") { $0.next?.item.displayTitle },
    .init("volume", "The volume, `80%`") { StatusText.percent($0.volume) },
    .init("muted", "`muted`, where the music is muted") { $0.isMuted ? "muted" : nil },
    .init("repeat", "The repeat mode") { $0.repeatMode.rawValue },
    .init("shuffle", "The shuffle mode") { $0.shuffleMode.rawValue },
    .init("consume", "Whether a played row leaves the queue, `on` or `off`") { $0.consumes ? "on" : "off" },
    .init("category", "How it behaves beside other sound: `playback`, `ambient` or `solo`") {
      $0.category.rawValue
    },
    .init("sleep", "How long until the sleep timer pauses it, `29:59`", moves: true) {
      $0.sleepLeft.map(ClockText.text)
    },
    .init("sleepSeconds", "The same in whole seconds", moves: true) { $0.sleepLeft.map(seconds) },
    .init("index", "The row of the queue that plays") { $0.queueRow.map(String.init) },
    .init("length", "The rows in the queue") { String($0.queueLength) },
    .init("output", "The output that it plays on, as people call it") { $0.route?.description },
    .init("sink", "The sound server's name of the output") { $0.route?.sink },
    .init("port", "The output's port, such as headphones") {
      $0.route.flatMap { $0.portDescription ?? $0.port }
    },
    .init("filter", "The filter before the output, such as an equalizer") { $0.route?.filter },
  ]

  /// The names of all fields, in the order of `all`.
  static let names = all.map(\.name)
}
