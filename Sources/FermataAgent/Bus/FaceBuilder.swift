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
      canSeek = true
      // What comes next is read ahead, but not while a track begins, when every processor is needed for its sound.
      if service.position > .milliseconds(500), let next = queue.following.flatMap(queue.entry) {
        _ = items.item(next)
      }
    }
    volume = service.userVolume
    repeatMode = queue.repeatMode
    repeatChoice = queue.repeatChoice
    shuffleMode = queue.shuffleMode
    shuffleChoice = queue.shuffleChoice
    canGoNext = player.canGoNext
    canGoPrevious = player.canGoPrevious
    canPlay = player.canPlay
    route = service.route
    interruptions = player.session.interruptions
    notStored = service.keeper?.trouble
    queueLength = queue.count
    queueIndex = queue.currentPosition
  }
}
