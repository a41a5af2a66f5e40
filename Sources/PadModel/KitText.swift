// SPDX-License-Identifier: MIT
import CommandModel

/// Reads the text of a `kit.conf`.
///
/// It has one `name = value` per line, and text after a `#` is a comment. The kit's own `name` comes first, and then a section `[pad]` for each pad.
/// A name that is unknown or written twice, and a value out of range, are errors: it is better to refuse a kit than to play it differently from what
/// its author meant.
package struct KitText {
  /// The longest text that is read, in bytes.
  package static let mostBytes = 1 << 18
  /// The longest name of a kit, a pad or a choke group, in characters.
  private static let longestName = 80

  private var name: String?
  private var pads: [Section] = []
  private var line = 0

  /// The values in the lines of one `[pad]`, each with the number of its line.
  private struct Section {
    let line: Int
    var values: [String: (text: String, line: Int)] = [:]
  }

  private static let kitKeys = ["name"]
  private static let padKeys = ["name", "sample", "colour", "volume", "polyphony", "choke"]

  /// The kit that a text describes. `folderName` is its name if the text names none.
  package static func read(_ text: String, folderName: String) throws(KitError) -> Kit {
    var reader = KitText()
    for line in TextLines.lines(of: text) { try reader.take(line) }
    guard !reader.pads.isEmpty else {
      throw KitError(
        .mistake, line: max(1, reader.line), "there is no pad; write [pad] and below it 'sample = FILE'")
    }
    var pads: [Pad] = []
    for section in reader.pads { pads.append(try Self.pad(section)) }
    return Kit(name: reader.name ?? folderName, pads: pads)
  }

  // MARK: Lines

  private mutating func take(_ text: Substring) throws(KitError) {
    line += 1
    let written = text.prefix { $0 != "#" }.trimmed
    if written.isEmpty { return }
    if written.first == "[" { return try begin(written) }
    guard let sign = written.firstIndex(of: "="), case let key = written[..<sign].trimmed, !key.isEmpty else {
      throw error("'\(written.prefix(40))' is no 'name = value' and no [pad]; put a # before a remark")
    }
    let value = String(written[written.index(after: sign)...].trimmed)
    if let remark = text.firstIndex(of: "#"), ["sample", "name", "choke"].contains(key) {
      try checkIsRemark(text, at: remark, behind: value, of: String(key))
    }
    try set(String(key), to: value)
  }

  /// Throws if a # may well be part of a name, as in `C#3.wav` or `#1.wav`, rather than the beginning of a remark.
  private func checkIsRemark(
    _ text: Substring, at remark: Substring.Index, behind value: String, of key: String
  ) throws(KitError) {
    let before = text[..<remark].last.map { $0 == " " || $0 == "\t" } ?? true
    if before, !value.isEmpty { return }
    throw error(
      "'\(key)' ends at the #, which begins a remark" + (key == "sample" ? "; rename the file" : ""))
  }

  private mutating func begin(_ written: Substring) throws(KitError) {
    guard written == "[pad]" else {
      throw error("'\(written.prefix(40))' is no section of a kit; the only one is [pad]")
    }
    guard pads.count < Kit.mostPads else { throw error("a kit has \(Kit.mostPads) pads at most") }
    pads.append(Section(line: line))
  }

  private mutating func set(_ key: String, to value: String) throws(KitError) {
    let known = pads.isEmpty ? Self.kitKeys : Self.padKeys
    guard known.contains(key) else { throw unknown(key, known) }
    guard !value.isEmpty else { throw error("'\(key)' has no value" + hint(key)) }
    guard !pads.isEmpty else {
      guard name == nil else { throw error("the kit has a name already; keep one of the two") }
      return name = try shortName(key, value)
    }
    let section = pads.count - 1
    if let first = pads[section].values[key]?.line {
      throw error("line \(first) has this pad's \(key) already; keep one of the two")
    }
    pads[section].values[key] = (["name", "choke"].contains(key) ? try shortName(key, value) : value, line)
  }

  private func shortName(_ key: String, _ value: String) throws(KitError) -> String {
    guard value.count <= Self.longestName, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw error("'\(key)' is longer than \(Self.longestName) letters, or has some that can't be shown")
    }
    return value
  }

  private func unknown(_ key: String, _ known: [String]) -> KitError {
    if pads.isEmpty, Self.padKeys.contains(key) {
      return error("'\(key)' belongs to a pad; write it below a line [pad]")
    }
    let meant = Suggestion.nearest(to: key, among: known).map { "did you mean '\($0)'?" }
    let taken = (pads.isEmpty ? "a kit has " : "a pad has ") + known.joined(separator: ", ")
    return error("'\(key.prefix(40))' is unknown; \(meant ?? taken)")
  }

  /// A hint for a colour that is written with a `#`, as on the web, because that begins a comment here.
  private func hint(_ key: String) -> String { key == "colour" ? "; write ff8800 without a #" : "" }

  private func error(_ reason: String) -> KitError { KitError(.mistake, line: line, reason) }

  // MARK: Pads

  private static func pad(_ section: Section) throws(KitError) -> Pad {
    guard let (sample, line) = section.values["sample"] else {
      throw KitError(.mistake, line: section.line, "this pad has no sample; write 'sample = FILE' below it")
    }
    try check(sample: sample, line)
    let named = sample.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
    var pad = Pad(name: String(named.prefix(longestName)), sample: sample, sampleLine: line)
    if let (name, _) = section.values["name"] { pad.name = name }
    pad.choke = section.values["choke"]?.text
    if let (text, line) = section.values["colour"] { pad.colour = try colour(text, line) }
    if let (text, line) = section.values["volume"] { pad.volume = try volume(text, line) }
    if let (text, line) = section.values["polyphony"] { pad.polyphony = try polyphony(text, line) }
    return pad
  }

  /// Throws if a sample's path may lead out of the kit's folder: a kit is copied and given away as a folder.
  private static func check(sample: String, _ line: Int) throws(KitError) {
    let parts = sample.split(separator: "/", omittingEmptySubsequences: false)
    guard sample.utf8.first != UInt8(ascii: "/"), !parts.contains(".."), !sample.utf8.contains(0) else {
      throw KitError(
        .mistake, line: line, "'\(sample.prefix(80))' is not in the kit's folder; copy the sample there")
    }
  }

  private static func colour(_ text: String, _ line: Int) throws(KitError) -> PadColour {
    guard let colour = PadColour(text) else {
      throw KitError(
        .mistake, line: line,
        "'\(text.prefix(40))' is no colour; it is six hexadecimal digits, or "
          + PadColour.words.joined(separator: ", "))
    }
    return colour
  }

  private static func volume(_ text: String, _ line: Int) throws(KitError) -> Double {
    let digits = text.hasSuffix("%") ? text.dropLast().trimmed : text[...]
    guard let percent = number(digits), percent <= 100 else {
      throw KitError(.mistake, line: line, "'\(text.prefix(40))' is no volume; write one from 0% to 100%")
    }
    return Double(percent) / 100
  }

  private static func polyphony(_ text: String, _ line: Int) throws(KitError) -> Int {
    guard let count = number(text[...]), Pad.polyphonies.contains(count) else {
      throw KitError(
        .mistake, line: line, "'\(text.prefix(40))' is no polyphony; write a number from 1 to 64")
    }
    return count
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    guard let last = lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return self[...last].drop { $0 == " " || $0 == "\t" }
  }
}
