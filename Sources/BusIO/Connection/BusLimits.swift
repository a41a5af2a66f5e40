// SPDX-License-Identifier: MIT
import BusModel

/// What a connection bears from others before it says no.
package struct BusLimits: Sendable, Hashable {
  /// What the values of one message may cost in memory. A call beyond it is answered `LimitsExceeded`, unread.
  package var valueBytes = WireBudget.standardLimit
  /// What waits unread before the socket is left alone for a while. One message may exceed it.
  package var receivedBytes = 4 << 20
  /// What waits because the bus doesn't read. Beyond it the connection ends: a signal left out would be a lie, and what is
  /// told anew after connecting again is not.
  package var outgoingBytes = 32 << 20
  /// How many calls may wait for handlers that answer later. One more is answered `LimitsExceeded`.
  package var callsInProgress = 1_024
  /// How many messages are taken in one turn of the loop, before timers and other descriptors have theirs.
  package var messagesPerTurn = 16

  /// The standard limits.
  package init() {}
}
