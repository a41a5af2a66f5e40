// SPDX-License-Identifier: MIT

/// Makes texts equal that people consider equal when they search: capitals become small letters, accents are removed, and typographic quotes and
/// dashes become those of a keyboard.
///
/// Combining marks are removed, and each letter becomes a small one. If the table below has that letter, its entry replaces it. So a text in composed
/// and one in decomposed form fold alike. The table has the accented letters of Latin, Greek and Cyrillic. Other scripts keep their marks, because
/// there a mark often makes another letter; but a letter and its mark become one character where Unicode has one for both.
///
/// Stored texts and searched words both go through this function. So if it changes, the library's tables need a new version.
package enum TextFolding {
  package static func fold(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }

  /// The folded text's UTF-8.
  package static func bytes(_ text: String) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.utf8.count)
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      for byte in text.utf8 { folded.append(small(byte)) }
    } else {
      for scalar in text.unicodeScalars { append(scalar, to: &folded) }
      folded = LetterParts.joined(folded)
    }
    return folded
  }

  /// The words of a search: folded, and split at white space. Each has to be found, but not next to each other.
  package static func words(_ text: String) -> [String] {
    fold(text).unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
  }

  /// A capital letter of ASCII as a small one; any other byte as it is.
  static func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
    if scalar.isASCII {
      folded.append(small(UInt8(truncatingIfNeeded: scalar.value)))
    } else if scalar.value == 0xa0 {
      folded.append(UInt8(ascii: " "))
    } else if !isMark(scalar) {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isMark(lower) {
        if let plain = table[lower.value] {
          folded += plain
        } else {
          folded += UTF8.encode(lower).map(Array.init) ?? []
        }
      }
    }
  }

  /// Whether this is an accent that is a character of its own. Only the blocks count that have accents for Latin, Greek and Cyrillic letters.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x300...0x36f, 0x1ab0...0x1aff, 0x1dc0...0x1dff, 0x20d0...0x20ff: true
    default: false
    }
  }

  private static let table: [UInt32: [UInt8]] = {
    var table: [UInt32: [UInt8]] = [:]
    for (plain, marked) in letters {
      for scalar in marked.unicodeScalars where !isMark(scalar) { table[scalar.value] = Array(plain.utf8) }
    }
    return table
  }()

  /// A plain letter, and the small letters that are replaced by it.
  private static let letters: [(plain: String, marked: String)] = [
    ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ("b", "ḃḅḇƀ"),
    ("c", "çćĉċčḉ"),
    ("d", "ďḋḍḏḑḓđð"),
    ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"),
    ("f", "ḟ"),
    ("g", "ĝğġģǧǵḡǥ"),
    ("h", "ĥȟḣḥḧḩḫẖħ"),
    ("i", "ìíîïĩīĭįǐȉȋḭḯỉịı"),
    ("j", "ĵǰ"),
    ("k", "ķǩḱḳḵĸ"),
    ("l", "ĺļľḷḹḻḽł"),
    ("m", "ḿṁṃ"),
    ("n", "ñńņňǹṅṇṉṋ"),
    ("o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ"),
    ("p", "ṕṗ"),
    ("r", "ŕŗřȑȓṙṛṝṟ"),
    ("s", "śŝşšșṡṣṥṧṩſẛ"),
    ("t", "ţťțṫṭṯṱẗŧ"),
    ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựʉ"),
    ("v", "ṽṿ"),
    ("w", "ŵẁẃẅẇẉẘ"),
    ("x", "ẋẍ"),
    ("y", "ýÿŷȳẏẙỳỵỷỹ"),
    ("z", "źżžẑẓẕƶ"),
    ("ʒ", "ǯ"),
    ("α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"),
    ("ε", "έἐἑἒἓἔἕὲέ"),
    ("η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"),
    ("ι", "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ"),
    ("ο", "όὀὁὂὃὄὅὸό"),
    ("ρ", "ῤῥ"),
    ("σ", "ς"),
    ("υ", "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"),
    ("ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"),
    ("ϒ", "ϓϔ"),
    ("а", "ӑӓ"),
    ("г", "ѓ"),
    ("е", "ѐёӗ"),
    ("ж", "ӂӝ"),
    ("з", "ӟ"),
    ("и", "йѝӣӥ"),
    ("к", "ќ"),
    ("о", "ӧ"),
    ("у", "ўӯӱӳ"),
    ("ч", "ӵ"),
    ("ы", "ӹ"),
    ("э", "ӭ"),
    ("і", "ї"),
    ("ѵ", "ѷ"),
    ("ә", "ӛ"),
    ("ө", "ӫ"),
    ("ss", "ß"),
    ("ae", "æǣǽ"),
    ("oe", "œ"),
    ("th", "þ"),
    ("ij", "ĳ"),
    ("'", "‘’‚‛ʼ′"),
    ("\"", "“”„‟«»″"),
    ("-", "‐‑‒–—―−"),
  ]
}

