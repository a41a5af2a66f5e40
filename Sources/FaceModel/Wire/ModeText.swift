// SPDX-License-Identifier: MIT
import BusModel
import PlaybackLogic

/// A mode with a word for it, the command line's own.
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

  /// The choice behind a word; throws an error that names the words there are.
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
