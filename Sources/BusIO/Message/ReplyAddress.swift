// SPDX-License-Identifier: MIT
import BusModel

/// Where an answer goes. It is kept instead of the call, whose memory counts against what the connection may receive.
struct ReplyAddress {
  /// The call's number, of its sender's counting.
  let serial: UInt32
  /// Who called.
  let caller: BusName?
  /// Whether anybody waits.
  let isWanted: Bool
}

extension ReplyAddress {
  /// Where the answer to a call goes.
  init(_ message: borrowing BusMessage) {
    self.init(serial: message.serial, caller: message.sender, isWanted: message.expectsReply)
  }
}
