// SPDX-License-Identifier: MIT
import BusModel
import PlaybackLogic

/// A mode that is written as a word, the same as on the command line.
protocol ModeText: CaseIterable, Sendable, Hashable, RawRepresentable<String> {}

extension RepeatMode: ModeText {}
extension ShuffleMode: ModeText {}

extension ModeText {
  var text: String { rawValue }

  init?(text: String) { self.init(rawValue: text) }
}

extension ModeChoice where Mode: ModeText {
  private static var defaultText: String { "default" }

  var text: String {
    if case .chosen(let mode) = self { mode.text } else { Self.defaultText }
  }

  /// Reads a choice from a word. The error for any other word names the ones that are accepted.
  init(text: String) throws(BusError) {
    if text == Self.defaultText {
      self = .default
    } else if let mode = Mode(text: text) {
      self = .chosen(mode)
    } else {
      let words = (Mode.allCases.map(\.text) + [Self.defaultText]).joined(separator: ", ")
      throw .invalidArguments("\(text.prefix(64)) is unknown; \(words) are taken")
    }
  }
}
