// SPDX-License-Identifier: MIT

/// One sound to be played: how it is opened, and which part of it.
package struct SoundRequest: Sendable {
  /// The caller's number for this one playing of the sound; a repetition gets another.
  package let id: UInt64
  /// What is the same where file and gain are; nil is like nothing else.
  package let name: String?
  /// The part of the file that is the track: a whole file as a rule, a stretch of it for a track of a CUE sheet.
  package let range: Range<Duration>?
  /// Where in the track the sound begins.
  package let start: Duration
  /// What every sample is multiplied by. Called on the producer's thread when the sound was opened; it may block.
  let gain: @Sendable () -> Float
  /// Called on the producer's thread, where it may block.
  let open: @Sendable () throws(DecodeError) -> any Decoder

  /// A request that is opened by `open`, on the producer's thread.
  package init(
    id: UInt64, name: String? = nil, range: Range<Duration>? = nil, start: Duration = .zero,
    gain: @escaping @Sendable () -> Float = { 1 },
    open: @escaping @Sendable () throws(DecodeError) -> any Decoder
  ) {
    precondition(start >= .zero)
    self.id = id
    self.name = name
    self.range = range
    self.start = start
    self.gain = gain
    self.open = open
  }

  /// Whether another request wants the same sound from the same place on.
  package func isSameSound(as other: SoundRequest) -> Bool {
    name != nil && name == other.name && range == other.range && start == other.start
  }
}
