// SPDX-License-Identifier: MIT
import MediaModel
import PlaylistModel
import Testing

@Suite("Playlists within playlists")
struct PlaylistExpansionTests {
  private func expand(_ lists: [FilePath: [FilePath]], depth: Int = 8, entries: Int = 1_000)
    -> PlaylistExpansion
  {
    PlaylistExpansion(of: "/a.m3u", depthLimit: depth, entryLimit: entries) { path in
      lists[path]?.map { PlaylistEntry(location: .file($0)) }
    }
  }

  private func names(_ expansion: PlaylistExpansion) -> [String] {
    expansion.entries.map { entry in
      guard case .file(let path) = entry.location else { return "" }
      return path.text
    }
  }

  @Test("inner lists stand where they were named, as often as they were named")
  func nested() {
    let expansion = expand(["/a.m3u": ["/1", "/b.m3u", "/4", "/b.m3u"], "/b.m3u": ["/2", "/3"]])
    #expect(names(expansion) == ["/1", "/2", "/3", "/4", "/2", "/3"])
    #expect(expansion.problems == [])
  }

  @Test("a loop of any length is left out and named; the rest plays")
  func loops() {
    let alone = expand(["/a.m3u": ["/1", "/./a.m3u", "/2"]])
    #expect(names(alone) == ["/1", "/2"])
    #expect(alone.problems == [.loop("/a.m3u", within: "/a.m3u")])
    let round = expand([
      "/a.m3u": ["/b.m3u", "/3"], "/b.m3u": ["/1", "/c.m3u"], "/c.m3u": ["/2", "/a.m3u"],
    ])
    #expect(names(round) == ["/1", "/2", "/3"])
    #expect(round.problems == [.loop("/a.m3u", within: "/c.m3u")])
  }

  @Test("a chain without end stops at the depth limit")
  func depth() {
    let expansion = PlaylistExpansion(of: "/0", depthLimit: 5) { path in
      path == "/song" ? nil : [entry("/song"), entry(FilePath("\(path.text)x") ?? path)]
    }
    #expect(expansion.entries.count == 5)
    #expect(expansion.problems == [.tooDeep("/0xxxxx")])
  }

  @Test("lists that double in each other stop at the limit, with songs in them or not")
  func doubling() {
    func doubling(_ inner: [FilePath]) -> PlaylistExpansion {
      PlaylistExpansion(of: "/0", depthLimit: 40, entryLimit: 500) { path in
        guard let depth = Int(path.name), depth < 30 else {
          return path.name == "30" ? inner.map(entry) : nil
        }
        let next = FilePath("/\(depth + 1)") ?? path
        return [entry(next), entry(next)]
      }
    }
    #expect(doubling(["/song"]).entries.count <= 500)
    #expect(doubling([]).problems == [.tooMany(500)])
  }

  private func entry(_ path: FilePath) -> PlaylistEntry { PlaylistEntry(location: .file(path)) }
}
