// SPDX-License-Identifier: MIT
import Testing

@testable import FermataAgent

@Suite("Orders for the volume, and readings of it")
struct VolumeOrdersTests {
  enum Step: Sendable { case order, answer, read }

  @Test(
    "a reading is believed unless an order of our own was under way with it",
    arguments: [
      ([.read], true), ([.order, .answer, .read], true), ([.order, .read], false),
      ([.order, .read, .answer], false),
      ([.read, .order], false), ([.read, .order, .answer], false), ([.order, .read, .order, .answer], false),
      ([.order, .order, .answer, .read, .answer], false), ([.order, .order, .answer, .answer, .read], true),
    ] as [([Step], Bool)])
  func believed(steps: [Step], isBelieved: Bool) {
    var orders = VolumeOrders()
    var mark: Int?
    for step in steps {
      switch step {
      case .order: orders.begin()
      case .answer: _ = orders.end()
      case .read: mark = orders.mark
      }
    }
    let found = orders.believes(mark)
    #expect(found == isBelieved)
  }

  @Test("what was passed over is read anew: when the last order is answered, or at once where none is left")
  func anew() {
    var orders = VolumeOrders()
    orders.begin()
    orders.begin()
    // Believed, wants a reading now; answered, wants one then.
    var said = [
      orders.believes(orders.mark), orders.wantsReading(), orders.end(), orders.end(), orders.wantsReading(),
    ]
    #expect(said == [false, false, false, true, false])
    let mark = orders.mark
    orders.begin()
    said = [orders.end(), orders.believes(mark), orders.wantsReading(), orders.wantsReading()]
    #expect(said == [false, false, true, false])
  }
}
