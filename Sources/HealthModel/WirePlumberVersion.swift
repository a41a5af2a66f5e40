// SPDX-License-Identifier: MIT

/// The version of PipeWire's session manager.
package struct WirePlumberVersion: Sendable, Hashable, Comparable {
  /// The numbers, the weightiest first.
  package let numbers: [Int]

  /// The version in a text like "0.5.11". Nothing where that is none.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...4).contains(numbers.count), numbers.allSatisfy({ $0 != nil && $0! >= 0 }) else { return nil }
    self.numbers = numbers.compactMap(\.self)
  }

  /// The version that the name of the library's file holds, found in the list of files that a process has mapped.
  /// Nothing where it isn't there.
  package init?(inMaps maps: some StringProtocol) {
    for line in maps.split(separator: "\n") {
      guard let name = line.split(separator: "/").last, name.hasPrefix("libwireplumber-") else { continue }
      var words = name.split(separator: ".").drop { $0 != "so" }.dropFirst()
      if words.last?.contains(" ") == true { words = words.dropLast() }
      if let version = WirePlumberVersion(words.joined(separator: ".")) {
        self = version
        return
      }
    }
    return nil
  }

  /// From 0.5.11 on it pauses players by itself when an output goes.
  package var pausesPlayers: Bool { self >= WirePlumberVersion("0.5.11")! }

  /// As it is written.
  package var text: String { numbers.map(String.init).joined(separator: ".") }

  /// Number by number.
  package static func < (one: Self, other: Self) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}
