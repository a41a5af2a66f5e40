// SPDX-License-Identifier: MIT
import BusModel

/// Counts the calls that wait for their answers and the memory that they keep, and decides whether one more may wait.
///
/// A caller that floods us is refused first. One that has no call waiting is never refused: whatever others do, it can pause the music.
struct WaitingCalls {
  private struct Load {
    var calls = 0
    var bytes = 0
  }

  private let limits: BusLimits
  private var all = Load()
  private var ofCaller: [BusName: Load] = [:]

  init(_ limits: BusLimits) { self.limits = limits }

  var count: Int { all.calls }

  /// Throws if too many calls wait already, or too many of this caller's, for one more with so many bytes of arguments.
  func checkRoom(for caller: BusName, _ bytes: Int) throws(BusError) {
    guard let its = ofCaller[caller] else { return }
    guard all.calls < limits.callsInProgress else { throw .tooManyCalls("\(all.calls) calls") }
    guard its.calls < limits.callsOfCaller else { throw .tooManyCalls("\(its.calls) of your calls") }
    guard its.bytes + bytes <= limits.waitingBytesOfCaller, all.bytes + bytes <= limits.waitingBytes else {
      throw .tooManyCalls("calls with \(its.bytes) bytes of yours")
    }
  }

  mutating func add(_ caller: BusName, _ bytes: Int) {
    all.calls += 1
    all.bytes += bytes
    ofCaller[caller, default: Load()].calls += 1
    ofCaller[caller, default: Load()].bytes += bytes
  }

  /// Takes out a call that was added.
  mutating func remove(_ caller: BusName, _ bytes: Int) {
    all.calls -= 1
    all.bytes -= bytes
    guard var its = ofCaller[caller] else { preconditionFailure("no call of \(caller) waits") }
    its.calls -= 1
    its.bytes -= bytes
    ofCaller[caller] = its.calls > 0 ? its : nil
  }
}
