// SPDX-License-Identifier: MIT

/// One line of the settings file.
struct Line: Sendable, Equatable {
  let text: String

  init(_ text: String) { self.text = text }

  var isEmpty: Bool { text.isEmpty }

  /// The part before the user's comment, which begins with `#`.
  private var written: Substring { text.prefix { $0 != "#" }.trimmed }

  /// The comment, with the blanks before it.
  private var remark: Substring {
    let rest = text.drop { $0 != "#" }
    guard !rest.isEmpty else { return "" }
    let before = text.prefix { $0 != "#" }
    return text[(before.lastIndex { !$0.isBlank }.map(text.index(after:)) ?? text.startIndex)...]
  }

  /// What is left of the line when its setting is removed: the user's comment as a line of its own; nil if it has
  /// none.
  var remarkAlone: Line? {
    let alone = remark.drop(while: \.isBlank)
    return alone.contains { $0 != "#" && !$0.isBlank } ? Line(String(alone)) : nil
  }

  /// The name before the equals sign; nil if there is no equals sign.
  var name: String? {
    written.firstIndex(of: "=").map { String(written[..<$0].trimmed) }
  }

  /// Its name and value; nil for a line with only blanks or a comment. Throws if the line is neither.
  func content() throws(SettingError) -> (name: String, value: String)? {
    guard !written.isEmpty else { return nil }
    guard let name, let sign = written.firstIndex(of: "="), !name.isEmpty else {
      throw SettingError(
        "'\(written.prefix(64))'", "not a setting", "write it as 'name = value', or put a # before it")
    }
    return (name, String(written[written.index(after: sign)...].trimmed))
  }

  /// The same line with another value.
  func replacing(_ value: String) -> Line {
    let head = text[...(text.firstIndex(of: "=") ?? text.startIndex)]
    // Keeps the blanks that the user has put after the equals sign.
    let blanks = text[head.endIndex...].prefix(while: \.isBlank)
    return Line("\(head)\(blanks)\(value)\(remark)")
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
  fileprivate var trimmed: Substring {
    guard let last = lastIndex(where: { !$0.isBlank }) else { return "" }
    return self[...last].drop(while: \.isBlank)
  }
}
