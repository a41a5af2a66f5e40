// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel

/// The saved playlists as MPRIS shows them.
package struct PlaylistsFace: Sendable, Equatable {
  /// How many playlists one answer holds at most.
  package static let largestPage = 1000

  /// All of them, in any order.
  package var playlists: [SavedPlaylist]
  /// The orders in which they can be listed: those for which the needed dates are known.
  package var orderings: [PlaylistOrdering]
  /// The playlist that was put into the queue last, for as long as the queue still holds just that.
  package var active: FilePath?

  /// These playlists.
  package init(
    _ playlists: [SavedPlaylist] = [], orderings: [PlaylistOrdering] = PlaylistOrdering.allCases,
    active: FilePath? = nil
  ) {
    self.playlists = playlists
    self.orderings = orderings
    self.active = active
  }

  /// Every property, in the interface's order.
  package var properties: [(MemberName, WireValue)] {
    [
      ("PlaylistCount", .uint32(UInt32(clamping: playlists.count))),
      ("Orderings", orderings.map(\.rawValue).wireValue),
      ("ActivePlaylist", activeValue),
    ]
  }

  /// The properties that `PropertiesChanged` has to report, with their new values.
  package func changes(from old: PlaylistsFace) -> [(MemberName, WireValue)] {
    zip(old.properties, properties).filter { $0.1 != $1.1 }.map(\.1)
  }

  /// The arguments of `PlaylistChanged`, one set for each playlist that has another name or picture than before, or
  /// whose file was written again. A new playlist shows in the changed count. If the count has not changed, because as
  /// many playlists have gone (as when one was renamed), new ones are reported by this signal too.
  package func changedPlaylists(from old: PlaylistsFace) -> [[WireValue]] {
    let before = Dictionary(old.playlists.map { ($0.file, $0) }) { first, _ in first }
    let isCountTold = old.playlists.count != playlists.count
    return playlists.compactMap { playlist in
      let isNews = before[playlist.file].map { Self.differ($0, playlist) } ?? !isCountTold
      return isNews ? [Self.value(playlist)] : nil
    }
  }

  private static func differ(_ old: SavedPlaylist, _ new: SavedPlaylist) -> Bool {
    old.name != new.name || old.icon != new.icon || old.modified != new.modified
  }

  /// What `GetPlaylists` answers.
  package func page(_ arguments: [WireValue]) throws(BusError) -> [WireValue] {
    let (index, count, order, isReversed) = try arguments.decoded(
      as: UInt32.self, UInt32.self, String.self, Bool.self)
    guard let ordering = orderings.first(where: { $0.rawValue == order }) else {
      let known = orderings.map(\.rawValue).joined(separator: ", ")
      throw .invalidArguments("the order \(order.prefix(64)) is unknown; \(known) are taken")
    }
    let page = ordering.sorted(playlists, reversed: isReversed)
      .dropFirst(Int(index)).prefix(min(Int(count), Self.largestPage))
    return [.array("(oss)", page.map(Self.value))]
  }

  /// What `ActivatePlaylist` asks for.
  package func order(activate arguments: [WireValue]) throws(BusError) -> FaceOrder {
    let path = try arguments.decoded(as: ObjectPath.self)
    guard let file = PlaylistPath.file(at: path), playlists.contains(where: { $0.file == file }) else {
      throw .invalidArguments("there is no playlist \(path.text.prefix(256)); GetPlaylists lists them")
    }
    return .playPlaylist(file)
  }

  private var activeValue: WireValue {
    guard let playlist = playlists.first(where: { $0.file == active }) else {
      let nothing = WireValue.structure([.objectPath(PlaylistPath.none), .string(""), .string("")])
      return .structure([.boolean(false), nothing])
    }
    return .structure([.boolean(true), Self.value(playlist)])
  }

  private static func value(_ playlist: SavedPlaylist) -> WireValue {
    .structure([
      .objectPath(PlaylistPath.path(of: playlist.file)), WireText.value(playlist.name),
      WireText.value(playlist.icon ?? ""),
    ])
  }
}
