// SPDX-License-Identifier: MIT

/// A set of sounds that can be struck: its name, and its pads in the order of their numbers, which count from 1.
package struct Kit: Sendable, Hashable {
  /// The kit's name for people.
  package let name: String
  /// The pads; there is at least one.
  package let pads: [Pad]

  /// The name of the file in a kit's folder that describes the kit.
  package static let fileName = "kit.conf"
  /// The most pads that a kit may have: as many as MIDI has notes.
  package static let mostPads = 128
  /// The most memory that the decoded samples of a kit may take.
  package static let mostBytes = 64 << 20

  /// A kit with these pads. Traps if there are none, or more than `mostPads`.
  package init(name: String, pads: [Pad]) {
    precondition((1...Self.mostPads).contains(pads.count), "a kit of \(pads.count) pads")
    (self.name, self.pads) = (name, pads)
  }
}

/// One pad of a kit: which sound it makes, and how.
package struct Pad: Sendable, Hashable {
  /// The numbers that `polyphony` may have.
  package static let polyphonies = 1...64

  /// The pad's name for people.
  package var name: String
  /// The path of the pad's sample, relative to the kit's folder. Empty in the kit that comes with the program, which has no files.
  package var sample: String
  /// The line of `kit.conf` that names the sample, for errors about it.
  package var sampleLine: Int
  /// The colour in which screens show the pad; nil lets them choose.
  package var colour: PadColour?
  /// The pad's volume, from 0 to 1, on the scale of a volume slider.
  package var volume: Double
  /// How many sounds of this pad may be heard at a time. With 1, a hit cuts off the sound before and starts it again.
  package var polyphony: Int
  /// The name of the pad's choke group; the pads of a group silence each other, as an open and a closed hi-hat do. Nil if it is in none.
  package var choke: String?

  package init(
    name: String, sample: String = "", sampleLine: Int = 0, colour: PadColour? = nil, volume: Double = 1,
    polyphony: Int = 1, choke: String? = nil
  ) {
    (self.name, self.sample, self.sampleLine, self.colour) = (name, sample, sampleLine, colour)
    (self.volume, self.polyphony, self.choke) = (volume, polyphony, choke)
  }
}

/// The colour of a pad on a screen: a word for a colour that every terminal has, or six hexadecimal digits.
package struct PadColour: Sendable, Hashable {
  /// The words for colours that `kit.conf` may use.
  package static let words = [
    "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "white", "grey",
  ]

  /// The colour as `kit.conf` writes it, in lower case.
  package let text: String

  /// Reads a colour; nil if the text is not a colour.
  package init?(_ text: String) {
    let lower = text.lowercased()
    let isHex = lower.utf8.count == 6 && lower.allSatisfy { $0.isASCII && $0.isHexDigit }
    guard isHex || Self.words.contains(lower) else { return nil }
    self.text = lower
  }
}

/// Why a kit cannot be loaded.
package struct KitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error, for callers that treat some kinds differently.
  package enum Kind: Sendable, Hashable {
    /// `kit.conf` has a mistake, or the kit breaks a rule or exceeds a limit.
    case mistake
    /// The folder, `kit.conf` or a sample does not exist.
    case missing
    /// `kit.conf` can't be read, or a sample can't be decoded.
    case unplayable
    /// The disk or the network that holds the kit does not answer.
    case unresponsive
  }

  package let kind: Kind
  /// The line of `kit.conf` with the error, counted from 1; nil if no line is the cause.
  package let line: Int?
  /// What is wrong and what would be right, for a person to read.
  package let reason: String

  package init(_ kind: Kind, line: Int? = nil, _ reason: String) {
    (self.kind, self.line, self.reason) = (kind, line, reason)
  }

  /// The error as a line for people: "kit.conf:12: …".
  package var description: String { line.map { "\(Kit.fileName):\($0): \(reason)" } ?? reason }
}

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
