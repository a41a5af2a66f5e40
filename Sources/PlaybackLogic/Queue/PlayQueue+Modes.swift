// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Chooses what is repeated. The order stays; what follows may be another.
  package mutating func setRepeat(_ choice: ModeChoice<RepeatMode>) -> QueueChange {
    perform(.setRepeat(choice)) { queue, _ in
      queue.repeatChoice = choice
      return nil
    }
  }

  /// Chooses how it is shuffled, this list and those to come. The current entry stays: shuffled, all others follow it; no longer shuffled,
  /// what stands below it.
  package mutating func setShuffle(_ choice: ModeChoice<ShuffleMode>) -> QueueChange {
    setModes(.setShuffle(choice)) { queue in
      queue.shuffleChoice = choice
      queue.listShuffle = nil
    }
  }

  /// Shuffles this list so, until another takes its place; as it was chosen where nothing is said.
  package mutating func shuffleList(_ choice: ModeChoice<ShuffleMode>?) -> QueueChange {
    setModes(.shuffleList(choice)) { $0.listShuffle = choice }
  }

  /// Takes over what the settings say; it matters where the choice is the default.
  package mutating func setPreferences(repeat: RepeatMode, shuffle: ShuffleMode) -> QueueChange {
    setModes(.setPreferences(repeat: `repeat`, shuffle: shuffle)) { queue in
      queue.repeatPreference = `repeat`
      queue.shufflePreference = shuffle
    }
  }

  private mutating func setModes(
    _ command: QueueCommand, _ body: (inout PlayQueue) -> Void
  ) -> QueueChange {
    perform(command) { queue, _ in
      queue.changeModes(body)
      return nil
    }
  }

  /// Sets modes, and makes the order anew where it is shuffled otherwise.
  mutating func changeModes(_ body: (inout PlayQueue) -> Void) {
    let before = shuffleMode
    body(&self)
    if shuffleMode == before { return }
    if shuffleMode == .off { returnToList() } else { reshuffle(around: playing) }
  }

  private mutating func returnToList() {
    shuffled = nil
    passes += 1
    // The list is not rearranged for what was asked for; it stays asked for only where it stands there
    // anyway.
    asked = Set(list.slots(pendingRun))
  }
}
