// SPDX-License-Identifier: MIT
import DecodeIO

extension SoundSegment {
  /// The part that a frame belongs to; nil for a frame before the first part.
  func part(at frame: Int) -> Part? { parts(before: frame + 1).last }
}
