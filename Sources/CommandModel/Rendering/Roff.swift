// SPDX-License-Identifier: MIT

/// Writes roff, the language of man pages. It escapes all text, so that none can be mistaken for a request.
struct Roff {
  private(set) var text = ""

  /// A request with its arguments, all quoted.
  mutating func request(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"\(Self.escaped($0))\"" }
    text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  /// A line of definition text; literal words are bold.
  mutating func prose(_ marked: String) {
    let pieces = MarkedText(marked).pieces.map { $0.isLiteral ? Self.bold($0.text) : Self.escaped($0.text) }
    text += Self.guarded(pieces.joined()) + "\n"
  }

  /// A line without marked words; backticks have no meaning in it.
  mutating func literal(_ line: String) { text += Self.guarded(Self.escaped(line)) + "\n" }

  /// A line of bold text.
  mutating func boldLine(_ line: String) { text += Self.bold(line) + "\n" }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  // A line that begins with a dot or an apostrophe would be a request.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// The text escaped to ASCII, so that each character is shown as it was written: a dash that can be copied, a
  /// straight quotation mark.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\e"
    case "-": "\\-"
    case "'": "\\(aq"
    case "`": "\\(ga"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case "\"": "\\(dq"
    case " "..."}": String(scalar)
    case "\n": " "
    default: scalar.value < 0x20 || scalar.value == 0x7F ? "" : "\\[u\(hexadecimal(scalar.value))]"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
