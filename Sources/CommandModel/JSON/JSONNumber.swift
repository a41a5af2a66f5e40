// SPDX-License-Identifier: MIT

/// A number in the form in which it is written to JSON: decimal, without an exponent and without needless zeros.
package struct JSONNumber: Sendable, Hashable {
  /// The number as text.
  package let text: String

  /// A whole number.
  package init(_ number: Int) { text = String(number) }

  /// A fraction, to six decimals. Nil if it isn't finite, or if it is so large (1e12) that readers would lose digits.
  package init?(_ number: Double) {
    guard number.isFinite, number.magnitude < 1e12 else { return nil }
    // The whole and the fractional part are scaled apart, because a large number times a million is no longer exact.
    let whole = number.rounded(.towardZero)
    text = Self.decimal(Int64(whole) * 1_000_000 + Int64(((number - whole) * 1_000_000).rounded()), places: 6)
  }

  /// A time in seconds, to the millisecond.
  package init(seconds time: Duration) {
    let (seconds, attoseconds) = time.components
    // A time that is too long to count in milliseconds is written in whole seconds.
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds =
      (attoseconds + (attoseconds < 0 ? -1 : 1) * 500_000_000_000_000) / 1_000_000_000_000_000
    let (total, carried) = scaled.addingReportingOverflow(milliseconds)
    text = overflow || carried ? String(seconds) : Self.decimal(total, places: 3)
  }

  // Writes a number that is counted in units of its last decimal place, with the decimal point.
  private static func decimal(_ count: Int64, places: Int) -> String {
    var digits = String(count.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(places)
    return (count < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}
