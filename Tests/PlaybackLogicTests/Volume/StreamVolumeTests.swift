// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("The stream's volume")
struct StreamVolumeTests {
  @Test("a fade is of what would be heard otherwise, and a person's hand in the mixer ends it")
  func fade() {
    var volume = StreamVolume(user: 0.8)
    #expect(volume.fade(to: 0.5) && !volume.fade(to: 0.5) && volume.stream == 0.4 && volume.user == 0.8)
    volume.duck(to: 0.5)
    #expect(volume.stream == 0.2)
    #expect(volume.fade(to: 0) && !volume.isSilent, "it is the fade's silence, and no volume of zero")
    #expect(volume.observe(0.6, volume.mark, at: .seconds(9)) == .moved && volume.stream == 0.6)
  }

  @Test("a sleep timer fades over ten seconds or a third, and wakes nobody before")
  func sleepTimer() {
    typealias Case = (time: Int, passed: Double, step: SleepTimer.Step)
    let cases: [Case] = [
      (60, 0, .play(at: 1, again: .seconds(50))), (60, 20, .play(at: 1, again: .seconds(30))),
      (60, 50, .play(at: 1, again: .milliseconds(100))), (60, 55, .play(at: 0.5, again: .milliseconds(100))),
      (60, 60, .pause), (60, 99, .pause), (9, 0, .play(at: 1, again: .seconds(6))),
      (9, 7.5, .play(at: 0.5, again: .milliseconds(100))), (0, 0, .pause), (-5, 0, .pause),
    ]
    for test in cases {
      let timer = SleepTimer(after: .seconds(test.time), at: .seconds(100))
      #expect(timer.step(at: .seconds(100) + .seconds(test.passed)) == test.step, "\(test)")
    }
    #expect(
      SleepTimer(after: .seconds(Int64.max), at: .seconds(100)).left(at: .zero) == SleepTimer.longest
        + .seconds(100))
  }

  private func volume(_ user: Double, duckedTo level: Double? = nil) -> StreamVolume {
    var volume = StreamVolume(user: user)
    if let level { volume.duck(to: level) }
    return volume
  }

  @Test("ducking leaves the user's volume alone, and its end brings it back")
  func duck() {
    var volume = volume(0.8, duckedTo: 0.25)
    #expect(volume.user == 0.8)
    #expect(volume.stream == 0.2)
    volume.choose(0.4)
    #expect(volume.stream == 0.1)
    volume.unduck()
    #expect(volume.stream == 0.4)
  }

  @Test(
    "louder and quieter add up, within what there is, and come back to where they began",
    arguments: [
      (0.3, Array(repeating: 0.05, count: 10), 0.8), (0.8, [0.05, -0.05], 0.8), (0.95, [0.1, -0.1], 0.9),
      (0.05, [-0.1, 0.1], 0.1), (0.333, [0.05], 0.38), (0.3, Array(repeating: 0.004, count: 5), 0.32),
      (1, [-1, 0.5], 0.5), (1.5, [0.05], 1.5), (1.5, [0.05, -0.05], 1.45), (1.02, [-0.05, 0.1], 1),
    ] as [(Double, [Double], Double)])
  func changes(from: Double, by differences: [Double], to: Double) {
    var volume = volume(from)
    for difference in differences { volume.change(by: difference) }
    #expect(volume.user == to)
  }

  @Test(
    "what was told comes back as it is, within a server's steps; anything else is the user's hand",
    arguments: [(0.2, nil), (0.2001, nil), (0.5, 0.5), (0.8, 0.8)] as [(Double, Double?)])
  func observe(read: Double, moved: Double?) {
    var volume = volume(0.8, duckedTo: 0.25)
    let finding = volume.observe(read, volume.mark, at: .seconds(9))
    #expect(finding == (moved == nil ? .asTold : .moved))
    #expect(volume.user == moved ?? 0.8)
    #expect(volume.level == (moved == nil ? 0.25 : nil))
  }

  @Test("a new stream's first second: what another player had is told away, and then the user's hand counts")
  func newStream() {
    var volume = volume(0.4)
    volume.streamMade(at: .seconds(10))
    let read = [(1, 0), (0.4, 20), (0.8, 500), (0.4, 520), (0.4, 900), (0.8, 1_000)]
    let found = read.map { volume.observe($0.0, volume.mark, at: .milliseconds(10_000 + $0.1)) }
    #expect(found == [.foreign, .asTold, .foreign, .asTold, .asTold, .moved])
    #expect(volume.user == 0.8)
  }

  @Test(
    "the balance that a mixer set stays with every volume, and with streams of another number of channels")
  func balance() {
    var volume = volume(0.8, duckedTo: 0.5)
    func observe(_ found: Double, _ balance: [Double], at seconds: Int = 9) -> StreamVolume.Finding {
      volume.observe(found, balance: balance, volume.mark, at: .seconds(seconds))
    }
    #expect(observe(0.4, [1, 1]) == .asTold && volume.balanced == BalancedVolume(0.4))
    #expect(observe(0.4, [1, 0.5]) == .asTold && volume.level == 0.5, "only the balance is new")
    #expect(volume.balanced == BalancedVolume(0.4, balance: [1, 0.5]))
    #expect(observe(0.2, [0.25, 1]) == .moved && volume.balanced == BalancedVolume(0.2, balance: [0.25, 1]))
    #expect(observe(0.2, [1]) == .asTold && observe(0.2, [1, 1, 1]) == .asTold && observe(0, []) == .moved)
    volume.choose(0.6)
    #expect(volume.balanced == BalancedVolume(0.6, balance: [0.25, 1]))
    volume.streamMade(at: .seconds(10))
    #expect(observe(0.6, [1, 1], at: 10) == .foreign, "what the server remembers of another player")
    #expect(observe(0.6, [0.2505, 1], at: 10) == .asTold, "a server's steps")
    #expect(observe(0.6, [1, 1], at: 20) == .asTold && volume.balanced.channels(2) == [0.6, 0.6])
  }

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
    var volume = volume(0.8)
    var mark: Int?
    for step in steps {
      switch step {
      case .order: volume.order()
      case .answer: _ = volume.ordered()
      case .read: mark = volume.mark
      }
    }
    let finding = volume.observe(0.5, mark, at: .seconds(9))
    #expect((finding == .moved) == isBelieved)
    #expect(volume.user == (isBelieved ? 0.5 : 0.8))
  }

  @Test("what was passed over is read anew: when the last order is answered, or at once where none is left")
  func anew() {
    var volume = volume(0.8)
    volume.order()
    volume.order()
    var finding = volume.observe(0.5, volume.mark, at: .seconds(9))
    #expect(finding == .doubtful(again: false))
    var answers = [volume.ordered(), volume.ordered()]
    #expect(answers == [false, true])
    let mark = volume.mark
    volume.order()
    answers = [volume.ordered()]
    finding = volume.observe(0.5, mark, at: .seconds(9))
    #expect(answers == [false] && finding == .doubtful(again: true))
    volume.order()
    answers = [volume.ordered()]
    #expect(answers == [false], "it was read anew already")
  }
}
