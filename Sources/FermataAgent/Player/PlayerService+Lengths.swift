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

  /// The sound of a playing was opened, or measured since.
  func opened(_ play: UInt64, _ length: Duration?, isExact: Bool) {
    inOneTurn {
      tell(.sound(.opened(play: play, length: length)))
      guard isExact, let length, let entry = requested.last(where: { $0.play == play })?.entry else { return }
      items.learn(length: length, of: entry.id)
    }
    if !isExact { measure(play) }
  }

  /// Finds the true length of what was opened and does not say it, such as an MP3 of no constant bit rate without a tag. The sound does
  /// not wait for it.
  private func measure(_ play: UInt64) {
    guard let thread, let entry = requested.last(where: { $0.play == play })?.entry else { return }
    AgentLoop.task { [weak self] in
      let found = try? await thread.run { job in
        job.looks(at: entry.location)
        return SoundOpener.length(of: entry)
      }
      if let length = found { self?.opened(play, length, isExact: true) }
    }
  }
}
