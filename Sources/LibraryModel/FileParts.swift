// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaylistModel

/// A part of a file that is an item of its own.
package struct PartRecord: Sendable, Hashable {
  package var part: FilePart
  package var tags: MediaTags

  package init(_ part: FilePart, _ tags: MediaTags) { (self.part, self.tags) = (part, tags) }
}

/// What the CUE sheets of a folder say of one file in it.
package enum SheetFinding: Sendable, Hashable {
  /// The entry of a track that is the whole file.
  case whole(PlaylistEntry)
  /// The entries of the parts that a sheet cuts the file into: two or more, each with another start, in the order of these.
  case parts([PlaylistEntry])

  /// A sheet that cuts a file into more parts is no sheet of a disc, and is passed over.
  static let mostParts = 999

  /// What counts of several sheets, each with its entries for the file: the first one that cuts it, or else the first one that means
  /// it as a whole. Nil if none does either.
  package init?(_ sheets: [[PlaylistEntry]]) {
    if let parts = sheets.lazy.map(Self.parts).first(where: { (2...Self.mostParts).contains($0.count) }) {
      self = .parts(parts)
    } else if let whole = sheets.joined().first(where: { $0.part == nil }) {
      self = .whole(whole)
    } else {
      return nil
    }
  }

  /// Of two parts that begin at one place, which a broken sheet may have, the first one is taken.
  private static func parts(_ entries: [PlaylistEntry]) -> [PlaylistEntry] {
    var starts: Set<DiscTime> = []
    return entries.compactMap { entry in entry.part.map { (entry, $0.start) } }
      .filter { starts.insert($0.1).inserted }
      .sorted { $0.1 < $1.1 }
      .map(\.0)
  }
}

/// What CUE sheets say of the files in some folders.
package struct SheetFindings: Sendable, Hashable {
  package var files: [FilePath: SheetFinding]
  /// The sheets that could not be read. They are read again at the next scan.
  package var unread: Set<FilePath>
  /// The folders that could not be listed. Nothing is known of their sheets.
  package var unlisted: Set<FilePath>

  package init(
    files: [FilePath: SheetFinding] = [:], unread: Set<FilePath> = [], unlisted: Set<FilePath> = []
  ) {
    (self.files, self.unread, self.unlisted) = (files, unread, unlisted)
  }
}

extension FileRecord {
  /// What becomes of a file by what a sheet says of it. A part that begins behind the file's end is none. A podcast or an audiobook
  /// stays whole, because its place is kept as that of one item.
  package func divided(by finding: SheetFinding?) -> FileRecord {
    var record = self
    record.isSheeted = finding != nil
    switch finding {
    case .whole(let entry): record.tags = entry.completing(tags)
    case .parts(let entries) where tags.mediaType == .music:
      let parts = entries.compactMap(part)
      guard parts.count > 1 else { break }
      record.parts = parts
      record.tags.album = parts.first?.tags.album
    case .parts, nil: break
    }
    return record
  }

  private func part(_ entry: PlaylistEntry) -> PartRecord? {
    guard var part = entry.part else { return nil }
    if let duration = tags.duration {
      guard part.start.duration < duration else { return nil }
      // What ends behind the file's end ends with it.
      if let end = part.end, end.duration >= duration {
        guard let open = FilePart(start: part.start, end: nil) else { return nil }
        part = open
      }
    }
    return PartRecord(part, entry.tagsOfPart(tags))
  }
}

/// Decides which of a file's known parts are those that its sheet cuts now, so that they keep their numbers.
package enum PartPairs {
  /// Somebody may have moved the border between two tracks by so much, and means the same tracks.
  static let slack = 2 * DiscTime.framesPerSecond

  /// For each of the new parts the index of the known one that it is; nil for a new one. It is the one that begins at the same place, or
  /// else the nearest within two seconds that is left. Of known parts that are not shown, only the same place counts.
  package static func find(
    _ new: [DiscTime], among known: [(start: DiscTime, isShown: Bool)]
  ) -> [Int?] {
    let places = Dictionary(known.indices.map { (known[$0].start, $0) }) { first, _ in first }
    var pairs = new.map { places[$0] }
    var left = known.indices.filter { known[$0].isShown && !pairs.contains($0) }
    for index in new.indices where pairs[index] == nil {
      func distance(_ other: Int) -> Int { abs(known[left[other]].start.frames - new[index].frames) }
      guard let nearest = left.indices.min(by: { distance($0) < distance($1) }), distance(nearest) <= slack
      else { continue }
      pairs[index] = left.remove(at: nearest)
    }
    return pairs
  }
}
