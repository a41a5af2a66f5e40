// SPDX-License-Identifier: MIT
import AudioModel
import MediaModel
import Testing

@testable import PlaybackLogic

@Suite("Which tracks are mixed at their ends")
struct CrossfadePolicyTests {
  private static let time = Duration.seconds(4)

  private func deck(crossfade: Duration = time, repeat: RepeatMode = .none) -> Deck {
    var deck = Deck(4, repeat: `repeat`)
    var settings = PlayerSettings()
    settings.crossfade = crossfade
    deck.player.settings = settings
    deck.order(.play)
    deck.hear()
    return deck
  }

  @Test("what follows may be mixed in, and names the entry before it if that is its neighbour in the queue")
  func neighbours() {
    var deck = deck()
    #expect(deck.loaded?.crossfade == Crossfade(ending: Self.time))
    #expect(deck.follower?.crossfade == Crossfade(ending: Self.time, mixesIn: true))
    #expect(deck.follower?.neighbour == deck.loaded?.entry)
    deck.edit { $0.move(1..<2, to: 3) }
    #expect(deck.follower?.neighbour == deck.loaded?.entry)
    deck.edit { $0.setShuffle(.chosen(.songs)) }
    for _ in 0..<3 {
      let (one, next) = (deck.loaded?.entry, deck.follower?.entry)
      let places = [one, next].compactMap { $0.flatMap { deck.player.queue.position(of: $0.id) } }
      guard places.count == 2 else { break }
      #expect(deck.follower?.neighbour == (places[0] + 1 == places[1] ? one : nil))
      deck.playToEnd()
    }
  }

  @Test("a track that is repeated is not mixed with itself, and without the setting nothing is")
  func neverMixed() {
    #expect(deck(repeat: .one).follower?.crossfade.mixesIn == false)
    var deck = deck(crossfade: .zero)
    for _ in 0..<4 {
      #expect(deck.loaded?.crossfade == Crossfade.none && deck.follower?.crossfade ?? .none == Crossfade.none)
      deck.playToEnd()
    }
  }

  @Test(
    "two entries are of one album by their tags, or else by their folder or file",
    arguments: [
      ("Blue", "Blue", "", "", 1, 2, true), ("Blue", "Blue", "Ann", "", 1, 2, true),
      ("Blue", "Blue", "Ann", "Bob", 1, 1, false), ("Blue", "Red", "Ann", "Ann", 1, 1, false),
      ("Blue", "", "", "", 1, 1, false), ("", "", "", "", 1, 1, true), ("", "", "", "", 1, 2, false),
      ("", "", "", "", 0, 0, false),
    ] as [(String, String, String, String, UInt64, UInt64, Bool)])
  func albums(
    album: String, other: String, artist: String, otherArtist: String, folder: UInt64, otherFolder: UInt64,
    areOne: Bool
  ) {
    let entries = [(1, folder), (2, otherFolder)].map { number, folder in
      Entry(
        id: EntryID(rawValue: number), source: EntrySource("/\(number)", album: AlbumKey(rawValue: folder)))
    }
    let tags = [(album, artist), (other, otherArtist)].map { album, artist in
      var tags = MediaTags()
      tags.album = album.isEmpty ? nil : album
      tags.albumArtist = artist.isEmpty ? [] : [artist]
      return tags
    }
    #expect(entries[1].isOfOneAlbum(with: entries[0], tags: tags[1], neighbours: tags[0]) == areOne)
    let parts = [CueSpan(start: 0, end: 750), CueSpan(start: 750, end: nil)].map {
      Entry(id: EntryID(rawValue: 1), source: EntrySource("/album", span: $0))
    }
    #expect(parts[1].isOfOneAlbum(with: parts[0], tags: tags[1], neighbours: tags[0]))
  }
}
