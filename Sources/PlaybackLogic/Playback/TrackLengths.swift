// SPDX-License-Identifier: MIT
import AudioModel

/// Finds the exact lengths of files that do not state theirs, such as an MP3 of variable bit rate without a tag. Playing does
/// not wait for that. Each file is measured once, however often somebody seeks in it.
struct TrackLengths: Sendable {
  /// The last playings that the sound engine was told to play, at once or next; four at most, the latest last.
  private var requested: [Playing] = []
  private var measuring: Set<EntryID> = []

  mutating func note(_ order: SoundOrder) {
    switch order {
    case .load(let playing), .follow(_, with: let playing?): requested = requested.suffix(3) + [playing]
    case .follow(_, with: nil), .unload, .cork: break
    }
  }

  mutating func opened(_ play: PlayID, _ length: Duration?, isExact: Bool) -> [PlaybackEffect] {
    guard let entry = requested.last(where: { $0.play == play })?.entry else { return [] }
    if isExact { return length.map { [.learned(entry.id, length: $0)] } ?? [] }
    // The lengths of entries that neither play nor come next are no longer needed.
    let outdated = measuring.filter { id in !requested.contains { $0.entry.id == id } }
    let isNew = measuring.insert(entry.id).inserted
    return outdated.map { .stopMeasuring($0) } + (isNew ? [.measure(entry)] : [])
  }

  /// Call when an entry was measured. Returns a report of the length for each playing of the entry, because a track that is repeated plays and comes
  /// next as well. Empty if the length was not found or the entry is no longer needed.
  mutating func measured(_ length: Duration?, of entry: EntryID) -> [SoundReport] {
    measuring.remove(entry)
    guard let length else { return [] }
    return requested.filter { $0.entry.id == entry }
      .map { .opened(play: $0.play, length: length, isExact: true) }
  }
}
