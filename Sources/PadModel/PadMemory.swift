// SPDX-License-Identifier: MIT

/// The state of the pads that is stored at each change, for the next start of the agent: the kit that was loaded, and the volumes that somebody set.
package struct PadMemory: Sendable, Hashable {
  /// The kit's folder as a URI; nil for the kit that comes with the program.
  package var kit: String?
  /// The volume of all pads, from 0 to 1.
  package var volume = 1.0
  /// The volumes that were set for pads and differ from their kit's, by the pads' numbers.
  package var volumes: [Int: Double] = [:]

  /// The state for a new user.
  package init() {}

  /// Reads a text that `text` returned. Lines that cannot be read are ignored.
  package init(text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2)
      switch (parts.first, parts.count) {
      case ("kit", 2): kit = String(parts[1])
      case ("volume", 2): if let volume = Self.volume(parts[1]) { self.volume = volume }
      case ("pad", 3):
        if let pad = Int(parts[1]), (1...Kit.mostPads).contains(pad) { volumes[pad] = Self.volume(parts[2]) }
      default: break
      }
    }
  }

  private static func volume(_ text: Substring) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  /// The state as the lines of a file. The kit's URI has no blanks or line ends in it.
  package var text: String {
    var lines = ["volume \(volume)"]
    if let kit { lines.append("kit \(kit)") }
    for (pad, volume) in volumes.sorted(by: { $0.key < $1.key }) { lines.append("pad \(pad) \(volume)") }
    return lines.map { $0 + "\n" }.joined()
  }
}
