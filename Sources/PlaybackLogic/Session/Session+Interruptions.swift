// SPDX-License-Identifier: MIT

// Interruptions by source: how they begin and end, the server's mute, refused streams, ducking and stalls.
extension Session {
  mutating func begin(_ source: Interruption.Source) {
    // The server also suspends an output that is idle. While we are corked that is no interruption, and it ends when a
    // stream starts to run.
    if source == .suspend, isCorked { return }
    if source == .cork, overridden.contains(where: \.isCall) { return overruleCork() }
    guard holds[source] == nil else { return }
    let wasPlaying = isPlayingToListeners
    overridden.remove(source)
    holds[source] = Interruption(source, isKnown: intent == .playing, isTold: source.isAnnounced)
    // The server mutes our stream when it asks for silence. If the stream was muted already, that mute is the user's.
    if source == .cork, !isMuted { isMutedByServer = true }
    guard source.isAnnounced else { return }
    outputs.append(.interruptionBegan(source, wasPlaying: wasPlaying))
    outputs.append(.stopPads)
  }

  /// Undoes the mute that comes with another request for silence. The server asks again whenever another stream moves
  /// or another phone rings, but the user has already overruled this call.
  private mutating func overruleCork() {
    overridden.insert(.cork)
    if !isMuted { unmute() }
  }

  mutating func end(_ source: Interruption.Source) {
    overridden.remove(source)
    guard let ended = holds.removeValue(forKey: source) else { return }
    if source.isCall, isMutedByServer, !holds.keys.contains(where: \.isCall) { unmute() }
    if source == .refusal { refusal = nil }
    if ended.isTold { outputs.append(.interruptionEnded(source, shouldResume: state == .playing)) }
  }

  mutating func fallAsleep() {
    begin(.sleep)
    rest(because: .sleep)
  }

  // MARK: The server's mute

  mutating func look(isMuted: Bool, serverCorks: Bool) {
    isMuteUnclear = false
    self.isMuted = isMuted
    // A stream that is made during a call is muted from the start, and no event says so. The call may be over by now,
    // and then nobody else would unmute the stream.
    guard isMuted, serverCorks, isInCall || wasMadeInCall else { return }
    isMutedByServer = true
    if !holds.keys.contains(where: \.isCall) { unmute() }
  }

  /// Whether a call is going on, including one that the user has overruled.
  var isInCall: Bool { holds.keys.contains(where: \.isCall) || overridden.contains(where: \.isCall) }

  mutating func meetStream() {
    end(.refusal)
    wasMadeInCall = isInCall
    isMuteUnclear = wasMadeInCall
    isUnmuting = false
  }

  /// Whether the user has muted our stream, as far as that is known.
  var isMutedByUser: Bool { isMuted && !isMutedByServer && !isMuteUnclear }

  /// Takes the mute that was read from the server. A mute that was read before the server obeyed our own unmute is
  /// ignored, because it is not the user's.
  mutating func hear(isMuted: Bool) {
    if isMuted, isUnmuting { return }
    isUnmuting = false
    self.isMuted = isMuted
  }

  mutating func unmute() {
    isMutedByServer = false
    isMuted = false
    isUnmuting = true
    outputs.append(.unmuteOwnStream)
  }

  // MARK: A server that refuses

  private static let firstRetry = Duration.milliseconds(250)
  private static let longestRetry = Duration.seconds(5)

  mutating func waitForRoom() {
    begin(.refusal)
    let wait = refusal.map { min($0.wait * 2, Self.longestRetry) } ?? Self.firstRetry
    refusal = Refusal(wait: wait, retryAt: now + wait)
    outputs.append(.timer(after: wait))
  }

  /// Has the stream made once more. If the server neither makes nor refuses it until the stall limit, that counts as a refusal. Does
  /// nothing before the time has come: the timer may have been set for another reason.
  mutating func retryStream() {
    guard let refusal, now >= refusal.retryAt else { return }
    if refusal.isRetrying {
      outputs.append(.replaceUnmadeStream)
      return waitForRoom()
    }
    self.refusal?.isRetrying = true
    self.refusal?.retryAt = now + settings.stallLimit
    outputs.append(.timer(after: settings.stallLimit))
  }

  /// Whether the stream may run, or be made, while this interruption lasts.
  func letsStreamRun(_ source: Interruption.Source) -> Bool {
    source == .refusal ? refusal?.isRetrying == true : source.leavesStreamOpen
  }

  // MARK: Ducking

  mutating func duck(_ source: Interruption.Source) {
    if ducks.isEmpty { outputs.append(.duck(settings.duckLevel)) }
    ducks.insert(source)
  }

  mutating func unduck(_ source: Interruption.Source) {
    if ducks.remove(source) != nil, ducks.isEmpty { outputs.append(.unduck) }
  }

  // MARK: Progress

  mutating func progress() {
    guard !isCorked else { return }
    lastProgress = now
    // The timer is set again at each progress: setting it costs nothing, but a timer that runs out wakes the processor.
    if isSounding { watchProgress() }
    end(.stall)
    end(.suspend)
  }

  mutating func startWatching() {
    lastProgress = now
    watchProgress()
  }

  /// Sets the timer for a stall, or begins the stall if the stream has made no progress for too long. Also called when
  /// the timer fires.
  mutating func watchProgress() {
    let left = lastProgress + settings.stallLimit - now
    if left > .zero { return outputs.append(.timer(after: left)) }
    begin(.stall)
    outputs.append(.replaceUnmadeStream)
  }
}

extension Interruption.Source {
  /// Whether PulseAudio mutes our stream for this source.
  var isCall: Bool { self == .cork || self == .call }

  /// Whether it goes on whatever we do, and its end is reported by the server or the call watcher.
  var isWatched: Bool {
    switch self {
    case .cork, .call, .microphone, .role: true
    default: false
    }
  }
}
