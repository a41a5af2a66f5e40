// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import JobLogic
import MediaModel

/// Holds long jobs while the machine runs on its battery, if the user has set it so.
///
/// It reads the state of the battery when a job is added, and every half minute while there is a job; never otherwise. The kernel reports changes
/// only on a kind of socket that the service is not allowed to open.
@AgentLoop
final class JobPower {
  /// Whether jobs run on battery as well; then the state of the battery is not read.
  var runsOnBattery = true {
    didSet { if runsOnBattery != oldValue { look() } }
  }

  private let jobs: JobService
  private let thread: BlockingThread
  private let folder: FilePath
  private var timer: LoopTimer?
  private var isLooking = false

  private static let pause = Duration.seconds(30)
  private nonisolated static let reason = "the plug, as the setting jobs-on-battery says"

  /// `thread` may block, because some batteries take a while to answer. `folder` is where the kernel lists power supplies.
  init(_ jobs: JobService, on thread: BlockingThread, in folder: FilePath = "/sys/class/power_supply") {
    (self.jobs, self.thread, self.folder) = (jobs, thread, folder)
    jobs.added = { [weak self] in self?.look() }
  }

  private func look() {
    timer?.cancel()
    guard !runsOnBattery else { return jobs.hold(for: nil) }
    guard !jobs.isIdle, !isLooking else { return }
    isLooking = true
    AgentLoop.task { [weak self, thread, folder] in
      let isOnBattery = try? await thread.run { _ in Self.isOnBattery(folder) }
      self?.take(isOnBattery ?? false)
    }
  }

  private func take(_ isOnBattery: Bool) {
    isLooking = false
    jobs.hold(for: isOnBattery && !runsOnBattery ? Self.reason : nil)
    guard !runsOnBattery, !jobs.isIdle else { return }
    timer = AgentLoop.after(Self.pause) { [weak self] in self?.look() }
  }

  private nonisolated static func isOnBattery(_ folder: FilePath) -> Bool {
    var supplies: [PowerSupply] = []
    guard let held = try? HeldFile(folder), held.kind == .folder, var listing = try? held.openFolder() else {
      return false
    }
    while let (name, _) = try? listing.next() {
      guard name.bytes.first != UInt8(ascii: ".") else { continue }
      let supply = folder.entry(name)
      func content(_ file: FilePath) -> String {
        guard let file = try? OpenFile(supply.entry(file)), let bytes = try? file.head(64) else { return "" }
        return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
      }
      supplies.append(
        PowerSupply(
          type: content("type"), online: content("online"), status: content("status"),
          scope: content("scope")))
    }
    return PowerSupply.areOnBattery(supplies)
  }
}
