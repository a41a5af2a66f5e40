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
  /// The CUE sheet's entry for a track that is the whole file.
  case whole(PlaylistEntry)
  /// The entries of the parts that a sheet cuts the file into: two or more, each with another start, in the order of these.
  case parts([PlaylistEntry])

  /// A sheet that cuts a file into more parts than this is no sheet of a disc, and is passed over.
  static let mostParts = 999

  /// Chooses among several sheets, each given by its entries for the file: the first one that cuts it into parts, or else the first one that has it
  /// as a whole. Nil if none does either.
  package init?(_ sheets: [[PlaylistEntry]]) {
    if let parts = sheets.lazy.map(Self.parts).first(where: { (2...Self.mostParts).contains($0.count) }) {
      self = .parts(parts)
    } else if let whole = sheets.joined().first(where: { $0.part == nil }) {
      self = .whole(whole)
    } else {
      return nil
    }
  }

  /// The entries that are parts, in the order of their beginnings. Of two that begin at one place, which a broken sheet may have, the first one is
  /// taken.
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
  /// The folders that could not be listed. Nothing is known of their CUE sheets.
  package var unlisted: Set<FilePath>

  package init(
    files: [FilePath: SheetFinding] = [:], unread: Set<FilePath> = [], unlisted: Set<FilePath> = []
  ) {
    (self.files, self.unread, self.unlisted) = (files, unread, unlisted)
  }
}

extension FileRecord {
  /// The record with the parts or tags that a CUE sheet gives the file. A part that begins behind the file's end is left out. A podcast or an
  /// audiobook stays whole, because the listener's place in it is kept for one item.
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
      // A part that would end behind the file's end lasts to that end.
      if let end = part.end, end.duration >= duration {
        guard let open = FilePart(start: part.start, end: nil) else { return nil }
        part = open
      }
    }
    return PartRecord(part, entry.tagsOfPart(tags))
  }
}

/// Decides which of the parts that the library has of a file are those that its CUE sheet has now, so that they keep their IDs.
package enum PartPairs {
  /// If the border between two tracks of a sheet was moved by no more than this, they are still the same tracks.
  static let slack = 2 * DiscTime.framesPerSecond

  /// For each part that the sheet has now (`new`), the index of the known part that it is; nil if it is none. That is the one that begins at the same
  /// place, or else the nearest within two seconds that no other took. A known part that is not shown has to begin at the same place.
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
