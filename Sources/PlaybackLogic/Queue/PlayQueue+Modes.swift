// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Chooses the repeat mode. The play order stays, but the entry that follows may become another one.
  package mutating func setRepeat(_ choice: ModeChoice<RepeatMode>) -> QueueChange {
    perform(.setRepeat(choice)) { queue, _ in
      queue.repeatChoice = choice
      return nil
    }
  }

  /// Chooses the shuffle mode, for this list and those to come. The current entry stays current. When shuffle is turned on, all
  /// other entries follow it (by albums, what stands above it in its own album counts as played). When it is turned off, the
  /// entries below it in the list follow.
  package mutating func setShuffle(_ choice: ModeChoice<ShuffleMode>) -> QueueChange {
    setModes(.setShuffle(choice)) { queue in
      queue.shuffleChoice = choice
      queue.listShuffle = nil
    }
  }

  /// Sets the shuffle mode of this list only, until another list replaces it. With nil, the mode chosen for all lists applies.
  package mutating func shuffleList(_ choice: ModeChoice<ShuffleMode>?) -> QueueChange {
    setModes(.shuffleList(choice)) { $0.listShuffle = choice }
  }

  /// Takes over the modes in the settings. They take effect where the user's choice is `default`.
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

  /// Runs `body`, which sets modes. If the shuffle mode in effect has changed, the play order is made anew.
  mutating func changeModes(_ body: (inout PlayQueue) -> Void) {
    let before = shuffleMode
    body(&self)
    if shuffleMode == before { return }
    if shuffleMode == .off { returnToList() } else { reshuffle(around: playing) }
  }

  private mutating func returnToList() {
    shuffled = nil
    passes += 1
    // The list is not rearranged for the asked-for entries. They stay asked for only if they stand directly after the current
    // entry in the list anyway.
    asked = Set(list.slots(pendingRun))
  }
}
