// SPDX-License-Identifier: MIT
import MediaModel
import PlaybackLogic
import Testing

@Suite("Loudness")
struct LoudnessTests {
  private let tags = Loudness(trackGain: -6, trackPeak: 0.9, albumGain: -12, albumPeak: 1)

  private func settings(_ mode: LoudnessSettings.Mode) -> LoudnessSettings {
    var settings = LoudnessSettings()
    settings.mode = mode
    return settings
  }

  private func decibels(_ factor: Float) -> Float {
    // Within what a hundredth of a decibel makes.
    let table: [(Float, Float)] = [
      (1, 0), (0.501_187, -6), (0.251_189, -12), (1.995_262, 6), (0.707_946, -3),
    ]
    return table.first { abs($0.0 - factor) < 0.000_5 }?.1 ?? .nan
  }

  @Test(
    "whose gain is applied follows from the mode and the neighbours",
    arguments: [
      (LoudnessSettings.Mode.off, true, Float(0)), (.track, true, -6), (.album, false, -12),
      (.automatic, true, -12),
      (.automatic, false, -6),
    ])
  func modes(mode: LoudnessSettings.Mode, besideItsAlbum: Bool, expected: Float) {
    #expect(decibels(settings(mode).factor(for: tags, besideItsAlbum: besideItsAlbum)) == expected)
  }

  @Test("where one of the gains is not known the other one stands in, and where none is nothing is changed")
  func missing() {
    let track = Loudness(trackGain: -6)
    let album = Loudness(albumGain: -12)
    #expect(decibels(settings(.album).factor(for: track, besideItsAlbum: true)) == -6)
    #expect(decibels(settings(.track).factor(for: album, besideItsAlbum: false)) == -12)
    #expect(settings(.automatic).factor(for: Loudness(), besideItsAlbum: true) == 1)
  }

  @Test("the pre-amplifier is added, and clipping is prevented by the peak unless that is not wanted")
  func clipping() {
    var loud = settings(.track)
    loud.preamp = 12
    #expect(abs(loud.factor(for: tags, besideItsAlbum: false) - 1 / 0.9) < 0.001)
    loud.preventsClipping = false
    #expect(decibels(loud.factor(for: tags, besideItsAlbum: false)) == 6)
    #expect(settings(.track).factor(for: Loudness(trackGain: -6, trackPeak: 0), besideItsAlbum: false) < 1)
    let half = Loudness(trackGain: -2, trackPeak: 1, albumGain: 8)
    #expect(settings(.album).factor(for: half, besideItsAlbum: false) == 1, "the other peak counts")
  }

  @Test(
    "tags that cannot be meant hurt nobody", arguments: [Float.infinity, -.infinity, .nan, 1_000, -1_000])
  func nonsense(gain: Float) {
    let factor = settings(.track).factor(
      for: Loudness(trackGain: gain, trackPeak: gain), besideItsAlbum: false)
    #expect(factor.isFinite && factor > 0 && factor <= 10)
  }

  @Test("an entry is beside its album when the one before or after it is of the same")
  func neighbours() throws {
    var queue = PlayQueue(seed: 1)
    let albums = [1, 1, 2, 3, 3].map { AlbumKey(rawValue: $0) }
    _ = queue.append(albums.map { EntrySource("/music/\($0.rawValue)", album: $0) })
    _ = queue.append([EntrySource("/music/unknown"), EntrySource("/music/unknown")])
    _ = queue.start()
    var found: [Bool] = []
    for _ in 0..<queue.count {
      found.append(queue.isBesideItsAlbum(try #require(queue.current)))
      _ = queue.skipToNext()
    }
    #expect(found == [true, true, false, true, true, false, false])
    let last = try #require(queue.current)
    _ = queue.jump(to: queue[3].id)
    #expect(queue.isBesideItsAlbum(queue[4].id))
    #expect(!queue.isBesideItsAlbum(last))
    _ = queue.setShuffle(.chosen(.songs))
    #expect(queue.entries(at: 0..<queue.count).allSatisfy { !queue.isBesideItsAlbum($0.id) })
  }

  @Test("the first of the next round is beside its album too", arguments: [ShuffleMode.off, .albums])
  func nextRound(shuffle: ShuffleMode) throws {
    var queue = PlayQueue(seed: 1, repeat: .all)
    let albums = [1, 1, 2, 2].map { AlbumKey(rawValue: $0) }
    _ = queue.append(albums.map { EntrySource("/music/\($0.rawValue)", album: $0) })
    _ = queue.setShuffle(.chosen(shuffle))
    _ = queue.start()
    for _ in 0..<9 {
      let following = try #require(queue.following)
      #expect(queue.isBesideItsAlbum(following))
      _ = queue.advance()
    }
  }

  @Test("what waits is beside its album as soon as the next of it is added")
  func neighboursCome() {
    var deck = Deck(1)
    let album = AlbumKey(rawValue: 1)
    deck.edit { $0.append([EntrySource("/music/a", album: album)]) }
    deck.order(.play)
    #expect(deck.follower?.isBesideItsAlbum == false)
    deck.edit { $0.append([EntrySource("/music/b", album: album)]) }
    #expect(deck.follower?.isBesideItsAlbum == true)
    deck.order(.next)
    #expect(deck.loaded?.isBesideItsAlbum == true)
  }

  @Test("what an entry's neighbours were when its turn came counts for as long as it plays")
  func neighboursLeave() throws {
    let albums = [1, 1, 2].map { AlbumKey(rawValue: $0) }
    var deck = Deck(0)
    deck.edit { $0.append(albums.map { EntrySource("/music/\($0.rawValue)", album: $0) }) }
    deck.edit { $0.setConsume(true) }
    deck.order(.play)
    #expect(deck.loaded?.isBesideItsAlbum == true)
    // Next takes the album's first track out of the queue.
    deck.order(.next)
    #expect(deck.loaded?.isBesideItsAlbum == true && deck.player.queue.count == 2)
    deck.order(.seekTo(.seconds(30)))
    #expect(deck.loaded?.start == .seconds(30) && deck.loaded?.isBesideItsAlbum == true)
    deck.order(.next)
    #expect(deck.loaded?.isBesideItsAlbum == false)
  }
}
