// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic
import Testing

@Suite("When a track is announced")
struct TrackAnnouncementTests {
  private static let (one, two) = (EntryID(rawValue: 1), EntryID(rawValue: 2))

  /// What is the case, and what is done about it; nil for a moment at which the wait for tags is over.
  private typealias Moment = (
    entry: EntryID?, awaitsSound: Bool, isReading: Bool, step: TrackAnnouncement.Step
  )?

  private static let rows: [(name: String, moments: [Moment])] = [
    (
      "heard, with its tags: once",
      [
        (one, true, false, .nothing), (one, false, false, .announce), (one, false, false, .nothing),
        (one, false, true, .nothing),
      ]
    ),
    ("paused, so it will not be heard", [(one, false, false, .announce)]),
    (
      "heard before its tags are read",
      [(one, false, true, .wait), (one, false, true, .nothing), (one, false, false, .announce)]
    ),
    ("its tags do not come", [(one, false, true, .wait), nil, (one, false, true, .announce)]),
    (
      "never heard, as it can't be played: passed over",
      [(one, true, false, .nothing), (two, true, false, .nothing), (two, false, false, .announce)]
    ),
    (
      "another one comes while its tags are waited for",
      [(one, false, true, .wait), (two, false, true, .wait), nil, (two, false, true, .announce)]
    ),
    (
      "none is left",
      [(one, false, false, .announce), (nil, false, false, .announce), (nil, false, false, .nothing)]
    ),
    (
      "it comes again after one that was not heard: told with its place, when it is heard",
      [
        (one, false, false, .announce), (two, true, false, .nothing), (one, true, false, .nothing),
        (one, false, false, .tellPlace), (one, false, false, .nothing),
      ]
    ),
    (
      "or after one whose tags were waited for",
      [(one, false, false, .announce), (two, false, true, .wait), (one, false, true, .tellPlace)]
    ),
    (
      "it comes again after another one",
      [(one, false, false, .announce), (two, false, false, .announce), (one, false, false, .announce)]
    ),
  ]

  @Test("every row of the table comes out as it says", arguments: rows.indices)
  func row(number: Int) {
    var announcement = TrackAnnouncement(announced: nil)
    let row = Self.rows[number]
    for (index, moment) in row.moments.enumerated() {
      guard let moment else {
        #expect(announcement.isWaiting, "\(row.name), moment \(index)")
        announcement.stopWaiting()
        continue
      }
      let step = announcement.step(moment.entry, awaitsSound: moment.awaitsSound, isReading: moment.isReading)
      #expect(step == moment.step, "\(row.name), moment \(index)")
    }
    #expect(!announcement.isWaiting, "\(row.name)")
  }

  @Test("what was current at the beginning is not announced")
  func beginning() {
    var announcement = TrackAnnouncement(announced: Self.one)
    #expect(announcement.step(Self.one, awaitsSound: false, isReading: false) == .nothing)
  }
}
