// SPDX-License-Identifier: MIT
import BusModel

/// How much a connection accepts from others before it refuses.
package struct BusLimits: Sendable, Hashable {
  /// The memory that the values of one message may take, in bytes. A call beyond it is answered `LimitsExceeded` and not read.
  package var valueBytes = WireBudget.standardLimit
  /// When this many bytes of received messages wait to be processed, no more is read from the socket until there are
  /// fewer. A single message may exceed it.
  package var receivedBytes = 4 << 20
  /// The bytes that may wait to be sent because the bus doesn't read. Beyond it the connection ends. Dropping single signals
  /// instead would leave their listeners with a wrong state; after connecting again, everything is announced anew.
  package var outgoingBytes = 32 << 20
  /// How many calls may wait for handlers that answer later. Any further one is answered `LimitsExceeded`.
  package var callsInProgress = 1_024
  /// How many messages are processed in one turn of the loop, so that timers and other descriptors get their turn.
  package var messagesPerTurn = 16

  /// The standard limits.
  package init() {}
}
