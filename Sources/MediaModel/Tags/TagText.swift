// SPDX-License-Identifier: MIT

/// Converts the texts of tags into values. A text that makes no sense becomes nil, because anybody may have written the tag.
package enum TagText {
  /// The text of bytes in Windows-1252. It has all letters of Latin-1, and what Latin-1 leaves to control characters, which no text has: so it reads
  /// both.
  package static func windows1252(_ bytes: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(bytes.map { windowsOnly[$0] ?? Unicode.Scalar($0) }))
  }

  /// The letters that Windows-1252 has and Latin-1 has not.
  private static let windowsOnly: [UInt8: Unicode.Scalar] = [
    0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ", 0x89: "‰",
    0x8a: "Š", 0x8b: "‹", 0x8c: "Œ", 0x8e: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•",
    0x96: "–", 0x97: "—", 0x98: "˜", 0x99: "™", 0x9a: "š", 0x9b: "›", 0x9c: "œ", 0x9e: "ž", 0x9f: "Ÿ",
  ]

  /// A number and a total: `3`, `03`, `3.`, `3/12`, `3 of 12`, `/12`. Zero means "not known".
  package static func position(_ text: String) -> (number: Int?, count: Int?) {
    let words = trimmed(text).split(separator: " ")
    if words.count == 3, words[1].lowercased() == "of" { return (ordinal(words[0]), ordinal(words[2])) }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return (ordinal(parts[0]), parts.count > 1 ? ordinal(parts[1]) : nil)
  }

  /// A gain such as `-6.54 dB`, in decibels; a decimal comma is accepted.
  package static func gain(_ text: String) -> Float? {
    var number = trimmed(text)[...]
    if number.lowercased().hasSuffix("db") { number = number.dropLast(2) }
    guard let value = decimal(number), abs(value) <= 100 else { return nil }
    return Float(value)
  }

  /// A peak; 1 is full scale. Somewhat more is accepted, because decoders overshoot.
  package static func peak(_ text: String) -> Float? {
    guard let value = decimal(text[...]), value > 0, value <= 32 else { return nil }
    return Float(value)
  }

  /// A gain from an Opus file, in decibels. It is written in 256ths of a decibel for a reference of -23 LUFS, which is 5 dB below that of `Loudness`.
  package static func r128Gain(_ text: String) -> Float? { Int16(trimmed(text)).map { Float($0) / 256 + 5 } }

  /// Beats per minute, with or without a unit after the number: `128`, `128 BPM`.
  package static func bpm(_ text: String) -> Double? {
    var number = trimmed(text)[...]
    if number.lowercased().hasSuffix("bpm") { number = number.dropLast(3) }
    guard let value = decimal(number), value > 0, value <= 1_000 else { return nil }
    return value
  }

  /// Whether the text says yes: `1`, `true` or `yes`. Anything else means no.
  package static func flag(_ text: String) -> Bool {
    ["1", "true", "yes"].contains(trimmed(text).lowercased())
  }

  /// The trimmed text; nil if it is empty.
  package static func words(_ text: String) -> String? {
    let words = trimmed(text)
    return words.isEmpty ? nil : words
  }

  /// The text without white space and NULs around it.
  package static func trimmed(_ text: String) -> String {
    func isPadding(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\0" }
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isPadding($0) }),
      let end = scalars.lastIndex(where: { !isPadding($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  /// The text with each letter and its accents in one scalar where there is such a one, as most programs write them. macOS's write them apart, and then
  /// one artist would stand in the list twice.
  package static func composed(_ text: String) -> String {
    // Combining accents and the parts of Hangul begin with greater bytes than Latin letters.
    guard text.utf8.contains(where: { $0 >= 0xCC }), text.unicodeScalars.contains(where: isPart) else {
      return text
    }
    var scalars = String.UnicodeScalarView()
    for letter in text { scalars.append(contentsOf: composed(letter)) }
    return String(scalars)
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36F, 0x3099, 0x309A, 0x1161...0x11C2: true
    default: false
    }
  }

  private static func composed(_ letter: Character) -> [Unicode.Scalar] {
    let scalars = Array(letter.unicodeScalars)
    // Of a letter with three accents there may be one with two of them.
    for count in stride(from: min(scalars.count, 4), through: 2, by: -1) {
      let part = Character(String(String.UnicodeScalarView(scalars[..<count])))
      if let whole = composedLetters[part] ?? syllable(scalars[..<count]) {
        return [whole] + scalars[count...]
      }
    }
    return scalars
  }

  /// The letters with accents of Latin, Greek and Cyrillic, and those of Japanese, each in one scalar. Swift takes a letter and an accent for equal to
  /// that, so they are found here.
  private static let composedLetters: [Character: Unicode.Scalar] = {
    let blocks: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x4FF, 0x1E00...0x1FFF, 0x3040...0x30FF,
    ]
    let letters = blocks.joined().compactMap(Unicode.Scalar.init).map { (Character($0), $0) }
    return Dictionary(letters) { first, _ in first }
  }()

  /// The Korean syllable of these two or three parts; nil for other scalars.
  private static func syllable(_ parts: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
    let values = parts.map(\.value)
    guard (0x1100...0x1112).contains(values[0]), (0x1161...0x1175).contains(values[1]) else { return nil }
    let open = 0xAC00 + ((values[0] - 0x1100) * 21 + values[1] - 0x1161) * 28
    guard values.count > 2 else { return Unicode.Scalar(open) }
    guard values.count == 3, (0x11A8...0x11C2).contains(values[2]) else { return nil }
    return Unicode.Scalar(open + values[2] - 0x11A7)
  }

  private static func ordinal(_ text: Substring) -> Int? {
    let word = trimmed(String(text))
    guard let number = Int(word.hasSuffix(".") ? word.dropLast() : word[...]), (1...99_999).contains(number)
    else { return nil }
    return number
  }

  private static func decimal(_ text: Substring) -> Double? {
    let number = trimmed(String(text))
    let isPlain = number.utf8.allSatisfy { "+-.,0123456789eE".utf8.contains($0) }
    guard isPlain, let value = Double(String(number.map { $0 == "," ? "." : $0 })) else { return nil }
    return value.isFinite ? value : nil
  }
}

