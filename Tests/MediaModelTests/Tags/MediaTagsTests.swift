// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("Fields of a file as tags")
struct MediaTagsTests {
  private func tags(_ fields: KeyValuePairs<String, String>) -> MediaTags {
    var properties = TagProperties()
    for (name, value) in fields { properties.add(value, to: name) }
    return MediaTags(properties)
  }

  @Test("every property of an item has its field")
  func everyField() {
    let tags = tags([
      "title": "T", "Artist": "A", "ARTIST": "B", "ALBUM": "L", "ALBUMARTIST": "AA", "COMPOSER": "C",
      "GENRE": "Rock", "TRACKNUMBER": "3/12", "DISCNUMBER": "1", "TOTALDISCS": "2", "DATE": "1997-05",
      "BPM": "120", "COMMENT": "fine", "LYRICS": "la", "COMPILATION": "1", "ARTISTSORT": "A, The",
    ])
    #expect(tags.title == "T")
    #expect(tags.artist == ["A", "B"])
    #expect(tags.album == "L")
    #expect(tags.albumArtist == ["AA"])
    #expect(tags.composer == ["C"])
    #expect(tags.genre == ["Rock"])
    #expect((tags.track, tags.trackCount) == (3, 12))
    #expect((tags.disc, tags.discCount) == (1, 2))
    #expect(tags.date == MediaDate(year: 1997, month: 5))
    #expect(tags.bpm == 120)
    #expect(tags.comment == "fine")
    #expect(tags.lyrics == "la")
    #expect(tags.isCompilation)
    #expect(tags.mediaType == .music)
    #expect(tags.sort == SortNames(artist: "A, The"))
  }

  @Test("nothing known gives nothing known, and so does white space")
  func nothing() {
    #expect(tags([:]) == MediaTags())
    #expect(tags(["TITLE": " ", "ARTIST": "\0", "TRACKNUMBER": "x", "DATE": "soon"]) == MediaTags())
  }

  @Test("an artist who is named twice is one artist")
  func duplicates() {
    #expect(tags(["ARTIST": "A", "artist": " A"]).artist == ["A"])
  }

  @Test("what means nothing here takes no room, however much of it there is")
  func crowd() {
    var properties = TagProperties()
    for number in 0..<10_000 {
      properties.add("x", to: "FIELD\(number)")
      properties.add("\(number)", to: .artist)
    }
    properties.add("T", to: "TITLE")
    #expect(MediaTags(properties).title == "T")
    #expect(properties[.artist].count == TagProperties.mostValues)
  }

  @Test("a less trusted tag adds what is missing and no more")
  func filling() {
    var properties = TagProperties()
    properties.add("A", to: .artist)
    var others = TagProperties()
    others.add("B", to: .artist)
    others.add("L", to: "Album Artist")
    properties.fill(from: others)
    #expect(MediaTags(properties).artist == ["A"])
    #expect(MediaTags(properties).albumArtist == ["L"])
  }

  @Test("a podcast and an audiobook are known by mark or genre")
  func mediaTypes() {
    #expect(tags(["PODCAST": ""]).mediaType == .podcast)
    #expect(tags(["PODCAST": "0"]).mediaType == .music && tags(["PODCAST": "No"]).mediaType == .music)
    #expect(tags(["GENRE": "Podcast"]).mediaType == .podcast)
    #expect(tags(["GENRE": "Audiobook"]).mediaType == .audiobook)
  }

  @Test("loudness comes in decibels towards -18 LUFS from either convention")
  func loudness() {
    let replayGain = tags([
      "REPLAYGAIN_TRACK_GAIN": "-6.5 dB", "REPLAYGAIN_TRACK_PEAK": "0.9", "REPLAYGAIN_ALBUM_GAIN": "-7 dB",
      "REPLAYGAIN_ALBUM_PEAK": "1.0",
    ])
    #expect(replayGain.loudness == Loudness(trackGain: -6.5, trackPeak: 0.9, albumGain: -7, albumPeak: 1))
    let opus = tags(["R128_TRACK_GAIN": "-2944", "R128_ALBUM_GAIN": "256"])
    #expect(opus.loudness == Loudness(trackGain: -6.5, albumGain: 6))
    #expect(tags(["R128_TRACK_GAIN": "40000"]).loudness == Loudness())
  }
}
