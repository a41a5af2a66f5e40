// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import FermataTestKit

/// One of many calls.
struct BurstCall: Sendable {
  var path = MPRISDescriptions.path
  var interface = MPRISDescriptions.player.name
  var member: MemberName
  var arguments: [WireValue] = []
}

/// What came of many calls.
@AgentLoop
final class BurstAnswers {
  /// By the numbers of the calls.
  private(set) var results: [Result<[WireValue], BusError>?]
  /// The numbers of the calls in the order in which they were answered.
  private(set) var order: [Int] = []

  init(count: Int) { results = Array(repeating: nil, count: count) }

  func take(_ index: Int, _ result: Result<[WireValue], BusError>) {
    results[index] = result
    order.append(index)
  }
}

extension MPRISClient {
  /// Sends all calls at once and waits for all answers.
  func burst(
    _ calls: [BurstCall]
  ) throws -> (results: [Result<[WireValue], BusError>], order: [Int]) {
    let (service, connection) = (service, connection)
    return try onLoopBlocking("answers to a burst", within: .patience) {
      let answers = BurstAnswers(count: calls.count)
      let tasks = calls.enumerated().map { index, call in
        AgentLoop.task {
          let target = BusTarget(
            Self.name(of: call.path, at: service), call.path, call.interface, call.member)
          do throws(BusError) {
            let values = try await connection.call(target, call.arguments, timeout: .seconds(50))
            answers.take(index, .success(values))
          } catch {
            answers.take(index, .failure(error))
          }
        }
      }
      for task in tasks { await task.value }
      return (answers.results.compactMap { $0 }, answers.order)
    }
  }

  /// The name of the error that a call is answered with; nil where it is answered well.
  func error(of body: () throws -> Void) -> BusError.Name? {
    do {
      try body()
      return nil
    } catch {
      return (error as? BusError)?.name ?? "org.fermata.Test.NoBusError"
    }
  }
}
