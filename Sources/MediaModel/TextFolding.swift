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

  private static func small(_ byte: UInt8) -> UInt8 {
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
