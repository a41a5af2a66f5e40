// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// MPRIS's Playlists interface: the saved playlists as it shows them, and the calls that clients make.
package enum MPRISPlaylists {
  private static let name: InterfaceName = "org.mpris.MediaPlayer2.Playlists"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, signals: [playlistChanged.description],
    properties: properties.descriptions)

  /// A call of one of MPRIS's Playlists methods, once its arguments are read. Whether its playlists exist is checked by `PlaylistsFace`, after the
  /// folder that has them was read.
  package enum Call: Sendable, Hashable {
    /// Replace the queue by the playlist at this path, and play it.
    case activate(ObjectPath)
    /// List the playlists in this order, and answer with at most `count` of them, beginning with number `from`, counted from 0.
    case page(from: Int, count: Int, order: String, isReversed: Bool)
  }

  /// The methods, in the specification's order.
  package enum Method: String, MethodTable {
    case activatePlaylist = "ActivatePlaylist"
    case getPlaylists = "GetPlaylists"

    package var row: MethodRow<Call> {
      switch self {
      case .activatePlaylist: .init("PlaylistId") { .activate($0) }
      case .getPlaylists:
        .init("Index", "MaxCount", "Order", "ReverseOrder", out: ["Playlists": "a(oss)"]) {
          (index: UInt32, count: UInt32, order: String, isReversed: Bool) in
          .page(from: Int(index), count: Int(count), order: order, isReversed: isReversed)
        }
      }
    }
  }

  package static let properties = FaceProperties<PlaylistsFace>(
    of: name,
    [
      .init("PlaylistCount") { UInt32(clamping: $0.playlists.count) },
      .init("Orderings") { _ in PlaylistOrdering.allCases.map(\.rawValue) },
      .init("ActivePlaylist") {
        ShownActive($0.playlists.first { [active = $0.active] in $0.key == active })
      },
    ])

  fileprivate static let playlistChanged = SignalRow<ShownPlaylist>("PlaylistChanged", "Playlist")
}

/// The saved playlists as MPRIS shows them.
package struct PlaylistsFace: Sendable, Equatable {
  /// How many playlists one answer holds at most.
  package static let largestPage = 1000

  /// All saved playlists, in any order.
  package var playlists: [SavedPlaylist]
  /// The playlist that was loaded into the queue last, while the queue is still the same as the playlist; nil otherwise.
  package var active: SavedPlaylist.Key?

  package init(_ playlists: [SavedPlaylist] = [], active: SavedPlaylist.Key? = nil) {
    self.playlists = playlists
    self.active = active
  }

  /// The signals `PlaylistChanged`: one for each playlist whose name or file has changed, and for each smart one whose query or items have changed.
  /// Usually a new playlist is reported only by the changed property `PlaylistCount`. If the count is the same, because as many playlists have gone
  /// (as when one was renamed), new ones are reported by this signal too.
  package func signals(from old: PlaylistsFace) -> [(MemberName, [WireValue])] {
    let before = Dictionary(old.playlists.map { ($0.key, $0) }) { first, _ in first }
    let isCountTold = old.playlists.count != playlists.count
    return playlists.compactMap { playlist in
      let isNews = before[playlist.key].map { Self.differ($0, playlist) } ?? !isCountTold
      return isNews ? MPRISPlaylists.playlistChanged(ShownPlaylist(playlist)) : nil
    }
  }

  private static func differ(_ old: SavedPlaylist, _ new: SavedPlaylist) -> Bool {
    old.name != new.name || old.modified != new.modified || old.content != new.content
  }

  /// The answer of `GetPlaylists`: at most `count` playlists, and at most `largestPage`, beginning with number `index`, counted from 0.
  /// Throws for an unknown order.
  package func page(
    from index: Int, count: Int, order: String, isReversed: Bool
  ) throws(BusError) -> [WireValue] {
    guard let ordering = PlaylistOrdering(rawValue: order) else {
      let known = PlaylistOrdering.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalidArguments("the order \(order.prefix(64)) is unknown; \(known) are taken")
    }
    let page = ordering.sorted(playlists, reversed: isReversed)
      .dropFirst(index).prefix(min(count, Self.largestPage))
    return .arguments(page.map(ShownPlaylist.init))
  }

  /// The playlist at a path. Throws if there is none.
  package func playlist(at path: ObjectPath) throws(BusError) -> SavedPlaylist.Key {
    guard let key = PlaylistPath.key(at: path), playlists.contains(where: { $0.key == key }) else {
      throw .invalidArguments("there is no playlist \(path.text.prefix(256)); GetPlaylists lists them")
    }
    return key
  }
}

/// A playlist as a message carries it: its path, its name and the URI of a picture, which none has.
private struct ShownPlaylist: WireConvertible {
  let wireValue: WireValue

  static var wireType: WireType { "(oss)" }

