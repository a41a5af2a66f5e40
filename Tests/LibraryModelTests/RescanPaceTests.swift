// SPDX-License-Identifier: MIT
import LibraryModel
import Testing

@Suite("When changed folders are scanned again")
struct RescanPaceTests {
  @Test("a burst of changes is one scan, when it is over")
  func burst() {
    var pace = RescanPace()
    #expect(pace.due == nil)
    for second in 100..<110 { pace.changed(at: .seconds(second)) }
    #expect(pace.due == .seconds(111))
    pace.began()
    #expect(pace.due == nil)
  }

  @Test("changes without an end are scanned after half a minute")
  func endless() {
    var pace = RescanPace()
    for second in 100..<200 { pace.changed(at: .seconds(second)) }
    #expect(pace.due == .seconds(130))
  }

  @Test("a long scan is followed by a longer pause")
  func pause() {
    var pace = RescanPace()
    pace.changed(at: .seconds(100))
    pace.began()
    pace.ended(after: .seconds(3), at: .seconds(110))
    pace.changed(at: .seconds(111))
    #expect(pace.due == .seconds(170))
    pace.began()
    pace.ended(after: .milliseconds(40), at: .seconds(170))
    pace.changed(at: .seconds(171))
    #expect(pace.due == .seconds(175))
  }
}
