// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("Dates of tags")
struct MediaDateTests {
  @Test(
    "a date is read as precisely as it is written",
    arguments: [
      ("1997", "1997"), ("1997-05", "1997-05"), ("1997-05-20", "1997-05-20"), ("19970520", "1997-05-20"),
      ("1997/05/20", "1997-05-20"), ("1997-00-00", "1997"), ("1997-05-00", "1997-05"), (" 1997 ", "1997"),
      ("1997-13-01", "1997"), ("1997-02-30", "1997-02"), ("2000-02-29", "2000-02-29"),
      ("1900-02-29", "1900-02"),
      ("2004-05-06T07:08", "2004-05-06T07:08:00"), ("2004-05-06 07:08:09", "2004-05-06T07:08:09"),
      ("2004-05-06T07:08:09Z", "2004-05-06T07:08:09Z"), ("2004-05-06T07:08:09+00:00", "2004-05-06T07:08:09Z"),
      ("2004-05-06T07:08:09.25+02:00", "2004-05-06T07:08:09+02:00"),
      ("2004-05-06T07:08:09-0330", "2004-05-06T07:08:09-03:30"), ("2004-05-06T25:00", "2004-05-06"),
      ("0850", "0850"), ("1997 (remaster)", "1997"), ("May 1997", "1997-05"),
      ("Oct 3, 1995", "1995-10-03"), ("3rd October 1995", "1995-10-03"), ("Sept. 30 1995", "1995-09-30"),
      ("08-05-1998", "1998"), ("25-12-1998", "1998-12-25"), ("12/25/1998", "1998-12-25"),
      ("08.05.1998", "1998-05-08"), ("08-00-1998", "1998"), ("Feb 30, 1998", "1998-02"), ("ca. 1950", "1950"),
      ("(1997)", "1997"), ("[1997]", "1997"), ("℗1997", "1997"), ("℗ 1997 Blue Note", "1997"),
      ("c1967", "1967"),
      ("1997-5-3", "1997-05-03"), ("1997/5", "1997-05"), ("05/1997", "1997-05"), ("12 Inch 1997", "1997"),
    ])
  func reading(text: String, date: String) {
    #expect(MediaDate(text: text)?.description == date)
  }

  @Test("what has no year is no date", arguments: ["", "97", "0000", "May 97", "not 19971", "-1997", "١٩٩٧"])
  func refused(text: String) {
    #expect(MediaDate(text: text) == nil)
  }

  @Test("what is printed reads back as the same date")
  func roundTrip() throws {
    for text in [
      "1997", "1997-05", "1997-05-20", "2004-05-06T07:08:09", "2004-05-06T07:08:09Z",
      "2004-05-06T07:08:09-03:30",
    ] {
      let date = try #require(MediaDate(text: text))
      #expect(MediaDate(text: date.description) == date && MediaDate(exactly: text) == date)
    }
  }

  @Test("fractions of a second, which programs print, are read over")
  func fractions() {
    #expect(MediaDate(exactly: "2026-11-29T22:29:59.123Z")?.description == "2026-11-29T22:29:59Z")
    #expect(MediaDate(exactly: "2026-11-29T22:29:59.Z") == nil)
  }

  @Test(
    "what is not written exactly as it is printed is no exact date",
    arguments: [
      "2026-3-1", "05/06/2026", "1997x", "1997-02-30", "1997-13", "19970520", "1997 ", "2026-07-02T20:00:75",
      "2026-07-02T20:00:", "2026-07-02T20:00+", "2026-07-02T20:00+99:99",
      "2026-01-02T7", "",
    ])
  func inexact(text: String) {
    #expect(MediaDate(exactly: text) == nil)
  }
}