/// Genres as ID3 writes them: by a number in a standard list, in words, or both.
package enum ID3Genre {
  /// The genre with this number in ID3's list of genres; nil if the list is shorter.
  package static func name(_ number: Int) -> String? {
    names.indices.contains(number) ? names[number] : nil
  }

  /// The genres in one text of an ID3 tag: `17`, `(17)`, `(17)(31)`, `(4)Eurodisco`, `RX`, `(CR)`, `Folk`. A text that begins with a bracket has it
  /// twice: `((Text)`.
  package static func names(in text: String) -> [String] {
    var rest = (TagText.words(text) ?? "")[...]
    var found: [String] = []
    while rest.hasPrefix("("), !rest.hasPrefix("(("), let end = rest.firstIndex(of: ")") {
      let code = rest[rest.index(after: rest.startIndex)..<end]
      guard let meaning = meaning(code) else { break }
      if !meaning.isEmpty { found.append(meaning) }
      rest = rest[rest.index(after: end)...]
    }
    if rest.hasPrefix("((") { rest = rest.dropFirst() }
    let last = meaning(rest) ?? String(rest)
    return last.isEmpty || found.contains(last) ? found : found + [last]
  }

  /// The genre for a code: an empty text for 255, which means no genre; nil if this is not a code.
  private static func meaning(_ code: Substring) -> String? {
    switch code {
    case "RX": return "Remix"
    case "CR": return "Cover"
    default:
      guard code.utf8.count <= 3, code.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(code)
      else { return nil }
      return name(number) ?? (number == 255 ? "" : nil)
    }
  }

  private static let names = [
    "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal",
    "New Age", "Oldies", "Other", "Pop", "R&B", "Rap", "Reggae", "Rock", "Techno", "Industrial",
    "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack", "Euro-Techno", "Ambient", "Trip-Hop",
    "Vocal", "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental", "Acid", "House", "Game",
    "Sound Clip", "Gospel", "Noise", "Alternative Rock", "Bass", "Soul", "Punk", "Space", "Meditative",
    "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave", "Techno-Industrial",
    "Electronic", "Pop-Folk", "Eurodance", "Dream", "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40",
    "Christian Rap", "Pop/Funk", "Jungle", "Native American", "Cabaret", "New Wave", "Psychedelic", "Rave",
    "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro", "Musical",
    "Rock & Roll", "Hard Rock", "Folk", "Folk-Rock", "National Folk", "Swing", "Fast Fusion", "Bebop",
    "Latin", "Revival", "Celtic", "Bluegrass", "Avantgarde", "Gothic Rock", "Progressive Rock",
    "Psychedelic Rock", "Symphonic Rock", "Slow Rock", "Big Band", "Chorus", "Easy Listening", "Acoustic",
    "Humour", "Speech", "Chanson", "Opera", "Chamber Music", "Sonata", "Symphony", "Booty Bass", "Primus",
    "Porn Groove", "Satire", "Slow Jam", "Club", "Tango", "Samba", "Folklore", "Ballad", "Power Ballad",
    "Rhythmic Soul", "Freestyle", "Duet", "Punk Rock", "Drum Solo", "A Cappella", "Euro-House",
    "Dance Hall", "Goa", "Drum & Bass", "Club-House", "Hardcore", "Terror", "Indie", "Britpop", "Afro-Punk",
    "Polsk Punk", "Beat", "Christian Gangsta Rap", "Heavy Metal", "Black Metal", "Crossover",
    "Contemporary Christian", "Christian Rock", "Merengue", "Salsa", "Thrash Metal", "Anime", "J-Pop",
    "Synthpop", "Abstract", "Art Rock", "Baroque", "Bhangra", "Big Beat", "Breakbeat", "Chillout",
    "Downtempo", "Dub", "EBM", "Eclectic", "Electro", "Electroclash", "Emo", "Experimental", "Garage",
    "Global", "IDM", "Illbient", "Industro-Goth", "Jam Band", "Krautrock", "Leftfield", "Lounge",
    "Math Rock", "New Romantic", "Nu-Breakz", "Post-Punk", "Post-Rock", "Psytrance", "Shoegaze",
    "Space Rock", "Trop Rock", "World Music", "Neoclassical", "Audiobook", "Audio Theatre",
    "Neue Deutsche Welle", "Podcast", "Indie Rock", "G-Funk", "Dubstep", "Garage Rock", "Psybient",
  ]
}
