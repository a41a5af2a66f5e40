// SPDX-License-Identifier: MIT

/// Numbers as people write them: an optional sign, digits, and optionally a point and more digits. They are written
/// with at most three decimals.
enum Decimal {
  static func number(_ text: Substring) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // No exponent, no name for infinity, and no more digits than anyone would type.
    guard text.utf8.count <= 16, !parts.isEmpty,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  static func text(_ number: Double) -> String {
    let thousandths = Int((number * 1000).rounded())
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    var fraction = String(rest + 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return (thousandths < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
  }

  static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  static func duration(_ seconds: Double) -> Duration { .milliseconds(Int64((seconds * 1000).rounded())) }
}
