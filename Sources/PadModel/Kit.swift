// SPDX-License-Identifier: MIT

/// A set of sounds that can be struck: its name, and its pads in the order of their numbers, which count from 1.
package struct Kit: Sendable, Hashable {
  /// The kit's name for people.
  package let name: String
  /// Never empty.
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
  /// How many sounds of one pad may be heard at a time.
  package static let polyphonies = 1...64

  /// The pad's name for people.
  package var name: String
  /// The path of its sample, relative to the kit's folder. Empty in the kit that comes with the program, which has no files.
  package var sample: String
  /// The line of `kit.conf` that names the sample, for errors about it.
  package var sampleLine: Int
  /// What screens show the pad in; nil leaves it to them.
  package var colour: PadColour?
  /// The pad's volume, from 0 to 1, on the scale of a volume slider.
  package var volume: Double
  /// How many of its sounds may be heard at a time. With 1, a hit starts the sound anew.
  package var polyphony: Int
  /// The name of a group of pads that silence each other, as an open and a closed hi-hat do; nil if there is none.
  package var choke: String?

  package init(
    name: String, sample: String = "", sampleLine: Int = 0, colour: PadColour? = nil, volume: Double = 1,
    polyphony: Int = 1, choke: String? = nil
  ) {
    (self.name, self.sample, self.sampleLine, self.colour) = (name, sample, sampleLine, colour)
    (self.volume, self.polyphony, self.choke) = (volume, polyphony, choke)
  }
}

/// The colour of a pad on a screen: a word that every terminal has a colour for, or six hexadecimal digits.
package struct PadColour: Sendable, Hashable {
  /// The words that are taken.
  package static let words = [
    "red", "orange", "yellow", "green", "cyan", "blue", "purple", "pink", "white", "grey",
  ]

  /// As `kit.conf` writes it, in lower case.
  package let text: String

  /// Reads a colour; nil if the text is none.
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
    /// `kit.conf` has a mistake, or asks for more than there may be.
    case mistake
    /// The folder, `kit.conf` or a sample is not there.
    case missing
    /// A sample can't be decoded.
    case unplayable
  }

  package let kind: Kind
  /// The line of `kit.conf` that is at fault, counted from 1; nil if none is.
  package let line: Int?
  /// What is wrong, and what would be right.
  package let reason: String

  package init(_ kind: Kind, line: Int? = nil, _ reason: String) {
    (self.kind, self.line, self.reason) = (kind, line, reason)
  }

  /// "kit.conf:12: …".
  package var description: String { line.map { "\(Kit.fileName):\($0): \(reason)" } ?? reason }
}
