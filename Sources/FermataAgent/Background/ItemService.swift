// SPDX-License-Identifier: MIT
package import AgentLoop
package import ArtIO
package import MediaModel
package import PlaybackLogic
package import ReaderIO
import SourceIO
import Synchronization

/// Knows the tags and pictures of the queue's entries that were asked for last; they are read on a thread that may block.
///
/// Keeps up to `most` items. For any other entry the caller at once gets an item made from its location alone, and `news` is called when its tags
/// have been read.
@AgentLoop
package final class ItemService {
  /// An item and its picture.
  package struct Known: Sendable {
    /// The item, with its tags where they have been read.
    package var item: MediaItem
    /// The URI of the item's picture, if it has one.
    package var artURL: String?
    /// Why the item can't be played, if that was found when its tags were read.
    package var unplayable: String?
    /// Whether the item's tags are still to be read. Set only in items that are asked for as a list.
    package var isUnread = false
    /// Whether the file's tags were read. While this is false, values in `item.tags` may be presets that say nothing of the file: its media type, for
    /// example, is that of music.
    package var areTagsRead = false
    /// What the item was read from; nil if it was not read, or only for a list.
    var origin: FileOrigin?
    /// Whether reading its tags or its picture failed for a reason that may pass.
    var isWorthAnotherTry = false

    /// Takes over what the library knows of the item beside its tags; nil if it does not have it. Returns whether that is new.
    @discardableResult
    mutating func adopt(_ listing: LibraryListing?) -> Bool {
      let new = (id: listing?.id, listening: listing?.listening ?? ListeningRecord())
      defer { (item.id, item.listening) = new }
      return new != (item.id, item.listening)
    }
  }

  /// Called when more is known of an entry's item than when somebody last asked for it.
  package var news: @AgentLoop (EntryID) -> Void = { _ in }

  /// Looks up sounds in the library, in order; nil if it does not answer in time. Blocks.
  package typealias Listings = @Sendable ([ItemSource]) -> [LibraryListing?]?

  /// Returns what looks up sounds in the library; nil if there is no library. With `asksDisk`, that waits for the disks of files that the library may know
  /// by another path.
  var listings: @AgentLoop (_ asksDisk: Bool) -> Listings? = { _ in nil }

  /// Called when an entry is found that can't be played, with the reason.
  /// With nil, one that could not be played can be, because its file is another now.
  var foundUnplayable: @AgentLoop (EntryID, String?) -> Void = { _, _ in }

  private let thread: BlockingThread
  /// Looks whether any of the kept items' files have changed. It has a thread of its own, so that a disk that hangs holds up nothing else.
  private let checks = BlockingThread("changes", mostStuck: 0)
  /// Looks at the files whose pictures somebody asks for. A disk that does not answer holds up only whoever asks after it, and not for long.
  private let coverChecks = BlockingThread(
    "covers", yieldsAfter: .seconds(1), givesUpAfter: .seconds(3), mostStuck: 0)
  private var checkOfAll = BlockingJob()
  /// Whether all have to be looked at once more, because the library changed while they were.
  private var isCheckDue = false
  /// A look at a few of them, on the thread that reads tags.
  private var checkOfFew = BlockingJob()
  private let titles: SheetTitles
  private let parts = PartFindings()
  /// Reads the tags and pictures of files, in a process of its own. Other parts of the agent may use it too.
  package nonisolated let reader: ReaderClient
  /// Reads tags for the sound that is about to play. It has processes of its own, so that it never waits behind reads from a dead disk.
  nonisolated let soundReader: ReaderClient
  /// The character set of texts of which nothing says in which they are. When it changes, all items are reported as news, so that whoever shows one asks
  /// again; that has its tags read again.
  package var charset: String? {
    didSet {
      guard charset != oldValue else { return }
      reader.charset = charset
      titles.charset = charset
      refresh()
    }
  }
  /// Finds pictures at the size that somebody asks for.
  let pictures: ArtService
  private let tidying: ReaderTidying
  private lazy var relisting = LibraryRelisting { [weak self] in self?.relist() }
  private let cache: ArtCache?
  private var known: [EntryID: Known] = [:]
  private var order: [EntryID] = []
  /// The entries whose tags have to be read again when they are asked for next. Until they are, the old ones are shown.
  private var stale: Set<EntryID> = []
  /// The current entry, and those that may follow it. Their items are kept however many others are asked for.
  private var nearby: [EntryID] = []
  /// The entries whose disk did not answer when they were read, and the timer for the next try with its time.
  private var retries = ItemRetries()
  private var retry: (timer: LoopTimer, due: Duration)?
  /// The last reading of each entry that could not be read. On a disk that hangs it does not return, and then no second one is begun.
  private var readings: [EntryID: BlockingJob] = [:]
  /// The exact lengths of entries, found by decoding them.
  private var measured: [EntryID: Duration] = [:]
  /// The entries whose tags are being read, with the tasks that wait for them.
  private var unread: [EntryID: WaitingCallers] = [:]

  /// How many items are kept. It is more than are ever shown at once; otherwise reading one row of a list would push out another.
  static let most = 1_024

  /// A service that reads with `reader` on `thread`, and keeps embedded pictures in `art`. Without `art` it only finds pictures that lie in folders
  /// as files.
  package convenience init(thread: BlockingThread, art: ArtCache?, reader: ReaderClient) {
    self.init(thread: thread, art: art, reader: reader, titles: SheetTitles())
  }

  init(thread: BlockingThread, art: ArtCache?, reader: ReaderClient, titles: SheetTitles) {
    self.thread = thread
    self.reader = reader
    soundReader = ReaderClient(beside: reader)
    self.titles = titles
    cache = art
    // Pictures have a thread of their own, so that somebody who asks for many does not delay the tags of the next track.
    pictures = ArtService(thread: BlockingThread("pictures"), cache: art, reader: reader)
    tidying = ReaderTidying(reader)
  }

  /// The item of an entry. The first call starts reading its tags and returns without them; `news` is called when they are known.
  package func item(_ entry: Entry) -> Known {
    if let found = known[entry.id] {
      if stale.remove(entry.id) != nil, let path = Self.path(entry) { read(path, entry.span, for: entry.id) }
      return found
    }
    let first = Self.unread(entry)
    keep(first, for: entry.id)
    if let path = Self.path(entry) { read(path, entry.span, for: entry.id) }
    return first
  }

  /// The item of an entry as far as it is known by now; this does not start reading its tags.
  func itemSoFar(_ entry: Entry) -> Known { known[entry.id] ?? Self.unread(entry) }

  /// Whether the tags of an entry are being read.
  package func isReading(_ entry: EntryID) -> Bool { unread[entry] != nil }

  /// Reads the item of a source that is not in the queue yet. The closure blocks: call it on a thread that may.
  var readsSources: @Sendable (EntrySource) -> Known? {
    { [cache, titles, reader, parts, listings = libraryLookup()] source in
      guard let path = Self.path(source.location) else { return nil }
      return Self.listed([Self.read(path, source.span, reader, titles, cache, parts)], listings)[0]
    }
  }

  /// Keeps an item that `readsSources` read before its entry was in the queue.
  func learn(_ found: Known, of entry: EntryID) {
    keep(found, for: entry)
    guard found.isWorthAnotherTry else { return }
    retries.failed(entry, at: AgentLoop.now)
    setRetry()
  }

  /// Starts reading the entry that plays after the current one, and those that Next and Previous lead to. When one of them becomes current, its
  /// title and length are known.
  func lookAhead(in queue: PlayQueue) {
    let before = nearby
    nearby = [queue.current, queue.following, queue.next, queue.previous].compactMap(\.self)
    if nearby != before {
      AgentLoop.task { [weak self, nearby] in await self?.readChanged(of: nearby) }
      nearby.filter(retries.contains).forEach(readAgain)
    }
    for entry in [queue.following, queue.next, queue.previous] {
      if let entry, let row = queue.entry(entry) { _ = item(row) }
    }
  }

  /// Returns when an entry's tags have been read: at once if they were before, and after `patience` if the disk takes longer.
  func settle(_ entry: Entry, within patience: Duration) async {
    _ = item(entry)
    await unread[entry.id]?.wait(atMost: patience)
  }

  private func wake(_ entry: EntryID) { unread.removeValue(forKey: entry)?.resume() }

  /// The item of an entry. If its tags are being read, this waits for them.
  package func itemOnceRead(_ entry: Entry) async -> Known {
    let first = item(entry)
    guard let waiting = unread[entry.id] else { return first }
    await waiting.wait()
    return item(entry)
  }

  /// The item of an entry as its file is now. If that has changed since it was read, or its picture was deleted from the cache, it is read again.
  func itemAsItIs(_ entry: Entry) async -> Known {
    guard let origin = await itemOnceRead(entry).origin,
      await !changed([(entry.id, origin)], on: coverChecks, as: BlockingJob(), orWithoutCopy: true).isEmpty
    else { return item(entry) }
    readAgain(entry.id)
    return await itemOnceRead(entry)
  }

  /// The tags of an entry, as far as they are known; nil if no item is kept for it. This does not start reading them.
  package func knownTags(_ entry: EntryID) -> MediaTags? { known[entry]?.item.tags }

  /// The exact length of an entry, found by decoding; nil if it is not known.
  func measuredLength(of entry: EntryID) -> Duration? { measured[entry] }

  /// Has all tags read again that are shown. Nobody is shown a track without them meanwhile: it would seem to be another track.
  private func refresh() {
    stale = Set(order)
    for entry in order { news(entry) }
  }

  /// Has those of these entries read again, when somebody next asks for them, whose tags could not be read: their files are there again, or gone.
  func filesCameOrWent(_ entries: [EntryID]) {
    stale.formUnion(entries.lazy.filter { self.known[$0]?.areTagsRead == false })
  }

  /// Takes over where files are that were renamed. They are read again when somebody next asks for them; until then their old tags are shown.
  func relocate(_ renamings: [FileRenaming]) {
    let locations = Dictionary(renamings.lazy.map { ($0.from, $0.to) }) { first, _ in first }
    for (entry, item) in known {
      guard let new = Self.path(of: item.item).flatMap({ locations[$0.location] }) else { continue }
      known[entry]?.item.location = Self.location(new)
      known[entry]?.origin = nil
      stale.insert(entry)
    }
  }

  private func keep(_ item: Known, for entry: EntryID) {
    if known.updateValue(item, forKey: entry) == nil { order.append(entry) }
    stale.remove(entry)
    guard order.count > Self.most else { return }
    guard let index = order.firstIndex(where: { !nearby.contains($0) }) else { return }
    let oldest = order.remove(at: index)
    known[oldest] = nil
    measured[oldest] = nil
    stale.remove(oldest)
    retries.drop(oldest, at: AgentLoop.now)
    readings[oldest] = nil
    setRetry()
  }

  private func read(_ path: FilePath, _ span: CueSpan?, for entry: EntryID) {
    // If an entry is dropped and asked for again while it is being read, the first reading goes on and its waiters keep waiting for it.
    guard unread[entry] == nil else { return }
    unread[entry] = WaitingCallers()
    AgentLoop.task { [weak self] in await self?.readUntilFresh(path, span, for: entry) }
  }

  /// Reads the tags and the picture of an entry. If its file is renamed meanwhile, or the setting for the character set of old tags changes, reads them
  /// again.
  private func readUntilFresh(_ first: FilePath, _ span: CueSpan?, for entry: EntryID) async {
    var found: Known?
    var (path, asked) = (first, charset)
    func isFresh() -> Bool {
      let (before, former) = (path, asked)
      path = known[entry].flatMap { Self.path(of: $0.item) } ?? path
      asked = charset
      return (path, asked) == (before, former)
    }
    repeat {
      let job = BlockingJob()
      readings[entry] = job
      found = try? await thread.run(job) {
        [path, reader, titles, cache, parts, listings = libraryLookup()] job in
        job.looks(at: path.text)
        return Self.listed([Self.read(path, span, reader, titles, cache, parts)], listings)[0]
      }
    } while !isFresh()
    take(found, for: entry)
  }

  /// Keeps an item that was read. Nil means that the disk did not answer: then the entry's old item stays.
  private func take(_ found: Known?, for entry: EntryID) {
    guard known[entry] != nil else { return wake(entry) }
    let former = known[entry]
    if Self.isWorthAnotherTry(found, former) {
      retries.failed(entry, at: AgentLoop.now)
    } else {
      readings[entry] = nil
      retries.succeeded(entry, at: AgentLoop.now)
    }
    setRetry()
    // What was read of it before is better than nothing.
    guard let found, found.areTagsRead || former?.areTagsRead != true else { return wake(entry) }
    let isOtherFile = former?.origin.map { !$0.isSameFile(as: found.origin) } ?? false
    if isOtherFile { measured[entry] = nil }
    known[entry] = found
    if let length = measured[entry] { known[entry]?.item.tags.duration = length }
    // Whoever is told waits no longer for this entry, or the news would be kept back until something else happens.
    wake(entry)
    if let reason = found.unplayable {
      // The player keeps the reason from now on, because it is the one that learns if the entry plays after all.
      known[entry]?.unplayable = nil
      foundUnplayable(entry, reason)
    } else if isOtherFile, found.areTagsRead {
      foundUnplayable(entry, nil)
    }
    news(entry)
  }

  /// Sets an entry's exact length, which its decoder found. It takes precedence over the length in the tags. Does nothing if no item is kept for the
  /// entry.
  func learn(length: Duration, of entry: EntryID) {
    guard let item = known[entry]?.item, measured[entry] != length else { return }
    measured[entry] = length
    guard item.tags.duration != length else { return }
    known[entry]?.item.tags.duration = length
    if unread[entry] == nil { news(entry) }
  }

  // MARK: Reading again

  /// Has those of these few entries read again whose files have changed since they were read, or whose picture was deleted from the cache. Somebody has
  /// given them other tags or another picture; until they are read the old ones are shown.
  private func readChanged(of entries: [EntryID]) async {
    // While a look at a few has not returned, another one would only wait for the same disk.
    guard !checkOfFew.isUnderWay else { return }
    checkOfFew = BlockingJob()
    for entry in await changed(origins(of: entries), on: thread, as: checkOfFew, orWithoutCopy: true) {
      readAgain(entry)
    }
  }

  /// The same for all entries, but for pictures in the cache: where they do not all fit into it, reading one again would push out another each time.
  private func readChangedOfAll() {
    if checkOfAll.isUnderWay { return isCheckDue = true }
    isCheckDue = false
    let (read, job) = (origins(of: known.keys), BlockingJob())
    checkOfAll = job
    AgentLoop.task { [self] in
      for entry in await changed(read, on: checks, as: job, orWithoutCopy: false) { readAgain(entry) }
      if isCheckDue { readChangedOfAll() }
    }
  }

  /// What these entries were read from, as far as they are kept and are not tried again anyway.
  private func origins(of entries: some Sequence<EntryID>) -> [(EntryID, FileOrigin)] {
    entries.compactMap { entry in
      retries.contains(entry) ? nil : known[entry]?.origin.map { (entry, $0) }
    }
  }

  /// Which of these have changed; none if their disk does not answer.
  private func changed(
    _ read: [(EntryID, FileOrigin)], on thread: BlockingThread, as job: BlockingJob, orWithoutCopy: Bool
  ) async -> [EntryID] {
    guard !read.isEmpty else { return [] }
    let changed = try? await thread.run(job) { job in
      read.filter { _, origin in
        job.looks(at: origin.path.text)
        return origin.hasChanged(orWithoutCopy: orWithoutCopy)
      }.map(\.0)
    }
    return changed ?? []
  }

  private func readAgain(_ entry: EntryID) {
    guard readings[entry]?.isUnderWay != true, let item = known[entry]?.item, let path = Self.path(of: item)
    else {
      return
    }
    read(path, item.part.flatMap { CueSpan($0) }, for: entry)
  }

  /// Whether reading an entry has failed so that it may succeed later: its disk did not answer, or its file is being written.
  private static func isWorthAnotherTry(_ found: Known?, _ former: Known?) -> Bool {
    guard let found else { return true }
    let isTorn = former?.areTagsRead == true && !found.areTagsRead && found.origin != nil
    return found.isWorthAnotherTry || isTorn
  }

  /// Has the timer run for the next try, if there is to be one.
  private func setRetry() {
    guard retry?.due != retries.due else { return }
    retry?.timer.cancel()
    retry = retries.due.map { due in
      (AgentLoop.after(max(.zero, due - AgentLoop.now)) { [weak self] in self?.tryAgain() }, due)
    }
  }

  private func tryAgain() {
    retry = nil
    if let entry = retries.take(at: AgentLoop.now) {
      // The former try may hang still.
      if readings[entry]?.isUnderWay != true {
        readAgain(entry)
      } else {
        retries.failed(entry, at: AgentLoop.now)
      }
    }
    setRetry()
  }

  /// Has the library asked once more, soon, about the items that are kept: it has changed. During a scan it does so all the time.
  func libraryChanged() {
    retries.beginAnew(at: AgentLoop.now)
    setRetry()
    relisting.libraryChanged(concernsItems: !known.isEmpty)
  }

  /// A function that asks the library about files. If it does not answer in time, it is asked about all items that are kept once more, later each time.
  private func libraryLookup() -> Listings? {
    guard let listings = listings(true) else { return nil }
    return { [weak self] files in
      let found = listings(files)
      if found == nil { AgentLoop.task { self?.relisting.libraryIsBusy() } }
      return found
    }
  }

  private func relist() {
    // The disk of one of them may not answer any more.
    guard !known.isEmpty, let listings = listings(false) else { return }
    readChangedOfAll()
    let files = known.compactMap { entry, item in
      Self.path(of: item.item).map { (entry, ItemSource($0, part: item.item.part)) }
    }
    AgentLoop.task { [weak self, thread] in
      let found = try? await thread.run { job in
        job.looks(at: "the library")
        return listings(files.map(\.1))
      }
      guard let self else { return }
      self.relisting.ended(isAnswered: found != nil)
      for ((entry, _), listing) in zip(files, found ?? []) where self.known[entry]?.adopt(listing) == true {
        self.news(entry)
      }
    }
  }

  /// Whether the item of this entry is kept, and its tags need not be read again.
  func isKnown(_ entry: EntryID) -> Bool { known[entry] != nil && !stale.contains(entry) }
}

