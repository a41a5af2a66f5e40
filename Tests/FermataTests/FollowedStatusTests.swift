// SPDX-License-Identifier: MIT
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
  }
}
