// SPDX-License-Identifier: MIT

/// When somebody else's recording of a microphone is taken for a call.
package enum MicrophonePolicy: String, Sendable, CaseIterable {
  /// While the same program plays something as well: whoever talks also listens.
  case withOutput = "with-output"
  /// Always.
  case always
  /// Never.
  case ignore
}
