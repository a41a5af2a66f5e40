// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import PlaybackLogic

extension PlayerService {
  /// Tells the player the length of its current track from the tags, as soon as they have been read. A paused track is not opened
  /// before it plays, so nothing else knows its length.
  func learnLength(from items: ItemService) -> [PlayerEffect] {
    guard player.length == nil, let entry = player.queue.current.flatMap(player.queue.entry),
      let length = items.item(entry).item.tags.duration
    else { return [] }
    let event = PlayerEvent.tagged(entry.id, length: length)
    note(Evidence.text(event))
    return player.handle(event, at: AgentLoop.now)
  }

  /// The sound of a playing was opened, or its exact length was measured later. If the length is not exact, it is measured now.
  func opened(_ play: UInt64, _ length: Duration?, isExact: Bool) {
    inOneTurn {
      tell(.sound(.opened(play: play, length: length)))
      guard isExact, let length, let entry = requested.last(where: { $0.play == play })?.entry else { return }
      items.learn(length: length, of: entry.id)
    }
    if !isExact { measure(play) }
  }

  /// Finds the true length of an opened file that does not state it, such as an MP3 of no constant bit rate without a tag. The sound
  /// does not wait for it.
  private func measure(_ play: UInt64) {
    guard let thread, let entry = requested.last(where: { $0.play == play })?.entry else { return }
    if let length = items.measuredLength(of: entry.id) { return opened(play, length, isExact: true) }
    cancelMeasurements()
    // Each seek is another playing of the same file, which is measured once.
    guard measuring[entry.id] == nil else { return }
    let job = BlockingJob()
    measuring[entry.id] = job
    AgentLoop.task { [weak self] in
      let found = try? await thread.run(job) { job in
        job.looks(at: entry.location)
        return SoundOpener.length(of: entry, goesOn: job.goesOn)
      }
      self?.measured(found ?? nil, of: entry.id)
    }
  }

  private func measured(_ length: Duration?, of entry: EntryID) {
    measuring[entry] = nil
    guard let length, let play = requested.last(where: { $0.entry.id == entry })?.play else { return }
    opened(play, length, isExact: true)
  }

  /// Nobody wants to know the lengths of what neither plays nor comes next any more.
  private func cancelMeasurements() {
    for (entry, job) in measuring where !requested.contains(where: { $0.entry.id == entry }) { job.cancel() }
  }
}
