// SPDX-License-Identifier: MIT
package import CommandModel
package import FaceModel

// The smart playlists.
extension AgentClient {
  package func smartPlaylists() async throws(CommandError) -> [SmartPlaylistFace] {
    let reply = try await call(.smartPlaylists, timeout: Self.patience)
    guard let lists = try? AgentPlaylists.playlists(reply: reply) else { throw unreadable }
    return lists
  }

  /// Saves a query as a smart playlist under a name.
  package func save(smart name: String, _ options: SmartOptions) async throws(CommandError) {
    try await call(.save(smart: name, options), timeout: Self.patience)
  }

  package func delete(smart name: String) async throws(CommandError) {
    try await call(.delete(smart: name), timeout: Self.patience)
  }

  /// All items of a playlist, in its order; of a plain one those that are in the library.
  package func items(ofPlaylist name: String) async throws(CommandError) -> [ItemFace] {
    var items: [ItemFace] = []
    while true {
      let reply = try await call(.items(ofPlaylist: name, from: items.count + 1), timeout: Self.patience)
      guard let page = try? AgentLibrary.items(reply: reply) else { throw unreadable }
      items += page.items
      if page.items.isEmpty || items.count >= page.total { return items }
    }
  }
}
