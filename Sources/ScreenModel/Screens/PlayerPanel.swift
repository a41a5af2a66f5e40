// SPDX-License-Identifier: MIT
import AudioModel
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The two lines at the bottom: the current track, or why no music plays and what `p` would do about it.
struct PlayerPanel: Sendable {
  private(set) var status: StatusFace?
  /// When the position in `status` was right; the present one is counted from it.
  private var time = Duration.zero
  /// When `status` came.
  private var statusTime = Duration.zero
  /// Why there is no agent; nil if there is one.
  private(set) var lost: AgentAbsence?
  /// The names of the keys that the panel tells, which depend on the user's keys and on the screen that is shown.
  var keys = Keys()
  /// The columns of the progress bar when it was last drawn, for clicks.
  private(set) var bar: Range<Int> = 0..<0

  struct Keys: Sendable, Hashable {
    var play = "p"
    var mute = "M"
    var louder = "+"
  }

  mutating func take(_ status: StatusFace, at now: Duration) {
    (self.status, time, statusTime) = (status, now, now)
    lost = nil
  }

  /// Notes that there is no agent. The time stands where it was.
  mutating func lose(_ absence: AgentAbsence, at now: Duration) {
    if let position = position(at: now) { seek(to: position, at: now) }
    lost = absence
  }

  /// Notes that there is an agent again. Its status follows.
  mutating func find() { lost = nil }

  /// Sets the coding of the current track, which is reported when its file has been opened.
  mutating func set(_ coding: SoundCoding?) { status?.coding = coding }

  /// Sets the length of the queue, which is reported with each edit.
  mutating func set(queueLength: Int) { status?.queueLength = queueLength }

  /// Sets whether the queue would survive a crash.
  mutating func set(isStored: Bool) { status?.isStored = isStored }

  /// Sets the position after a jump in the track. A jump is reported before the next status, so the right time is shown at once.
  mutating func seek(to position: Duration, at now: Duration) {
    status?.position = position
    time = now
  }

  // MARK: Time

  private var moves: Bool { lost == nil && status?.state == .playing && status?.position != nil }

  private var length: Duration? { status?.current?.item.tags.duration }

  /// The position in the track. It is computed from the last status, and not asked for.
  func position(at now: Duration) -> Duration? {
    guard let position = status?.position else { return nil }
    let moved = moves ? position + max(.zero, now - time) : position
    return max(.zero, length.map { min($0, moved) } ?? moved)
  }

  /// How long it takes until the sleep timer pauses the music, in whole seconds as they are shown. It is computed from the last status.
  func sleepLeft(at now: Duration) -> Duration? {
    sleep(at: now).map { .seconds($0.components.seconds) }
  }

  private func sleep(at now: Duration) -> Duration? {
    guard lost == nil, let left = status?.sleepLeft else { return nil }
    return max(.zero, left - max(.zero, now - statusTime))
  }

  /// When the next second of the track begins, or the sleep timer's next second while the position stands still; nil if nothing is counted.
  func nextChange(after now: Duration) -> Duration? {
    nextSecond(after: now)
      ?? sleep(at: now).flatMap { left in
        left > .zero ? now + (left - .seconds(left.components.seconds)) + .milliseconds(2) : nil
      }
  }

  private func nextSecond(after now: Duration) -> Duration? {
    guard moves, let position = status?.position else { return nil }
    let moved = max(.zero, position + max(.zero, now - time))
    if let length, moved >= length { return nil }
    let next = Duration.seconds(moved.components.seconds + 1)
    // A little later, so that the second has surely begun.
    return now + (next - moved) + .milliseconds(2)
  }

  /// When the track reaches a later place; nil while the position stands still.
  func time(of place: Duration, after now: Duration) -> Duration? {
    guard moves, let position = position(at: now), place > position else { return nil }
    return now + (place - position) + .milliseconds(2)
  }

  // MARK: Words

  var sign: String {
    if lost != nil { return "■" }
    return switch status?.state {
    case .playing: "▶"
    case .seekingForward: "»"
    case .seekingBackward: "«"
    case .paused, .interrupted: "‖"
    case .stopped, nil: "■"
    }
  }

