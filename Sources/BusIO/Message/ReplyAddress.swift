// SPDX-License-Identifier: MIT
import BusModel

/// Where an answer goes. It is kept instead of the call's message, whose memory counts against `BusLimits.receivedBytes`.
struct ReplyAddress {
  /// The call's serial number, given by its sender.
  let serial: UInt32
  /// Who called.
  let caller: BusName?
  /// Whether the caller waits for an answer.
  let isWanted: Bool
}

extension ReplyAddress {
  /// Where the answer to a call goes.
  init(_ message: borrowing BusMessage) {
    self.init(serial: message.serial, caller: message.sender, isWanted: message.expectsReply)
  }
}
