// SPDX-License-Identifier: MIT
import BusModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("Entries as object paths")
struct TrackPathTests {
  @Test("an entry's path leads back to it", arguments: [1, 7, UInt64.max])
  func round(number: UInt64) {
    let entry = EntryID(rawValue: number)
    #expect(TrackPath.path(of: entry).text == "/org/fermata/Entry/\(number)")
    #expect(TrackPath.entry(at: TrackPath.path(of: entry)) == entry)
  }

  @Test("no other path leads anywhere")
  func foreign() {
    let paths: [ObjectPath] = [
      "/", "/org/fermata/Entry", "/org/fermata/Entry/0", "/org/fermata/Entry/01", "/org/fermata/Entry/x",
      "/org/fermata/Entry/1/2", "/org/fermata/Entry/18446744073709551616", "/org/fermata/Entries/1",
      "/org/mpris/MediaPlayer2/TrackList/NoTrack", "/org/mpris/MediaPlayer2/1",
    ]
    for path in paths { #expect(TrackPath.entry(at: path) == nil, "\(path)") }
    #expect(ObjectPath.allows(TrackPath.path(of: nil).text.utf8))
  }
}
