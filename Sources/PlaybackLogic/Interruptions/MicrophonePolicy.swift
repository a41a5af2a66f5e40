// SPDX-License-Identifier: MIT

/// When another program's recording of a microphone is taken for a call.
package enum MicrophonePolicy: String, Sendable, CaseIterable {
  /// Only while the same program also plays something, because whoever talks also listens.
  case withOutput = "with-output"
  /// Always.
  case always
  /// Never.
  case ignore
}
