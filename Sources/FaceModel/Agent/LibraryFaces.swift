// SPDX-License-Identifier: MIT
package import BusModel
package import JobLogic
import LibraryQuery
package import ListeningModel
package import MediaModel

/// Items that belong together, such as an album, as our own interfaces show them: an `a{sv}` with the same keys as the command line's
/// JSON.
package struct CollectionFace: Hashable, WireConvertible {
  /// The value that the items share, such as the album's name; empty for items that have none.
  package var title: String
  /// The letter under which the title stands in a long list.
  package var section: String
  /// How many items the collection has.
  package var count: Int
  /// How long the items last together.
  package var duration: Duration
  /// One of the items, to show its picture and its artist.
  package var representative: ItemFace?

  package init(
    title: String, section: String, count: Int, duration: Duration, representative: ItemFace? = nil
  ) {
    (self.title, self.section, self.count) = (title, section, count)
    (self.duration, self.representative) = (duration, representative)
  }

  package static var wireType: WireType { Fields.wireType }

  /// Reads a collection (an album, an artist, a genre and so on) from a dictionary of the bus; nil if that has no title.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let title: String = fields("title") else { return nil }
    self.init(
      title: title, section: fields("section") ?? "", count: max(0, fields("count") ?? 0),
      duration: fields("duration") ?? .zero,
      representative: fields.fields("representative").flatMap(ItemFace.init(wire:)))
  }

  /// A filter expression for the items of this collection, one of those that grouping by this property makes. Nil if its album is not known: two albums
  /// may have the same title, so an album is recognised by its number.
  package func test(groupedBy property: String) -> String? {
    if property == "album" { return representative?.names.album.map { "albumID == \($0)" } }
    return "\(property) == \(LibraryRequest.quoted(title))"
  }

  package var wireValue: WireValue { fields.wireValue }

  var fields: Fields {
    var fields = Fields()
    fields.add("title", title)
    fields.add("section", section)
    fields.add("count", count)
    fields.add("duration", duration)
    fields.add("representative", representative?.fields(inList: true))
    return fields
  }
}

/// A folder of the library, as our own interfaces show it.
package struct LibraryFolderFace: Sendable, Hashable {
  package var path: FilePath
  /// How many tracks there are in the folder.
  package var tracks: Int
  /// When the folder was last scanned to its end, in seconds since 1970; nil if never.
  package var lastScan: Int64?
  /// A problem with the folder; nil if there is none.
  package var why: String?

  package init(path: FilePath, tracks: Int, lastScan: Int64? = nil, why: String? = nil) {
    (self.path, self.tracks, self.lastScan, self.why) = (path, tracks, lastScan, why)
  }

  init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let url: String = fields("url"), let path = try? FilePath(uri: url)
    else { return nil }
    self.init(
      path: path, tracks: fields("tracks") ?? 0,
      lastScan: fields("lastScan").flatMap(WireTime.seconds(ofMoment:)), why: fields("why"))
  }

  /// The path is sent in two forms: as text for people, and as a URI, from which any path can be read back.
  var fields: Fields {
    var fields = Fields()
    fields.add("path", path.text)
    fields.add("url", path.uri)
    fields.add("tracks", tracks)
    fields.add("lastScan", lastScan.flatMap(WireTime.moment))
    fields.add("why", why)
    return fields
  }
}

/// The answer to the library's `Status`: an `a{sv}` with the same keys as the command line's JSON.
package struct LibraryStatus: Hashable, WireConvertible {
  package var folders: [LibraryFolderFace]
  package var tracks: Int
  package var albums: Int
  package var artists: Int
  /// The scan that runs or waits; nil if there is none.
  package var job: JobID?
  /// Why the library cannot be used fully, such as a damaged file that was set aside; nil if all is well.
  package var why: String?
  /// How many items have no known loudness and wait to be measured.
  package var unmeasured: Int
  /// How many items can't be measured.
  package var unfit: Int
  /// One of the items that can't be measured, with the reason, as a sentence; nil if there is none.
  package var whyUnfit: String?

  package init(
    folders: [LibraryFolderFace] = [], tracks: Int = 0, albums: Int = 0, artists: Int = 0, job: JobID? = nil,
    why: String? = nil, unmeasured: Int = 0, unfit: Int = 0, whyUnfit: String? = nil
  ) {
    (self.folders, self.tracks, self.albums) = (folders, tracks, albums)
    (self.artists, self.job, self.why) = (artists, job, why)
    (self.unmeasured, self.unfit, self.whyUnfit) = (unmeasured, unfit, whyUnfit)
  }

  package static var wireType: WireType { Fields.wireType }

  /// Reads a status from a dictionary. Folders that cannot be read are left out.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire) else { return nil }
    let folders: [Fields] = fields("folders") ?? []
    self.init(
      folders: folders.compactMap { LibraryFolderFace(wire: $0.wireValue) }, tracks: fields("tracks") ?? 0,
      albums: fields("albums") ?? 0, artists: fields("artists") ?? 0,
      job: (fields("job") as UInt32?).map(JobID.init(rawValue:)), why: fields("why"),
      unmeasured: fields("unmeasured") ?? 0, unfit: fields("unfit") ?? 0, whyUnfit: fields("whyUnfit"))
  }

  package var wireValue: WireValue {
    var all = Fields()
    all.add("folders", value: folders.map(\.fields).wireValue)
    all.add("tracks", tracks)
    all.add("albums", albums)
    all.add("artists", artists)
    all.add("job", value: job.map { .uint32($0.rawValue) })
    all.add("why", why)
    all.add("unmeasured", unmeasured)
    all.add("unfit", unfit)
    all.add("whyUnfit", whyUnfit)
    return all.wireValue
  }
}

/// The answer to `Import`: an `a{sv}` with the same keys as the command line's JSON.
extension ImportReport: WireConvertible {
  package static var wireType: WireType { Fields.wireType }

  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let bySound: Int = fields("bySound") else { return nil }
    self.init()
    (self.bySound, byPath, waiting) = (bySound, fields("byPath") ?? 0, fields("waiting") ?? 0)
    (playlists, different) = (fields("playlists") ?? 0, fields("different") ?? 0)
    (unreadable, problems) = (fields("unreadable") ?? 0, fields.list("problems"))
  }

  package var wireValue: WireValue {
    var fields = Fields()
    fields.add("sounds", sounds)
    fields.add("bySound", bySound)
    fields.add("byPath", byPath)
    fields.add("waiting", waiting)
    fields.add("playlists", playlists)
    fields.add("different", different)
    fields.add("unreadable", unreadable)
    fields.add("problems", problems)
    return fields.wireValue
  }
}
