// SPDX-License-Identifier: MIT

// What comes between, counted by source.
extension Session {
  mutating func begin(_ source: Interruption.Source) {
    // An idle output is suspended as well; that concerns nobody, and a stream that begins to run ends it.
    if source == .suspend, isCorked { return }
    if source == .cork, overridden.contains(where: \.isCall) { return overruleCork() }
    guard holds[source] == nil else { return }
    let wasPlaying = isPlayingToListeners
    overridden.remove(source)
    holds[source] = Interruption(source, isKnown: intent == .playing, isTold: source.isAnnounced)
    // The server mutes us with its request; a mute from before is the user's.
    if source == .cork, !isMuted { isMutedByServer = true }
    guard source.isAnnounced else { return }
    outputs.append(.interruptionBegan(source, wasPlaying: wasPlaying))
    outputs.append(.stopPads)
  }

  /// The server asks anew whenever somebody's stream moves or another phone rings: it is still the call that the user ended for us.
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
    // A stream that is made during a call is born muted, and is told nothing. By now the call may be over.
    guard isMuted, serverCorks, isInCall || wasMadeInCall else { return }
    isMutedByServer = true
    if !holds.keys.contains(where: \.isCall) { unmute() }
  }

  /// A call goes on, though the user may have ended it for us.
  var isInCall: Bool { holds.keys.contains(where: \.isCall) || overridden.contains(where: \.isCall) }

  mutating func meetStream() {
    end(.refusal)
    wasMadeInCall = isInCall
    isMuteUnclear = wasMadeInCall
    isUnmuting = false
  }

  /// A mute that is not the server's, as far as it can be told.
  var isMutedByUser: Bool { isMuted && !isMutedByServer && !isMuteUnclear }

  /// What was read before the server obeyed is no mute of the user's.
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

  /// The timer may have been set for another reason.
  mutating func retryStream() {
    guard let refusal, now >= refusal.retryAt else { return }
    self.refusal?.isRetrying = true
  }

  /// Whether the stream may run, or be made, while this holds the music up.
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
    // Moved with each progress: a timer that is set costs nothing, one that is over wakes the processor.
    if isSounding { watchProgress() }
    end(.stall)
    end(.suspend)
  }

  mutating func startWatching() {
    lastProgress = now
    watchProgress()
  }

  /// Also called when the timer is over.
  mutating func watchProgress() {
    let left = lastProgress + settings.stallLimit - now
    if left > .zero { return outputs.append(.timer(after: left)) }
    begin(.stall)
    outputs.append(.replaceUnmadeStream)
  }
}

extension Interruption.Source {
  /// Those for which PulseAudio mutes us.
  var isCall: Bool { self == .cork || self == .call }

  /// Those that go on whatever we do, and whose end somebody tells.
  var isWatched: Bool {
    switch self {
    case .cork, .call, .microphone, .role: true
    default: false
    }
  }
}
