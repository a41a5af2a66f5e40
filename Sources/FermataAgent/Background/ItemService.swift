// SPDX-License-Identifier: MIT
public import AgentLoop
import DecodeIO
public import MediaModel
public import PlaybackLogic
public import TagIO

/// What is known about the entries that matter now: tags and pictures, read on a thread that may block.
///
/// Keeps the items of a few entries; whoever asks for another one gets what its location says at once, and is told when its tags have
/// been read.
@AgentLoop
public final class ItemService {
  /// An item and its picture.
  public struct Known: Sendable {
    /// The item, with its tags where they have been read.
    public var item: MediaItem
    /// Where its picture is.
    public var artURL: String?
  }

  /// Called when more is known about an entry than was said before.
  public var news: @AgentLoop (EntryID) -> Void = { _ in }

  private let thread: BlockingThread
  private let cache: ArtCache?
  private var known: [EntryID: Known] = [:]
  private var order: [EntryID] = []

  /// As many items are kept: more than anyone is shown at once, or reading one would drive out another.
  private static let most = 1_024

  /// A service that reads on `thread`, and keeps pictures in `art`; without it only pictures that are files of their own are told.
  public init(thread: BlockingThread, art: ArtCache?) {
    self.thread = thread
    cache = art
  }

  /// What is known about an entry. The first time its tags are not among it; `news` comes when they are.
  public func item(_ entry: Entry) -> Known {
    if let found = known[entry.id] { return found }
    let first = Known(item: MediaItem(location: Self.location(entry)))
    keep(first, for: entry.id)
    if case .file(let path) = first.item.location, entry.location != Tune.location {
      read(path, for: entry.id)
    }
    return first
  }

  private func keep(_ item: Known, for entry: EntryID) {
    if known.updateValue(item, forKey: entry) == nil { order.append(entry) }
    if order.count > Self.most { known[order.removeFirst()] = nil }
  }

  private func read(_ path: FilePath, for entry: EntryID) {
    AgentLoop.task { [weak self, thread, cache] in
      let found = await thread.run { Self.read(path, cache) }
      self?.take(found, for: entry)
    }
  }

  private func take(_ found: Known, for entry: EntryID) {
    guard known[entry] != nil else { return }
    known[entry] = found
    news(entry)
  }

  /// Blocks. A file whose tags cannot be read has none; whether it plays is for its decoder to say.
  private nonisolated static func read(_ path: FilePath, _ cache: ArtCache?) -> Known {
    let reader = TagReader()
    let tags = try? reader.tags(of: path)
    let item = MediaItem(location: .file(path), tags: tags?.tags ?? MediaTags())
    let embedded = tags?.hasPicture == true ? try? reader.picture(of: path) : nil
    let art =
      embedded.flatMap { picture in try? cache?.file(for: picture) } ?? path.parent.flatMap(FolderArt.find)
    return Known(item: item, artURL: art?.uri)
  }

  /// Where an entry's sound is.
  static func location(_ entry: Entry) -> MediaLocation {
    if entry.location == Tune.location { return .uri(Tune.location) }
    guard let root = FilePath("/".utf8),
      let location = try? MediaLocation(Array(entry.location.utf8), in: root)
    else { return .uri(entry.location) }
    return location
  }
}
