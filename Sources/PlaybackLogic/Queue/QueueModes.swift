// SPDX-License-Identifier: MIT

/// What happens at the end of a track and at the end of the play order.
package enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The play order is played once.
  case none
  /// The track begins again when it ends by itself. Next still leads to the next entry.
  case one
  /// The play order begins again; with shuffle, a new one is drawn.
  case all
}

/// The order in which the entries play.
package enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// In the order of the list.
  case off
  /// All entries in random order.
  case songs
  /// Albums in random order, and the entries of each album in the order of the list.
  case albums
}

/// The user's choice of a mode: a certain mode, or whatever the settings say.
package enum ModeChoice<Mode: Sendable & Hashable>: Sendable, Hashable {
  /// The mode in the settings, also after these change.
  case `default`
  /// This mode, whatever the settings say.
  case chosen(Mode)

  /// The mode in effect. `preference` is the mode in the settings.
  func resolved(_ preference: Mode) -> Mode {
    if case .chosen(let mode) = self { mode } else { preference }
  }
}

/// The modes of a queue: what the user chose, and what the settings say where nothing is chosen.
package struct QueueModes: Sendable, Hashable {
  /// The repeat mode as the user chose it, or `default` to follow the settings.
  var repeatChoice = ModeChoice<RepeatMode>.default
  /// The shuffle mode as the user chose it for all lists, or `default` to follow the settings.
  var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// The shuffle mode of this list only; it overrides `shuffleChoice`. It ends when another list replaces this one or when
  /// somebody chooses a shuffle mode.
  var listShuffle: ModeChoice<ShuffleMode>?
  /// Whether an entry leaves the list when it has been played.
  var consumes = false
  /// The repeat mode in the settings.
  var repeatPreference = RepeatMode.none
  /// The shuffle mode in the settings.
  var shufflePreference = ShuffleMode.off

  /// The repeat mode in effect: the user's choice, or else the settings'.
  var repeatMode: RepeatMode { repeatChoice.resolved(repeatPreference) }
  /// The shuffle mode in effect: this list's own, or else the user's choice, or else the settings'.
  var shuffleMode: ShuffleMode { (listShuffle ?? shuffleChoice).resolved(shufflePreference) }
}

// MARK: Bytes

/// Modes are written as their index in `allCases`. So a new mode must be added at the end, or stored bytes change their meaning.
extension ByteWriter {
  mutating func put(_ mode: some CaseIterable & Equatable) {
    // `allCases` contains every value, so 0 is never used as a fallback.
    put(byte: UInt8(Array(type(of: mode).allCases).firstIndex(of: mode) ?? 0))
  }

  mutating func put(_ choice: ModeChoice<some CaseIterable & Hashable & Sendable>) {
    switch choice {
    case .default: put(false)
    case .chosen(let mode):
      put(true)
      put(mode)
    }
  }

  mutating func put(optional choice: ModeChoice<some CaseIterable & Hashable & Sendable>?) {
    put(choice != nil)
    if let choice { put(choice) }
  }

  mutating func put(_ modes: QueueModes) {
    put(modes.repeatChoice)
    // A choice begins with 0 or 1, so a 2 tells that the list's own mode comes before it.
    if let listShuffle = modes.listShuffle {
      put(byte: 2)
      put(listShuffle)
    }
    // In the same way, a 3 tells that played entries leave the list.
    if modes.consumes { put(byte: 3) }
    put(modes.shuffleChoice)
    put(modes.repeatPreference)
    put(modes.shufflePreference)
  }
}

extension ByteReader {
  mutating func mode<Mode: CaseIterable>() throws(Malformed) -> Mode {
    let (modes, number) = (Array(Mode.allCases), Int(try byte()))
    guard modes.indices.contains(number) else { throw Malformed() }
    return modes[number]
  }

  mutating func choice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode> {
    try flag() ? .chosen(try mode()) : .default
  }

  mutating func optionalChoice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode>? {
    try flag() ? try choice() : nil
  }

  mutating func modes() throws(Malformed) -> QueueModes {
    var modes = QueueModes()
    modes.repeatChoice = try choice()
    if skip(2) { modes.listShuffle = try choice() }
    modes.consumes = skip(3)
    modes.shuffleChoice = try choice()
    modes.repeatPreference = try mode()
    modes.shufflePreference = try mode()
    return modes
  }
}
