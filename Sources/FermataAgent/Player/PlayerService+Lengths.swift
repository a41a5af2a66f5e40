// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import PlaybackLogic

extension PlayerService {
  /// Tells the player how long its current track is by its tags, as soon as they have been read: one that is paused is not
  /// opened before it plays.
  func learnLength(from items: ItemService) -> [PlayerEffect] {
    guard player.length == nil, let entry = player.queue.current.flatMap(player.queue.entry),
      let length = items.item(entry).item.tags.duration
    else { return [] }
    let event = PlayerEvent.tagged(entry.id, length: length)
    note(Evidence.text(event))
    return player.handle(event, at: AgentLoop.now)
  }

  /// Finds the true length of what was opened and does not say it, such as an MP3 of no constant bit rate without a tag. The sound does
  /// not wait for it.
  func measure(_ play: UInt64) {
    guard let thread, let entry = requested.last(where: { $0.play == play })?.entry else { return }
    AgentLoop.task { [weak self] in
      guard let length = await thread.run({ SoundOpener.length(of: entry) }) else { return }
      self?.tell(.sound(.opened(play: play, length: length)))
    }
  }
}
