// SPDX-License-Identifier: MIT
import AgentLoop
import PlaybackLogic

// Files that do not say how long they are, such as MP3s of no constant bit rate without a tag.
extension PlayerService {
  /// Finds the true length of what was opened. The sound does not wait for it.
  func measure(_ play: UInt64) {
    guard let thread, let entry = requested.last(where: { $0.play == play })?.entry else { return }
    AgentLoop.task { [weak self] in
      guard let length = await thread.run({ SoundOpener.length(of: entry) }) else { return }
      self?.tell(.sound(.opened(play: play, length: length)))
    }
  }
}
