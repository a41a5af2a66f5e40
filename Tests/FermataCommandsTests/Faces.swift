// SPDX-License-Identifier: MIT
import FaceModel
import MediaModel
import PlaybackLogic

/// What an agent has to show.
enum Faces {
  private static var known: MediaItem {
    var item = MediaItem(location: .file("/music/Björk/Jóga.flac"))
    item.tags.title = "Jóga"
    item.tags.artist = ["Björk", "Guest"]
    item.tags.album = "Homogenic"
    item.tags.duration = .milliseconds(305_100)
    item.tags.track = 2
    return item
  }

  private static var wide: MediaItem {
    var item = MediaItem(location: .file("/music/01.mp3"))
    item.tags.title = "夜に駆ける \u{1B}[31m"
    item.tags.albumArtist = ["YOASOBI"]
    item.tags.duration = .seconds(3723)
    return item
  }

  /// A queue of three: a track with wide letters, the current one, and one that is gone.
  static var items: [ItemFace] {
    [
      ItemFace(wide, entry: EntryID(rawValue: 10)),
      ItemFace(known, entry: EntryID(rawValue: 11), isCurrent: true),
      ItemFace(
        MediaItem(location: .file("/music/Lost.mp3")), entry: EntryID(rawValue: 12), isMissing: true),
    ]
  }

  /// The second of them plays.
  static var playing: PlayerFace {
    var face = PlayerFace()
    face.state = .playing
    face.entry = EntryID(rawValue: 11)
    face.item = known
    face.volume = 0.8
    (face.queueLength, face.queueIndex) = (3, 1)
    return face
  }
}