// Items for many entries at a time.
extension ItemService {
  /// How long somebody who asks for the items of many entries waits for the disk at most. The answer then has what is known of the rest.
  private static let patience = Duration.milliseconds(500)
  /// How many files the reader is given at a time: enough to keep it busy, and few enough that a listing whose time is over gets nearly all that was
  /// read.
  private nonisolated static let atOnce = 32

  /// The items of these entries; the queue they are in holds `count`. Items that are not known yet are read first, for up to `patience`.
  ///
  /// If the whole queue fits into memory, the items that are read are kept, with their pictures, and reported as news. For a longer queue only tags
  /// are read and nothing is kept: a listing must not push out the items of the tracks that play.
  func items(_ entries: [Entry], of count: Int) async -> [Known] {
    let end = AgentLoop.now + Self.patience
    guard count > Self.most / 2 else {
      for entry in entries { _ = item(entry) }
      for entry in entries where AgentLoop.now < end { await settle(entry, within: end - AgentLoop.now) }
      return entries.map(itemForList)
    }
    let found = await read(entries.filter { !isKnown($0.id) }, until: end)
    return entries.map { entry in
      if isKnown(entry.id) { return itemForList(entry) }
      return found[entry.id] ?? lateItem(entry, of: count)
    }
  }

  private func itemForList(_ entry: Entry) -> Known {
    var known = item(entry)
    known.isUnread = isReading(entry.id)
    return known
  }

