// SPDX-License-Identifier: MIT

/// A version of WirePlumber, PipeWire's session manager.
package struct WirePlumberVersion: Sendable, Hashable, Comparable {
  /// The numbers, the most significant first.
  package let numbers: [Int]

  /// The version in a text like "0.5.11"; nil if the text is no version.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...4).contains(numbers.count), numbers.allSatisfy({ $0 != nil && $0! >= 0 }) else { return nil }
    self.numbers = numbers.compactMap(\.self)
  }

  /// Finds the version in a process's list of mapped files, from the file name of WirePlumber's library. Nil if the
  /// library is not in the list.
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

  /// Whether this version pauses players by itself when an output goes away, as WirePlumber does from 0.5.11 on.
  package var pausesPlayers: Bool { self >= WirePlumberVersion("0.5.11")! }

  /// The version as text, such as "0.5.11".
  package var text: String { numbers.map(String.init).joined(separator: ".") }

  /// Compares number by number, from the most significant on.
  package static func < (one: Self, other: Self) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}
