// SPDX-License-Identifier: MIT
import FermataTestKit
import BusModel
import MediaModel
import PlaybackLogic

@testable import FaceModel

/// Faces to look at.
enum Faces {
  /// A track of which everything is known.
  static var fullItem: MediaItem {
    var item = MediaItem(location: .file("/music/Björk/50% #1?.flac"), artwork: "/art/1.png")
    item.tags.title = "Jóga"
    item.tags.artist = ["Björk", "Guest"]
    item.tags.album = "Homogenic"
    item.tags.albumArtist = ["Björk"]
    item.tags.composer = ["Björk", "Sjón"]
    item.tags.genre = ["Electronic"]
    item.tags.duration = .milliseconds(305_100)
    (item.tags.track, item.tags.trackCount, item.tags.disc, item.tags.discCount) = (2, 10, 1, 1)
    item.tags.date = MediaDate(text: "1997-09-22")
    item.tags.bpm = 96.6
    item.tags.comment = "a remark"
    item.tags.lyrics = "all that no-one sees"
    item.listening.rating = 4
    item.listening.playCount = 7
    item.listening.lastPlayed = 1_700_000_000
    return item
  }

  /// It plays, third of five.
  static var playing: PlayerFace {
    var face = PlayerFace()
    face.state = .playing
    face.entry = EntryID(rawValue: 42)
    face.item = fullItem
    face.artURL = "file:///art/1.png"
    (face.canGoNext, face.canGoPrevious, face.canPlay, face.canSeek) = (true, true, true, true)
    (face.queueLength, face.queueIndex) = (5, 2)
    return face
  }

  /// Any face, drawn so that neighbours often differ in little.
  static func mutated(_ face: PlayerFace, _ random: inout SeededGenerator) -> PlayerFace {
    var face = face
    let flip = Bool.random(using: &random)
    switch Int.random(in: 0..<18, using: &random) {
    case 0: face.state = PlaybackState.allCases.randomElement(using: &random) ?? .stopped
    case 1: face.entry = flip ? EntryID(rawValue: .random(in: 1...3, using: &random)) : nil
    case 2: face.item = flip ? fullItem : MediaItem(location: .file("/a.mp3"))
    case 3: face.item?.tags.title = flip ? "One" : nil
    case 4: face.artURL = flip ? "file:///art/2.png" : nil
    case 5: face.length = flip ? .seconds(Int.random(in: 0...3, using: &random)) : nil
    case 6: face.volume = [0, 0.5, 1].randomElement(using: &random) ?? 1
    case 7: face.repeatMode = RepeatMode.allCases.randomElement(using: &random) ?? .none
    case 8: face.shuffleMode = ShuffleMode.allCases.randomElement(using: &random) ?? .off
    case 9: face.canGoNext = flip
    case 10: face.canGoPrevious = flip
    case 11: face.canPlay = flip
    case 12: face.canSeek = flip
    case 13: (face.queueLength, face.queueIndex) = (.random(in: 0...9, using: &random), flip ? 1 : nil)
    case 14: face.interruptions = flip ? [.call] : []
    case 15: face.callers = flip ? ["phone"] : []
    case 16: (face.duckedFor, face.duckLevel) = (flip ? .call : nil, Bool.random(using: &random) ? 0.3 : nil)
    default:
      face.why =
        [.paused(by: .user), .interrupted(by: .call), .inaudible(.muted), nil][
          Int.random(in: 0..<4, using: &random)]
    }
    return face
  }
}
