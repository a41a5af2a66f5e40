// SPDX-License-Identifier: MIT
import PlaybackLogic
import StoreIO

/// What was done and is not known to be on the disk, one order after the other.
struct UnstoredOrders {
  /// All that was done to the queue in one turn of the loop. It is stored as a whole or not at all.
  struct Order {
    let number: Int
    fileprivate(set) var commands: [QueueCommand]
    let volume: Double?

    /// Whether somebody asked for another queue, and waits for the answer.
    var isEdit: Bool { commands.contains(where: \.isEdit) }
    /// Whether it only sees to it that no identity is given twice.
    fileprivate var isSkip: Bool {
      guard volume == nil else { return false }
      return commands.allSatisfy { if case .skipIdentities = $0 { true } else { false } }
    }
    /// What is to be stored.
    var changes: [StoreChange] { commands.map(StoreChange.queue) + (volume.map { [.volume($0)] } ?? []) }
  }

  private var orders: [Order] = []
  /// What the present turn has done so far.
  private var commands: [QueueCommand] = []
  private var volume: Double?
  /// The number of the order noted last.
  private(set) var last = 0

  /// Whether there is nothing.
  var isEmpty: Bool { orders.isEmpty && !hasBegun }
  /// Whether somebody waits for one of them.
  var hasEdits: Bool { orders.contains(where: \.isEdit) }
  /// All of it as the store takes it.
  var changes: [StoreChange] { orders.flatMap(\.changes) }
  private var hasBegun: Bool { !commands.isEmpty || volume != nil }

  /// Notes what was done in the present turn.
  mutating func note(_ command: QueueCommand) { commands.append(command) }
  /// Notes the volume.
  mutating func note(_ volume: Double) { self.volume = volume }

  /// The turn is over. Returns what was done in it, if anything was.
  mutating func endTurn() -> Order? {
    guard hasBegun else { return nil }
    last += 1
    let order = Order(number: last, commands: commands, volume: volume)
    orders.append(order)
    (commands, volume) = ([], nil)
    return order
  }

  /// Everything up to this order is on the disk.
  mutating func forget(upTo number: Int) { orders.removeAll { $0.number <= number } }

  /// Whether anybody would miss it.
  var isLoss: Bool { hasBegun || !orders.allSatisfy(\.isSkip) }

  /// Gives up every order that asked for another queue, and does the others to this queue, which is the one on the disk. What
  /// then does not fit any more is given up too. The identities that were given up to `last` are not given again.
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
