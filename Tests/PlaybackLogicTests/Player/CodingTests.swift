// SPDX-License-Identifier: MIT
@testable import PlaybackLogic
import AudioModel
import Testing

@Suite("How the current track is coded")
struct CodingTests {
  private static let flac = SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16)
  private static let mp3 = SoundCoding("MP3", rate: 48_000, channels: 2, bitRate: 320_000)

  private func playing() -> Deck {
    var deck = Deck(3)
    deck.order(.play)
    #expect(deck.player.coding == nil, "nothing is open yet")
    deck.sound(.opened(play: deck.loaded!.play, length: .seconds(100), coding: Self.flac))
    deck.sound(.heard(play: deck.loaded!.play))
    return deck
  }

  @Test("it is known once the track is open, and stays while it is paused, sought in and measured")
  func opened() {
    var deck = playing()
    deck.order(.pause)
    deck.order(.seekTo(.seconds(30)))
    #expect(deck.player.coding == Self.flac)
    deck.order(.play)
    deck.sound(.opened(play: deck.loaded!.play, length: .seconds(90)))
    #expect(deck.player.coding == Self.flac)
  }

  @Test("what is opened ahead counts when it is heard, and not before")
  func following() throws {
    var deck = playing()
    let next = try #require(deck.follower)
    deck.sound(.opened(play: next.play, length: .seconds(100), coding: Self.mp3))
    #expect(deck.player.coding == Self.flac)
    deck.sound(.heard(play: next.play))
    #expect(deck.row == 1 && deck.player.coding == Self.mp3)
  }

  @Test("another track has none until it is open itself")
  func other() {
    var deck = playing()
    deck.order(.next)
    #expect(deck.row == 1 && deck.player.coding == nil)
    deck.order(.stop)
    #expect(deck.player.coding == nil)
  }

  @Test("of a follower that was changed nothing is left")
  func changed() throws {
    var deck = playing()
    let next = try #require(deck.follower)
    deck.sound(.opened(play: next.play, length: .seconds(100), coding: Self.mp3))
    deck.edit { $0.remove([$0[1].id]) }
    let other = try #require(deck.follower)
    deck.sound(.heard(play: other.play))
    #expect(deck.row == 1 && deck.player.coding == nil)
  }
}
