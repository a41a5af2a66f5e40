// SPDX-License-Identifier: MIT
import PlaybackLogic
import StoreIO

/// The changes that are not known to be on disk yet, in the order in which they were made.
struct UnstoredOrders {
  /// Everything that one turn of the loop did to the queue and the volume. It is stored as a whole or not at all.
  struct Order {
    let number: Int
    fileprivate(set) var commands: [QueueCommand]
    let volume: Double?

    /// Whether it edits the queue. Whoever asked for an edit waits until it is stored.
    var isEdit: Bool { commands.contains(where: \.isEdit) }
    /// Whether it only marks identities as used, so that none is given twice.
    fileprivate var isSkip: Bool {
      guard volume == nil else { return false }
      return commands.allSatisfy { if case .skipIdentities = $0 { true } else { false } }
    }
    /// What is to be stored.
    var changes: [StoreChange] { commands.map(StoreChange.queue) + (volume.map { [.volume($0)] } ?? []) }
  }

  private var orders: [Order] = []
  /// The queue commands of the current turn so far.
  private var commands: [QueueCommand] = []
  private var volume: Double?
  /// The number of the order noted last.
  private(set) var last = 0

  /// Whether nothing is left to store: no order, and nothing from the current turn.
  var isEmpty: Bool { orders.isEmpty && !hasBegun }
  /// Whether one of the orders is an edit, for which somebody waits.
  var hasEdits: Bool { orders.contains(where: \.isEdit) }
  /// The changes of all orders, as the store takes them.
  var changes: [StoreChange] { orders.flatMap(\.changes) }
  private var hasBegun: Bool { !commands.isEmpty || volume != nil }

  /// Notes a queue command of the current turn.
  mutating func note(_ command: QueueCommand) { commands.append(command) }
  /// Notes that the current turn set the volume.
  mutating func note(_ volume: Double) { self.volume = volume }

  /// Ends the current turn. Returns its order, or nil if nothing was done in it.
  mutating func endTurn() -> Order? {
    guard hasBegun else { return nil }
    last += 1
    let order = Order(number: last, commands: commands, volume: volume)
    orders.append(order)
    (commands, volume) = ([], nil)
    return order
  }

  /// Forgets the orders up to this number: they need not be stored any more.
  mutating func forget(upTo number: Int) { orders.removeAll { $0.number <= number } }

  /// Whether something would be lost if this were never stored. Identities that are marked as used are no loss.
  var isLoss: Bool { hasBegun || !orders.allSatisfy(\.isSkip) }

  /// Drops every order that is an edit, and replays the others on `queue`, which is the queue on disk. Commands that no longer fit it
  /// are dropped too. Then all identities up to `last` are marked as used, so that none that was told to anybody is given again.
  mutating func giveUpEdits(from queue: inout PlayQueue, skippingIdentitiesThrough last: EntryID) {
    orders.removeAll { $0.isEdit || $0.isSkip }
    for index in orders.indices {
      orders[index].commands = orders[index].commands.filter { queue.replay($0) }
    }
    orders.removeAll { $0.changes.isEmpty }
    guard last.rawValue > queue.lastIdentity.rawValue, queue.skipIdentities(through: last) else { return }
    note(.skipIdentities(through: last))
    _ = endTurn()
  }
}
