// SPDX-License-Identifier: MIT

/// Where one channel of a sound belongs in the room.
package enum ChannelPosition: UInt8, Sendable, Hashable, CaseIterable {
  case mono
  case frontLeft, frontRight, frontCenter
  case lowFrequency
  case rearLeft, rearRight, rearCenter
  case frontLeftOfCenter, frontRightOfCenter
  case sideLeft, sideRight
  /// A channel whose place is not known, only its number in the layout.
  case unplaced
}
