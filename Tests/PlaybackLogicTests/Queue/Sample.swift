// SPDX-License-Identifier: MIT
@testable import PlaybackLogic

/// Queues for tests: each entry is called by a letter, and its album is the number behind it if there is one.
func queue(
  _ names: String, at position: Int? = nil, repeat: RepeatMode = .none, shuffle: ShuffleMode = .off,
  seed: UInt64 = 1
) -> PlayQueue {
  var queue = PlayQueue(seed: seed, repeat: `repeat`, shuffle: shuffle)
  _ = queue.append(sources(names))
  if let position { _ = queue.jump(to: queue[position].id) }
  return queue
}

func sources(_ names: String) -> [EntrySource] {
  names.split(separator: " ").map { name in
    EntrySource(String(name), album: AlbumKey(rawValue: UInt64(name.dropFirst()) ?? 0))
  }
}

extension PlayQueue {
  /// The list by names.
  var names: String { entries(at: 0..<count).map(\.location).joined(separator: " ") }
  /// The name of an entry.
  func name(_ id: EntryID?) -> String? { id.flatMap { entry($0)?.location } }
  /// The identity of the first entry with a name.
  func id(_ name: String) -> EntryID {
    entries(at: 0..<count).first { $0.location == name }?.id ?? EntryID(rawValue: 0)
  }
  /// What this pass still plays, by names.
  var coming: String { upcoming(count).compactMap { name($0) }.joined(separator: " ") }
  /// Plays to the end and tells what was heard, the current entry first.
  mutating func playOut(_ limit: Int = 100) -> [String] {
    var heard: [String] = []
    while let name = name(current), heard.count < limit {
      heard.append(name)
      let promised = following
      let change = advance()
      precondition(current == promised && change.current?.to == promised)
    }
    return heard
  }
}
