// SPDX-License-Identifier: MIT

/// Reads the part of XML that playlists need, one event at a time. It knows the five predefined entities and numeric
/// character references, rejects document types, and opens no files. So the memory and time that a document can make
/// it use are bounded by the document's size.
struct XMLReader {
  /// How deep elements may be nested.
  static let deepest = 32

  private let bytes: [UInt8]
  private var position = 0
  private var open: [String] = []
  private var isEmptyElement = false
  /// The number of the current line, counted from 1.
  private(set) var line = 1

  /// A reader of a document, which must be in UTF-8.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next event; nil at the end of the document.
  mutating func next() throws(XMLError) -> XMLEvent? {
    if isEmptyElement { return endElement() }
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") { return .text(try text()) }
      if skips("<!--") {
        _ = try take(until: "-->")
      } else if skips("<?") {
        _ = try take(until: "?>")
      } else if skips("<![CDATA[") {
        return .text(String(decoding: try take(until: "]]>"), as: UTF8.self))
      } else if skips("<!") {
        throw error("a document type, which is refused; take it out")
      } else if skips("</") {
        return try endTag()
      } else {
        return try startTag()
      }
    }
    if let element = open.last { throw error("the file ends inside <\(element)>") }
    return nil
  }

  private func error(_ reason: String) -> XMLError { XMLError(line: line, reason: reason) }

  private mutating func startTag() throws(XMLError) -> XMLEvent {
    advance(by: 1)
    let name = try name()
    guard open.count < Self.deepest else { throw error("elements deeper than \(Self.deepest)") }
    open.append(name)
    return .start(name, base: try attributes())
  }

  /// Skips the attributes of a tag, and returns `xml:base`, the base of relative addresses, if there is one.
  private mutating func attributes() throws(XMLError) -> String? {
    var base: String?
    var name: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      advance(by: 1)
      switch byte {
      case UInt8(ascii: ">"): return base
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let value = try take(until: byte == UInt8(ascii: "'") ? "'" : "\"")
        if name.elementsEqual("xml:base".utf8) {
          var inside = XMLReader(Array(value))
          base = try? inside.text()
        }
        name = []
      case UInt8(ascii: "/") where position < bytes.count && bytes[position] == UInt8(ascii: ">"):
        isEmptyElement = true
      case UInt8(ascii: "<"): throw error("a < inside a tag; write &lt;")
      default: if !PlaylistText.isBlank(byte), byte != UInt8(ascii: "=") { name.append(byte) }
      }
    }
    throw error("the file ends inside a tag")
  }

  private mutating func endTag() throws(XMLError) -> XMLEvent {
    let name = try name()
    let rest = try take(until: ">")
    guard name == open.last, rest.allSatisfy(PlaylistText.isBlank) else {
      throw error("</\(name)> ends nothing that began; <\(open.last ?? "")> is open")
    }
    return endElement()
  }

  private mutating func endElement() -> XMLEvent {
    isEmptyElement = false
    return .end(open.removeLast())
  }

  /// Takes the name of a tag, and returns it without its namespace prefix.
  private mutating func name() throws(XMLError) -> String {
    let name = bytes[position...].prefix { byte in
      !PlaylistText.isBlank(byte) && !"<>/=\"'&".utf8.contains(byte)
    }
    guard (1...256).contains(name.count) else { throw error("a tag without a name") }
    advance(by: name.count)
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return String(decoding: local, as: UTF8.self)
  }

  private mutating func text() throws(XMLError) -> String {
    var out: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") {
      if bytes[position] == UInt8(ascii: "&") {
        out += try entity().utf8
      } else {
        out.append(bytes[position])
        advance(by: 1)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  private mutating func entity() throws(XMLError) -> String {
    let body = bytes[position...].dropFirst().prefix(12).prefix { $0 != UInt8(ascii: ";") }
    let name = String(decoding: body, as: UTF8.self)
    guard body.endIndex < bytes.count, bytes[body.endIndex] == UInt8(ascii: ";"),
      let text = Self.meaning(name)
    else { throw error("&\(name) is no entity known here; write & as &amp;") }
    advance(by: body.count + 2)
    return text
  }

  private static func meaning(_ name: String) -> String? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }.map { String($0) }
    }
  }

  private mutating func advance(by count: Int) {
    for byte in bytes[position..<(position + count)] where byte == 0x0a { line += 1 }
    position += count
  }

  private mutating func skips(_ text: StaticString) -> Bool {
    let text = text.description.utf8
    guard bytes[position...].starts(with: text) else { return false }
    advance(by: text.count)
    return true
  }

  /// Returns the bytes before a mark, and skips the mark as well.
  private mutating func take(until mark: StaticString) throws(XMLError) -> ArraySlice<UInt8> {
    let mark = Array(mark.description.utf8)
    var end = position
    while end + mark.count <= bytes.count {
      if bytes[end] == mark[0], bytes[end...].starts(with: mark) {
        let taken = bytes[position..<end]
        advance(by: taken.count + mark.count)
        return taken
      }
      end += 1
    }
    throw error("the file ends before \(String(decoding: mark, as: UTF8.self))")
  }
}

/// The next piece of an XML document.
enum XMLEvent: Equatable {
  /// An element begins: its name without a prefix, and the value of its `xml:base`. Other attributes are ignored.
  case start(String, base: String?)
  /// The innermost element ends.
  case end(String)
  /// A piece of text between tags.
  case text(String)
}

/// Why a document can't be read further.
struct XMLError: Error, Equatable {
  let line: Int
  let reason: String
}
