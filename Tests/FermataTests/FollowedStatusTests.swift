// SPDX-License-Identifier: MIT
import FaceModel
import MediaModel
import PlaybackLogic
import Testing

@testable import Fermata

@Suite("A status that follows the agent's reports")
struct FollowedStatusTests {
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
