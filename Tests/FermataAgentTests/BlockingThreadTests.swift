// SPDX-License-Identifier: MIT
import AgentLoop
import FermataAgent
import FermataTestKit
import Testing

@Suite("The thread that may block")
struct BlockingThreadTests {
  @AgentLoop
  private final class Order {
    var numbers: [Int] = []
  }

  @Test("who came first goes on first, however fast the thread is")
  func order() async throws {
    let count = 5_000
    try await onLoop { @AgentLoop in
      let (thread, order) = (BlockingThread(), Order())
      let tasks = (0..<count).map { number in
        AgentLoop.task {
          _ = await thread.run { number }
          order.numbers.append(number)
        }
      }
      for task in tasks { await task.value }
      let isInOrder = order.numbers == Array(0..<count)
      #expect(isInOrder)
    }
  }
}
