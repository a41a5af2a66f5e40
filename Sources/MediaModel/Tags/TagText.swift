// SPDX-License-Identifier: MIT

/// Turns the texts of tags into values. What makes no sense becomes nil: anybody may have written the tag.
package enum TagText {
  /// A number and how many there are: `3`, `03`, `3/12`, `/12`. Zero means "not known".
  package static func position(_ text: String) -> (number: Int?, count: Int?) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    return (ordinal(parts[0]), parts.count > 1 ? ordinal(parts[1]) : nil)
  }

  /// A gain such as `-6.54 dB`, in decibels; a decimal comma is understood.
  package static func gain(_ text: String) -> Float? {
    var number = trimmed(text)[...]
    if number.lowercased().hasSuffix("db") { number = number.dropLast(2) }
    guard let value = decimal(number), abs(value) <= 100 else { return nil }
    return Float(value)
  }

  /// A peak, 1 being full scale; decoders overshoot, so somewhat more is believed.
  package static func peak(_ text: String) -> Float? {
    guard let value = decimal(text[...]), value > 0, value <= 32 else { return nil }
    return Float(value)
  }

  /// A gain of an Opus file: a whole number of 16 bits, in 256ths of a decibel.
  package static func r128Gain(_ text: String) -> Int16? { Int16(trimmed(text)) }

  /// Beats a minute, with the unit behind the number or without: `128`, `128 BPM`.
  package static func bpm(_ text: String) -> Double? {
    var number = trimmed(text)[...]
    if number.lowercased().hasSuffix("bpm") { number = number.dropLast(3) }
    guard let value = decimal(number), value > 0, value <= 1_000 else { return nil }
    return value
  }

  /// A yes or no; absent or strange is no.
  package static func flag(_ text: String) -> Bool {
    ["1", "true", "yes"].contains(trimmed(text).lowercased())
  }

  /// The text without white space and NULs around it; nil where nothing remains.
  package static func words(_ text: String) -> String? {
    let words = trimmed(text)
    return words.isEmpty ? nil : words
  }

  private static func trimmed(_ text: String) -> String {
    func isPadding(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\0" }
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !isPadding($0) }),
      let end = scalars.lastIndex(where: { !isPadding($0) })
    else { return "" }
    return String(scalars[start...end])
  }

  private static func ordinal(_ text: Substring) -> Int? {
    guard let number = Int(trimmed(String(text))), (1...99_999).contains(number) else { return nil }
    return number
  }

  private static func decimal(_ text: Substring) -> Double? {
    let number = trimmed(String(text))
    let isPlain = number.utf8.allSatisfy { "+-.,0123456789eE".utf8.contains($0) }
    guard isPlain, let value = Double(String(number.map { $0 == "," ? "." : $0 })) else { return nil }
    return value.isFinite ? value : nil
  }
}
