// SPDX-License-Identifier: MIT

extension MediaDate {
  /// A date as taggers write it: `1997`, `1997-05`, `1997-05-20`, `19970520`, `1997/05/20`, RFC 3339 and its
  /// shorter forms. Zeros for a month or a day mean "not known"; what can't be read after the year is left out.
  public init?(text: String) {
    var rest = Scanner(text)
    rest.skip { $0 == " " }
    guard let year = rest.number(digits: 4) else { return nil }
    let compact = rest.next.map { ("0"..."9").contains($0) } ?? false
    let month = rest.part(after: compact ? nil : "-/.")
    let day = month == nil ? nil : rest.part(after: compact ? nil : "-/.")
    let time = day == nil ? nil : Time(&rest)
    for parts in [(month, day, time), (month, day, nil), (month, nil, nil), (nil, nil, nil)] {
      if let date = MediaDate(year: year, month: parts.0, day: parts.1, time: parts.2) {
        self = date
        return
      }
    }
    return nil
  }
}

extension MediaDate.Time {
  /// `T07:08`, `T07:08:09`, fractions passed over, with `Z` or an offset behind.
  fileprivate init?(_ rest: inout Scanner) {
    guard rest.skip(oneOf: "Tt "), let hour = rest.number(digits: 2), hour < 24, rest.skip(oneOf: ":"),
      let minute = rest.number(digits: 2), minute < 60
    else { return nil }
    var second = 0
    if rest.skip(oneOf: ":") { second = min(rest.number(digits: 2) ?? 0, 59) }
    if rest.skip(oneOf: ".") { rest.skip { ("0"..."9").contains($0) } }
    self.init(second: (hour * 60 + minute) * 60 + second, offset: Self.offset(&rest))
  }

  private static func offset(_ rest: inout Scanner) -> Int {
    let isBehind = rest.next == "-"
    guard rest.skip(oneOf: "+-"), let hours = rest.number(digits: 2) else { return 0 }
    _ = rest.skip(oneOf: ":")
    let minutes = min(hours, 23) * 60 + min(rest.number(digits: 2) ?? 0, 59)
    return isBehind ? -minutes : minutes
  }
}

/// Takes a text apart from its front.
private struct Scanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  var next: Unicode.Scalar? { rest.first }

  mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: isSkipped) }

  mutating func skip(oneOf characters: String) -> Bool {
    guard let next = rest.first, characters.unicodeScalars.contains(next) else { return false }
    rest.removeFirst()
    return true
  }

  /// Exactly so many digits; nil and nothing taken where there are fewer.
  mutating func number(digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    rest = rest[taken.endIndex...]
    return Int(String(taken))
  }

  /// Two digits, behind a separator where there has to be one; nil for zero.
  mutating func part(after separator: String?) -> Int? {
    if let separator, !skip(oneOf: separator) { return nil }
    guard let number = number(digits: 2), number > 0 else { return nil }
    return number
  }
}
