// SPDX-License-Identifier: MIT
import AgentLoop
import FaceModel
import PlaybackLogic

extension PlayerFace {
  /// What the player shows at this moment.
  @AgentLoop
  init(of service: PlayerService, items: ItemService) {
    let player = service.player
    let queue = player.queue
    self.init()
    state = player.state
    why = service.why
    entry = queue.current
    if let current = queue.current, let row = queue.entry(current) {
      let known = items.item(row)
      item = known.item
      artURL = known.artURL
      length = player.length
      coding = player.coding
      canSeek = true
    }
    // Rounded, because a mixer's steps are finer than anyone can hear or wants to read.
    volume = (service.userVolume * 1_000).rounded() / 1_000
    isMuted = service.playback.isMuted
    stopsAfterCurrent = player.stopsAfterCurrent
    sleepEnd = service.playback.sleepTimer?.end
    lostRoute = service.playback.lostRoute
    duckLevel = service.playback.duckLevel
    duckedFor = service.playback.duckedFor
    repeatMode = queue.repeatMode
    repeatChoice = queue.repeatChoice
    shuffleMode = queue.shuffleMode
    shuffleChoice = queue.shuffleChoice
    consumes = queue.consumes
    canGoNext = player.canGoNext
    canGoPrevious = player.canGoPrevious
    canPlay = player.canPlay
    route = service.route
    interruptions = player.session.interruptions
    callers = service.playback.callers
    category = player.sessionSettings.category
    isOtherAudioPlaying = service.playback.isOtherAudioPlaying
    notStored = service.keeper?.trouble
    queueLength = queue.count
    queueIndex = queue.currentPosition
  }
}
