// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Chooses what is repeated. The order stays; what follows may be another.
  public mutating func setRepeat(_ choice: ModeChoice<RepeatMode>) -> QueueChange {
    perform(.setRepeat(choice)) { queue, _ in
      queue.repeatChoice = choice
      return nil
    }
  }

  /// Chooses how it is shuffled. The current entry stays: shuffled, all others follow it; no longer shuffled,
  /// what stands below it.
  public mutating func setShuffle(_ choice: ModeChoice<ShuffleMode>) -> QueueChange {
    setModes(.setShuffle(choice)) { $0.shuffleChoice = choice }
  }

  /// Takes over what the settings say; it matters where the choice is the default.
  public mutating func setPreferences(repeat: RepeatMode, shuffle: ShuffleMode) -> QueueChange {
    setModes(.setPreferences(repeat: `repeat`, shuffle: shuffle)) { queue in
      queue.repeatPreference = `repeat`
      queue.shufflePreference = shuffle
    }
  }

  private mutating func setModes(
    _ command: QueueCommand, _ body: (inout PlayQueue) -> Void
  ) -> QueueChange {
    perform(command) { queue, _ in
      let before = queue.shuffleMode
      body(&queue)
      if queue.shuffleMode == before { return nil }
      if queue.shuffleMode == .off { queue.returnToList() } else { queue.reshuffle(around: queue.playing) }
      return nil
    }
  }

  private mutating func returnToList() {
    shuffled = nil
    passes += 1
    // The list is not rearranged for what was asked for; it stays asked for only where it stands there
    // anyway.
    if let run = asked, pendingRun.isEmpty || rank(of: run.last) < rank(of: run.first) { asked = nil }
  }
}
