// SPDX-License-Identifier: MIT

/// Decibels and the ratios that they mean. The standard library has neither powers nor logarithms.
package enum Decibels {
  private static let ln2 = 0.693_147_180_559_945_3
  private static let ln10 = 2.302_585_092_994_046

  /// The ratio of two powers: ten to the power of a tenth of the decibels.
  package static func power(_ decibels: Double) -> Double {
    let natural = decibels / 10 * ln10
    let doublings = (natural / ln2).rounded()
    let rest = natural - doublings * ln2
    // `rest` is at most half of ln 2, so these terms of the series are exact to the last place of a double.
    var term = 1.0
    var sum = 1.0
    for number in 1...18 {
      term *= rest / Double(number)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(doublings), significand: 1)
  }

  /// The ratio of two amplitudes: ten to the power of a twentieth of the decibels.
  package static func amplitude(_ decibels: Double) -> Double { power(decibels / 2) }

  /// The decibels of a ratio of powers, which must be positive and finite.
  package static func of(power: Double) -> Double {
    precondition(power > 0 && power.isFinite, "\(power) has no decibels")
    var (exponent, significand) = (Double(power.exponent), power.significand)
    if significand > 1.414 { (exponent, significand) = (exponent + 1, significand / 2) }
    // The logarithm of the rest, as a series in a number below 0.172: twelve terms are exact to the last place of a double.
    let base = (significand - 1) / (significand + 1)
    var (term, sum) = (base, 0.0)
    for number in 0..<12 {
      sum += term / Double(2 * number + 1)
      term *= base * base
    }
    return 10 * (exponent * ln2 + 2 * sum) / ln10
  }
}
