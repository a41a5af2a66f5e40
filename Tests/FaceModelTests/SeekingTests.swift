// SPDX-License-Identifier: MIT
import FaceModel
import MediaModel
import PlaybackLogic
import Testing

@Suite("Seeking in what is not open yet")
struct SeekingTests {
  private func face(opened: Duration?, tagged: Duration?, canGoNext: Bool = true) -> PlayerFace {
    var face = PlayerFace()
    var item = MediaItem(location: .file("/a.flac"))
    item.tags.duration = tagged
    (face.item, face.length, face.canGoNext) = (item, opened, canGoNext)
    return face
  }

  @Test(
    "beyond the length of the tags is the next track, or the end of the last one; an open track is left to the player"
  )
  func beyond() {
    let closed = face(opened: nil, tagged: .seconds(20))
    #expect(closed.meant(by: .seekTo(.seconds(300)), at: .zero) == .next)
    #expect(closed.meant(by: .seek(.seconds(15)), at: .seconds(5)) == .next)
    #expect(closed.meant(by: .seek(.seconds(15)), at: .zero) == .seek(.seconds(15)))
    #expect(closed.meant(by: .seekTo(.seconds(19)), at: .zero) == .seekTo(.seconds(19)))
    #expect(closed.meant(by: .pause, at: .seconds(90)) == .pause)
    let last = face(opened: nil, tagged: .seconds(20), canGoNext: false)
    #expect(last.meant(by: .seekTo(.seconds(300)), at: .zero) == .seekTo(.seconds(20)))
    for other in [face(opened: .seconds(25), tagged: .seconds(20)), face(opened: nil, tagged: nil)] {
      #expect(other.meant(by: .seekTo(.seconds(300)), at: .zero) == .seekTo(.seconds(300)))
    }
  }
}