  /// The title for the terminal's window.
  var title: String {
    guard let current = status?.current else { return "fermata" }
    let artist = TrackRow(current).artist
    return "\(sign) \(current.item.displayTitle)" + (artist.isEmpty ? "" : " · \(artist)")
  }

  /// Why nothing is heard, and what to do about it; nil if all is well.
  var why: (reason: String, remedy: String)? {
    if let lost { return (lost.reason, lost.remedy(by: keys.play)) }
    guard let status else { return nil }
    switch status.state {
    case .playing: return status.why.map { (PlainWords.state(.playing, $0), unmuting($0)) }
    case .paused:
      return (PlainWords.state(of: status), remedyForPause(status))
    case .interrupted:
      return (PlainWords.state(of: status), remedyForInterruption(status.why))
    case .stopped where status.onlyGuards:
      return ("this agent only guards other players", ":quit ends it; :play starts one that plays")
    case .stopped where status.queueLength == 0:
      return ("the queue is empty", "2 shows the library, :add PATH adds music")
    case .stopped where status.why == "finished": return ("finished", "\(keys.play) begins it again")
    case .stopped where status.why == "unplayable":
      return (PlainWords.state(of: status), "\(keys.play) tries again")
    case .stopped: return (PlainWords.state(.stopped, status.why), "\(keys.play) plays")
    case .seekingForward, .seekingBackward: return nil
    }
  }

  private func unmuting(_ why: String) -> String {
    switch why {
    case "muted": "\(keys.mute) unmutes"
    case "volume": "\(keys.louder) makes it louder"
    default: "a mixer can change that"
    }
  }

  private func remedyForPause(_ status: StatusFace) -> String {
    switch status.why {
    case "route":
      return status.route.map { "\(keys.play) plays on \(PlainWords.output($0)) anyway" }
        ?? "\(keys.play) plays where it can"
    case "no-output": return "\(keys.play) tries again"
    default: return "\(keys.play) plays"
    }
  }

  private func remedyForInterruption(_ source: String?) -> String {
    switch source {
    case "server": "plays as soon as one answers"
    case "suspend", "stall": "goes on by itself"
    default: "goes on by itself; \(keys.play) plays now"
    }
  }

  // MARK: Drawing

  /// Draws what plays, and where, into the last row but one. `sleep` is what is left of the sleep timer; nil if it does not run.
  func drawTrack(_ frame: inout Frame, sleep: Duration?) {
    let row = frame.size.rows - 2
    guard row >= 0 else { return }
    let width = frame.size.columns
    let start = width >= 40 ? drawOutput(&frame, row, sleep) : width
    let plays = status?.state == .playing && lost == nil
    let style: CellStyle = plays ? .playing : .bold
    var column = frame.put(sign, at: row, 1, lost == nil ? (plays ? .playing : .warning) : .failure) + 1
    guard let current = status?.current else {
      frame.put(
        status == nil ? "fermata" : "nothing is chosen", at: row, column, width: start - column - 1, .dim)
      return
    }
    let track = TrackRow(current)
    column = frame.put(track.title, at: row, column, width: start - column - 1, style)
    for part in [track.artist, track.album] where !part.isEmpty && start - column > 6 {
      column = frame.put(" · ", at: row, column, width: start - column - 1, .dim)
      column = frame.put(
        part, at: row, column, width: start - column - 1, part == track.album ? .dim : .plain)
    }
  }

