// SPDX-License-Identifier: MIT

/// One sound to be played: how it is opened, and which part of it.
package struct SoundRequest: Sendable {
  /// The caller's number for this one playing of the sound; a repetition gets another.
  package let id: UInt64
  /// The same in two requests whose file and gain are the same. A request without it is like no other.
  package let name: String?
  /// The part of the file that is the track: a whole file as a rule, a stretch of it for a track of a CUE sheet.
  package let range: Range<Duration>?
  /// Where in the track the sound begins.
  package let start: Duration
  /// What every sample is multiplied by. Called after the sound was opened, on the thread that decodes it; it may
  /// block.
  let gain: @Sendable () -> Float
  /// Opens the sound. Called on the thread that decodes it; it may block.
  let open: @Sendable () throws(DecodeError) -> any Decoder

  /// A request that is opened by `open`, on the thread that decodes it.
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
