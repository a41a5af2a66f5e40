// SPDX-License-Identifier: MIT

/// One result: ours, what it may be, and what others have.
struct Figure {
  /// What ours is held against.
  enum Budget {
    /// At most this, from the plan.
    case atMost(Double)
    /// At most so many times what another one needed in the same run.
    case times(Double, of: String)
  }

  /// What was measured.
  var name: String
  /// Ours; absent where it could not be taken.
  var ours: Double?
  /// Of all numbers in it.
  var unit: String
  var budget: Budget?
  /// The limit and other programs, measured in the same run.
  var others: [(name: String, value: Double)] = []
  /// What one has to know to read it.
  var note: String = ""

  /// Something that could not be measured.
  static func missing(_ name: String, _ reason: String) -> Figure {
    Figure(name: name, ours: nil, unit: "", note: reason)
  }

  /// The most that ours may be; nil where nothing was promised, or the other one is missing.
  var limit: Double? {
    switch budget {
    case .atMost(let limit): limit
    case .times(let factor, let name): others.first { $0.name == name }.map { factor * $0.value }
    case nil: nil
    }
  }

  /// In a word: whether ours is within its budget.
  var verdict: String {
    guard let ours else { return "missing" }
    return limit.map { ours <= $0 ? "ok" : "over" } ?? "-"
  }
}

extension Double {
  /// Three digits that matter, and no more behind the point than help.
  var short: String {
    guard isFinite else { return "-" }
    let places = magnitude >= 100 || self == rounded() ? 0 : magnitude >= 10 ? 1 : magnitude >= 0.1 ? 2 : 4
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int((self * scale).rounded())
    guard places > 0 else { return String(scaled) }
    let digits = String(scaled.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}