  /// Draws the volume at the end of the row, and before it the output and the modes if there is room. Returns where they begin.
  private func drawOutput(_ frame: inout Frame, _ row: Int, _ sleep: Duration?) -> Int {
    let width = frame.size.columns
    guard let status, lost == nil else { return width - 1 }
    let volume = volumeText(status)
    guard width >= 60 else { return frame.putRight(volume, at: row, endingAt: width - 1, .dim) }
    let end = frame.putRight("  \(volume)", at: row, endingAt: width - 1, .dim)
    let name = status.route.map { $0.portDescription ?? $0.description } ?? "no output"
    // The modes are on the last line unless that says why nothing is heard. In that case they are here.
    let modes = why == nil ? "" : modesText(sleep)
    if modes.isEmpty { return frame.putRight(name, at: row, endingAt: end, from: width / 2, .dim) }
    let both = "\(modes)  \(name)"
    let hasRoom = TerminalText.width(TerminalText.printable(both)) <= end - width / 3
    return frame.putRight(hasRoom ? both : modes, at: row, endingAt: end, from: width / 3, .dim)
  }

  private func volumeText(_ status: StatusFace) -> String {
    if status.isMuted { return "muted" }
    let volume = (status.mixerVolume ?? status.volume) * (status.duckLevel ?? 1)
    return "vol \(volume.isFinite ? Int((min(max(0, volume), 100) * 100).rounded()) : 0) %"
  }

  /// The columns of a reason that is shown whole even if no room is left for what to do.
  private static let shortReason = 48

  /// Draws the time, or why nothing is heard, into the last row.
  mutating func drawProgress(_ frame: inout Frame, at now: Duration) {
    let row = frame.size.rows - 1
    let width = frame.size.columns
    bar = 0..<0
    let isOrdinary = status?.state == .paused && status?.why == "user" && lost == nil
    if let why, !isOrdinary {
      let times = timesText(at: now)
      let end =
        width >= 60 && !times.isEmpty ? frame.putRight(times, at: row, endingAt: width - 1, .dim) : width
      let style: CellStyle = lost == nil ? .warning : .failure
      // A reason of more than a few words leaves room for what to do about it.
      let remedy = " · \(why.remedy)"
      let rest = end - 4 - TerminalText.width(TerminalText.printable(remedy))
      let width = max(rest, min(end - 4, Self.shortReason))
      let column = frame.put(why.reason, at: row, 3, width: width, style)
      frame.put(remedy, at: row, column, width: end - column - 1)
      return
    }
    guard let position = position(at: now) else { return }
    let left = ClockText.text(position)
    let modes = isOrdinary ? "paused · \(keys.play) plays" : modesText(sleepLeft(at: now))
    let showsModes = width >= 60 && !modes.isEmpty
    let limit =
      showsModes
      ? frame.putRight(modes, at: row, endingAt: width - 1, from: width / 2, isOrdinary ? .warning : .dim) - 3
      : width - 1
    guard let length else {
      frame.put(left, at: row, 1)
      return
    }
    let right = ClockText.text(length)
    let begin = 1 + right.count - min(left.count, right.count)
    frame.put(left, at: row, begin)
    frame.put(right, at: row, limit - right.count, .dim)
    bar = min(right.count + 2, limit)..<max(right.count + 2, limit - right.count - 1)
    Bar.put(length > .zero ? position / length : 0, &frame, row, bar, isOrdinary ? .bold : .playing)
  }

  private func timesText(at now: Duration) -> String {
    guard let position = position(at: now), status?.current != nil else { return "" }
    return length.map { "\(ClockText.text(position)) / \(ClockText.text($0))" } ?? ClockText.text(position)
  }

  private func modesText(_ sleep: Duration?) -> String {
    guard let status else { return "" }
    // What comes first is seen where there is little room.
    var parts: [String] = []
    if !status.isStored { parts.append("not stored") }
    if let left = sleep { parts.append("pauses in \(ClockText.text(left))") }
    if status.stopsAfterCurrent { parts.append("stops after this") }
    if status.repeatMode != .none { parts.append("repeat \(status.repeatMode.rawValue)") }
    if status.shuffleMode != .off { parts.append("shuffle \(status.shuffleMode.rawValue)") }
    if status.consumes { parts.append("consume") }
    return parts.joined(separator: " · ")
  }

  /// The fraction of the track that a click on this column of the last row means; nil beside the bar.
  func part(atColumn column: Int) -> Double? {
    bar.contains(column) ? Double(column - bar.lowerBound) / Double(max(1, bar.count)) : nil
  }
}
