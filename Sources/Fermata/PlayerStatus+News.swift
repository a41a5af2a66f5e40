// SPDX-License-Identifier: MIT
import FaceModel
import MediaModel
import PlaybackLogic

extension PlayerStatus {
  /// Makes a status from the agent's answer.
  init(_ face: StatusFace, at now: Duration) {
    state = PlaybackState(face.state)
    reason = face.why
    nowPlaying = face.current.flatMap(QueueEntry.current)
    coding = face.coding.map(AudioCoding.init)
    volume = face.volume
    isMuted = face.isMuted
    repeatMode = RepeatMode(rawValue: face.repeatMode.rawValue) ?? .none
    shuffleMode = ShuffleMode(rawValue: face.shuffleMode.rawValue) ?? .off
    queue = QueueSummary(count: face.queueLength, currentIndex: face.queueRow.map { $0 - 1 })
    route = face.route.map(AudioRoute.init)
    interruptions = face.interruptions
    (callers, lost) = (face.callers, face.lostRoute)
    place = Place(
      face.position ?? .zero, at: now, isMoving: face.state == .playing,
      end: face.current?.item.tags.duration)
  }

  /// Updates the status by one report of the agent. Reports about things that are not in a status change nothing.
  mutating func follow(_ news: AgentNews, at now: Duration) {
    switch news {
    case .state(let state, let why):
      (self.state, reason) = (PlaybackState(state), why)
      if why != "route" { lost = nil }
      // Before a track is announced, nothing of it is heard.
      place = place.moving(state == .playing && nowPlaying != nil, at: now)
      if state == .stopped { place = place.moved(to: .zero, at: now) }
    case .nowPlaying(let face):
      let entry = face.flatMap(QueueEntry.current)
      // The same row may be announced again when it begins to sound; it has a position already.
      let isOther = entry?.id != nowPlaying?.id
      nowPlaying = entry
      let end = entry?.item.playbackDuration
      let isMoving = state == .playing && entry != nil
      place = isOther ? Place(.zero, at: now, isMoving: isMoving, end: end) : place.ending(at: end)
    case .seeked(let position): place = place.moved(to: position, at: now)
    case .itemsChanged(let faces):
      queue.edits += 1
      guard var face = faces.last(where: { $0.entry?.rawValue == nowPlaying?.id.rawValue }) else { break }
      // Rows are told without their lyrics.
      face.item.tags.lyrics = face.item.tags.lyrics ?? nowPlaying?.item.lyrics
      nowPlaying = QueueEntry.current(face)
      place = place.ending(at: nowPlaying?.item.playbackDuration)
    case .coding(let coding): self.coding = coding.map(AudioCoding.init)
    case .volume(let volume): self.volume = volume
    case .muted(let isMuted): self.isMuted = isMuted
    case .modes(let repeats, let shuffle, _):
      repeatMode = RepeatMode(rawValue: repeats.rawValue) ?? .none
      shuffleMode = ShuffleMode(rawValue: shuffle.rawValue) ?? .off
    case .queue(let news):
      queue.count = news.length
      queue.edits += 1
      // Which row is current now comes in a signal of its own.
      if let row = queue.currentIndex, row >= news.length { queue.currentIndex = nil }
    case .row(let row): queue.currentIndex = row.map { $0 - 1 }
    case .routeChange(_, let previous, let current, let paused):
      route = current.map(AudioRoute.init)
      if paused { lost = previous }
    case .route(let current): route = current.map(AudioRoute.init)
    case .interruptionBegan(_, let sources, _): interruptions = sources
    case .interruptionEnded: interruptions = []
    case .interruptions(let sources): interruptions = sources
    case .callers(let programs): callers = programs
    case .duckedFor, .sleepTimer, .stopsAfterCurrent, .category, .ducked: break
    case .guarded, .skipped, .endedEarly, .stored, .library, .job, .pads, .ending: break
    }
  }
}

extension PlaybackState {
  init(_ state: PlaybackLogic.PlaybackState) { self = PlaybackState(rawValue: state.rawValue) ?? .stopped }
}

extension RouteChange {
  init?(_ news: AgentNews) {
    guard case .routeChange(let reason, let previous, let current, let paused) = news else { return nil }
    self.init(
      reason: Reason(rawValue: reason.rawValue) ?? .unknown, previous: previous.map(AudioRoute.init),
      current: current.map(AudioRoute.init), pausedPlayback: paused)
  }
}

extension Interruption {
  init?(_ news: AgentNews) {
    switch news {
    case .interruptionBegan(let source, _, let wasPlaying):
      self = .began(source: source, wasPlaying: wasPlaying)
    case .interruptionEnded(let source, _, _, isOverruled: true): self = .overruled(source: source)
    case .interruptionEnded(let source, _, let shouldResume, isOverruled: false):
      self = .ended(source: source, shouldResume: shouldResume)
    default: return nil
    }
  }
}
