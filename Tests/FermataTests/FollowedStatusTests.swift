// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic
import Testing

@testable import Fermata

@Suite("A status that follows the agent's reports")
struct FollowedStatusTests {
  @Test("the position moves once a track is announced, and is the beginning after a stop")
  func position() {
    var status = PlayerStatus(StatusFace(PlayerFace(), position: .zero), at: .zero)
    func position(at second: Int) -> Duration { status.place.position(at: .seconds(second)) }
    status.follow(.state(.playing, why: nil), at: .seconds(1))
    #expect(position(at: 2) == .zero)
    var face = PlayerFace()
    (face.entry, face.state) = (EntryID(rawValue: 1), .playing)
    face.item = MediaModel.MediaItem(location: .file("/song.flac"))
    status.follow(.nowPlaying(ItemFace(current: face)), at: .seconds(2))
    #expect(position(at: 2) == .zero && position(at: 5) == .seconds(3))
    status.follow(.seeked(.seconds(40)), at: .seconds(5))
    #expect(position(at: 7) == .seconds(42))
    status.follow(.state(.stopped, why: nil), at: .seconds(7))
    #expect(position(at: 9) == .zero)
    status.follow(.state(.playing, why: nil), at: .seconds(9))
    #expect(position(at: 10) == .seconds(1))
  }

  @Test("the track that plays keeps its lyrics, which rows are told without")
  func lyrics() throws {
    var face = PlayerFace()
    face.entry = EntryID(rawValue: 1)
    face.item = MediaModel.MediaItem(location: .file("/song.flac"))
    face.item?.tags.lyrics = "la la"
    var status = PlayerStatus(StatusFace(face, position: .zero), at: .zero)
    var row = try #require(ItemFace(current: face))
    (row.item.tags.lyrics, row.item.tags.title) = (nil, "Song")
    status.follow(.itemsChanged([row]), at: .zero)
    #expect(status.nowPlaying?.item.title == "Song" && status.nowPlaying?.item.lyrics == "la la")
    // The list has gone on to the next row while this one is still heard.
    row.isCurrent = false
    status.follow(.itemsChanged([row]), at: .zero)
    #expect(status.nowPlaying?.isCurrent == true)
  }

  @Test("why it is silent is said in words, as far as it is known who and what it was")
  func explanation() throws {
    var status = PlayerStatus(StatusFace(PlayerFace(), position: .zero), at: .zero)
    #expect(status.explanation == "stopped")
    status.follow(.state(.playing, why: nil), at: .zero)
    let jack = try #require(
      RouteFace(
        wire: .properties([
          ("sink", .string("alsa")), ("port", .string("analog-output-headphones")),
          ("portType", .string("headphones")),
        ])))
    status.follow(.routeChange(.oldDeviceUnavailable, previous: jack, current: nil, paused: true), at: .zero)
    status.follow(.state(.paused, why: "route"), at: .zero)
    #expect(status.explanation == "paused: the headphones were unplugged")
    #expect(status.lostRoute?.portType == "headphones")
    status.follow(.state(.interrupted, why: "call"), at: .zero)
    status.follow(.callers(["Phone"]), at: .zero)
    #expect(status.explanation == "interrupted by a call: Phone" && status.lostRoute == nil)
    status.follow(.state(.playing, why: "muted"), at: .zero)
    #expect(status.explanation == "playing, but muted")
  }
}
