// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// What was heard of a cut sine.
  struct Heard {
    /// Samples too many or too few: at the joins, and in all.
    var atJoins = 0
    var inAll = 0
    /// The greatest distance from the sine near a join.
    var error: Double

    /// The samples that are wrong, as far as the files tell which those are.
    func wrong(_ encoding: CutSine.Encoding) -> Double {
      Double(encoding.saysNothing ? atJoins : max(atJoins, inAll))
    }
  }

  /// A sine cut in three, played through a server and recorded bit for bit at the monitor.
  func gapless() -> [Figure] {
    CutSine.Encoding.own.flatMap { encoding in
      do { return try figures(of: encoding) } catch {
        return [.missing(encoding.rawValue, "\(error)")]
      }
    }
  }

  private func figures(of encoding: CutSine.Encoding) throws -> [Figure] {
    let stage = try Stage.counting(self, rate: encoding.rate)
    let sine = try CutSine(encoding, in: stage.directory)
    let heard = try listen(to: sine, by: stage.ours, on: stage)
    var samples = Figure(
      name: "\(encoding.rawValue): samples wrong", ours: heard.wrong(encoding), unit: "", budget: .atMost(0))
    let own = try sine.ownError()
    let error = Figure(
      name: "\(encoding.rawValue): error at the joins", ours: heard.error * 32_768, unit: "LSB",
      // A lossy codec decodes to floats, and one more rounding is none of ours.
      budget: .atMost(own * 32_768 * 1.01 + 0.5), note: "of 16 bit; the codec's own is the budget")
    if encoding.isMP3, let other = try? listen(to: sine, by: Mpg123.self, on: stage) {
      samples.others.append((Mpg123.name, other.wrong(encoding)))
    }
    return [samples, error]
  }

  /// What is heard at the monitor while a player plays the pieces one after the other.
  func listen(
    to sine: CutSine, by type: any Player.Type, on stage: Stage
  ) throws -> Heard {
    let recorder = try stage.server.record(stage.sink)
    let from = recorder.frames
    let player = try type.init(sine.files, on: stage)
    let start = try recorder.waitForSound(from: from)
    let end = try recorder.waitForSilence(lasting: .milliseconds(500), from: start, within: .seconds(20))
    player.child.kill()
    let samples = Array(recorder.recording.channel(0)[start..<end])
    guard samples.count > CutSine.total / 2 else {
      throw KitError("only \(samples.count) of \(CutSine.total) frames were heard")
    }
    return judge(samples)
  }

  private func judge(_ samples: [Float]) -> Heard {
    let reach = CutSine.reach
    var heard = Heard(inAll: abs(samples.count - CutSine.total), error: 0)
    for join in CutSine.joins where join + reach + 10_000 < samples.count {
      let before = SineFit(samples, join - reach - 10_000..<join - reach, period: CutSine.period)
      let behind = SineFit(samples, join + reach..<join + reach + 10_000, period: CutSine.period)
      heard.atJoins = max(heard.atJoins, Int(abs(before.lead(of: behind)).rounded()))
      heard.error = max(heard.error, before.error(samples, join - reach..<join + reach))
    }
    return heard
  }
}