  /// The item of an entry that came into a list while the items of others were read, marked as unread if its own tags are not there yet.
  func lateItem(_ entry: Entry, of count: Int) -> Known {
    if isKnown(entry.id) || count <= Self.most / 2 { return itemForList(entry) }
    var unread = Self.unread(entry)
    unread.isUnread = Self.path(entry) != nil
    return unread
  }

  /// Reads the items of these entries until the time `end`, and returns those that were read by then. They are not kept.
  func read(_ entries: [Entry], until end: Duration) async -> [EntryID: Known] {
    let reading = Reading()
    guard !entries.isEmpty else { return [:] }
    await AgentLoop.wait(atMost: end - AgentLoop.now) {
      [thread, reader, titles, listings = libraryLookup()] in
      try? await thread.run { job in
        for start in stride(from: 0, to: entries.count, by: Self.atOnce) where !reading.isOver {
          job.looks(at: entries[start].location)
          let some = entries[start..<min(entries.count, start + Self.atOnce)]
          let tagged = Self.tagged(some, reader, titles)
          for (known, entry) in zip(Self.listed(tagged.map(\.1), listings), tagged.map(\.0)) {
            reading.add(known, of: entry)
          }
        }
      }
    }
    // Nobody wants the files that are not read by now.
    reading.end()
    return reading.found
  }

  /// What the thread has read so far, shared with a caller that may stop waiting at any time. Safe on any thread.
  private final class Reading: Sendable {
    private struct State {
      var found: [EntryID: Known] = [:]
      var isOver = false
    }
    private let state = Mutex(State())

    var found: [EntryID: Known] { state.withLock { $0.found } }
    var isOver: Bool { state.withLock { $0.isOver } }
    func add(_ known: Known, of entry: EntryID) { state.withLock { $0.found[entry] = known } }
    func end() { state.withLock { $0.isOver = true } }
  }
}