  init(_ playlist: SavedPlaylist?) {
    wireValue = .structure([
      .objectPath(playlist.map { PlaylistPath.path(of: $0.key) } ?? PlaylistPath.none),
      WireText.value(playlist?.name ?? ""), .string(""),
    ])
  }

  init?(wire: WireValue) {
    guard wire.isOf(Self.wireType) else { return nil }
    wireValue = wire
  }
}

/// The value of the property `ActivePlaylist`: whether there is an active playlist, and which it is.
private struct ShownActive: WireConvertible {
  let wireValue: WireValue

  static var wireType: WireType { "(b(oss))" }

  init(_ playlist: SavedPlaylist?) {
    wireValue = .structure([.boolean(playlist != nil), ShownPlaylist(playlist).wireValue])
  }

  init?(wire: WireValue) {
    guard wire.isOf(Self.wireType) else { return nil }
    wireValue = wire
  }
}

/// A saved playlist, with the facts that clients are shown.
package struct SavedPlaylist: Sendable, Hashable {
  /// Identifies a playlist.
  package enum Key: Sendable, Hashable {
    /// A plain playlist, by its file.
    case file(FilePath)
    /// A smart playlist, by its name.
    case smart(String)
  }

  package var key: Key
  package var name: String
  /// When the file was last written, in nanoseconds since 1970; nil if that is not known.
  package var modified: Int64?
  /// A hash of a smart playlist's query and of the number and length of its items, to notice when it changes. 0 for a plain one.
  package var content = 0

  /// A plain playlist.
  package init(file: FilePath, name: String, modified: Int64? = nil) {
    (key, self.name, self.modified) = (.file(file), name, modified)
  }

  /// A smart playlist.
  package init(smart name: String, content: Int = 0) {
    (key, self.name, self.content) = (.smart(name), name, content)
  }
}

/// The order in which playlists are listed. MPRIS has more orders, but the dates that they need are not known.
package enum PlaylistOrdering: String, Sendable, CaseIterable {
  case alphabetical = "Alphabetical"
  case modified = "Modified"

  /// The playlists in this order, or in its reverse: names in natural order; dates from the oldest on, playlists without a date first. Playlists that
  /// are equal in that are always in the same order, so that no page repeats a playlist from another page.
  package func sorted(_ playlists: [SavedPlaylist], reversed: Bool = false) -> [SavedPlaylist] {
    let sorted = playlists.sorted(by: precedes)
    return reversed ? sorted.reversed() : sorted
  }

  private func precedes(_ one: SavedPlaylist, _ other: SavedPlaylist) -> Bool {
    if self == .modified, one.modified != other.modified {
      return one.modified ?? .min < other.modified ?? .min
    }
    if one.name != other.name { return NaturalOrder.precedes(one.name, other.name) }
    return PlaylistPath.path(of: one.key).text < PlaylistPath.path(of: other.key).text
  }
}

/// Names playlists as MPRIS does: by object paths. A path is made from the path of the playlist's file, or from the name of a smart playlist after a
/// fixed prefix. Every byte that is not an ASCII letter or digit is written as `_` and two hex digits. So the object path stays the same as long as
/// the file is not moved.
package enum PlaylistPath {
  /// The path that means "no playlist".
  package static let none: ObjectPath = "/"

  private static let prefix = "/org/fermata/Playlist/"
  private static let smartPrefix = prefix + "smart/"

  package static func path(of key: SavedPlaylist.Key) -> ObjectPath {
    switch key {
    case .file(let file): ObjectPath(unchecked: prefix + escaped(file.bytes))
    case .smart(let name): ObjectPath(unchecked: smartPrefix + escaped(Array(name.utf8)))
    }
  }

  /// The playlist that a path stands for; nil for a path that is not ours. Whether that playlist exists is not checked.
  package static func key(at path: ObjectPath) -> SavedPlaylist.Key? {
    let key: SavedPlaylist.Key?
    if path.text.utf8.starts(with: smartPrefix.utf8) {
      key = bytes(of: path.text.utf8.dropFirst(smartPrefix.utf8.count))
        .flatMap { String(validating: $0, as: UTF8.self) }.map { .smart($0) }
    } else if path.text.utf8.starts(with: prefix.utf8) {
      key = bytes(of: path.text.utf8.dropFirst(prefix.utf8.count)).flatMap { FilePath($0) }.map { .file($0) }
    } else {
      key = nil
    }
    // A path that spells the same name in another way is not one of ours.
    guard let key, Self.path(of: key) == path else { return nil }
    return key
  }

  // The same escapes as in a URI, but with `_` instead of `%`.
  private static func escaped(_ bytes: [UInt8]) -> String {
    String(PercentEncoding.encode(bytes, keeping: isPlain).map { $0 == "%" ? "_" : $0 })
  }

  private static func bytes(of escaped: Substring.UTF8View.SubSequence) -> [UInt8]? {
    PercentEncoding.decode(escaped.map { $0 == mark ? UInt8(ascii: "%") : $0 })
  }

  private static let mark = UInt8(ascii: "_")

  private static func isPlain(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