/// Joins letters with their parts where Unicode has one character for both. Files from macOS are named in parts, and people type whole letters.
///
/// This is for scripts in which a mark makes another letter: Korean, Japanese, Arabic, and those of India and its neighbours. Accents of Latin, Greek
/// and Cyrillic letters are removed elsewhere.
package enum LetterParts {
  /// The text with whole letters, as UTF-8. Where the bytes are no text, such as the end of one that was cut, they are left as they are from there on.
  package static func joined(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: mayBeginPart) else { return text }
    var joined: [UInt8] = []
    joined.reserveCapacity(text.count)
    var last: (scalar: Unicode.Scalar, start: Int)?
    var decoder = UTF8()
    var (bytes, position) = (text.makeIterator(), 0)
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      let end = position + UTF8.width(scalar)
      if let first = last, let whole = join(first.scalar, scalar) {
        joined.removeSubrange(first.start...)
        last = (whole, first.start)
        joined += UTF8.encode(whole).map(Array.init) ?? []
      } else {
        last = (scalar, joined.count)
        joined += text[position..<end]
      }
      position = end
    }
    return joined + text[position...]
  }

  /// Whether a byte of UTF-8 may be the first one of a part that is joined with the letter before it.
  private static func mayBeginPart(_ byte: UInt8) -> Bool { [0xd9, 0xe0, 0xe1, 0xe3].contains(byte) }

  /// The one character for a letter and the part behind it; nil if there is none.
  private static func join(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    guard second.value >= 0x653 else { return nil }
    if let whole = syllable(first.value, second.value) { return Unicode.Scalar(whole) }
    return pairs[UInt64(first.value) << 32 | UInt64(second.value)]
  }

  /// The Korean syllable of a consonant and a vowel, or of these and a last consonant.
  private static func syllable(_ first: UInt32, _ second: UInt32) -> UInt32? {
    switch (first, second) {
    case (0x1100...0x1112, 0x1161...0x1175): 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    case (0xac00...0xd7a3, 0x11a8...0x11c2) where (first - 0xac00).isMultiple(of: 28): first + second - 0x11a7
    default: nil
    }
  }

  private static let pairs: [UInt64: Unicode.Scalar] = {
    var pairs: [UInt64: Unicode.Scalar] = [:]
    for (part, letters) in letters {
      for (letter, whole) in zip(letters.plain.unicodeScalars, letters.whole.unicodeScalars) {
        pairs[UInt64(letter.value) << 32 | UInt64(part)] = whole
      }
    }
    return pairs
  }()

  /// Each part, the letters that it may stand behind, and the characters that they become with it, in the same order.
  private static let letters: [(part: UInt32, letters: (plain: String, whole: String))] = [
    (0x653, ("ا", "آ")),
    (0x654, ("اويەہے", "أؤئۀۂۓ")),
    (0x655, ("ا", "إ")),
    (0x93c, ("नरळ", "ऩऱऴ")),
    (0x9be, ("\u{9c7}", "\u{9cb}")),
    (0x9d7, ("\u{9c7}", "\u{9cc}")),
    (0xb3e, ("\u{b47}", "\u{b4b}")),
    (0xb56, ("\u{b47}", "\u{b48}")),
    (0xb57, ("\u{b47}", "\u{b4c}")),
    (0xbbe, ("\u{bc6}\u{bc7}", "\u{bca}\u{bcb}")),
    (0xbd7, ("\u{b92}\u{bc6}", "\u{b94}\u{bcc}")),
    (0xc56, ("\u{c46}", "\u{c48}")),
    (0xcc2, ("\u{cc6}", "\u{cca}")),
    (0xcd5, ("\u{cbf}\u{cc6}\u{cca}", "\u{cc0}\u{cc7}\u{ccb}")),
    (0xcd6, ("\u{cc6}", "\u{cc8}")),
    (0xd3e, ("\u{d46}\u{d47}", "\u{d4a}\u{d4b}")),
    (0xd57, ("\u{d46}", "\u{d4c}")),
    (0xdca, ("\u{dd9}\u{ddc}", "\u{dda}\u{ddd}")),
    (0xdcf, ("\u{dd9}", "\u{ddc}")),
    (0xddf, ("\u{dd9}", "\u{dde}")),
    (0x102e, ("ဥ", "ဦ")),
    (0x3099, ("かきくけこさしすせそたちつてとはひふへほうゝ", "がぎぐげござじずぜぞだぢづでどばびぶべぼゔゞ")),
    (0x3099, ("カキクケコサシスセソタチツテトハヒフヘホウワヰヱヲヽ", "ガギグゲゴザジズゼゾダヂヅデドバビブベボヴヷヸヹヺヾ")),
    (0x309a, ("はひふへほ", "ぱぴぷぺぽ")),
    (0x309a, ("ハヒフヘホ", "パピプペポ")),
  ]
}
