// SPDX-License-Identifier: MIT

/// Finds how fast a job goes on, from reports of how far it has come.
///
/// The rate is taken over the last seconds and not over the whole job: a scan is slow where files are read and quick where they are
/// unchanged, and people want to know how long the rest takes.
struct ProgressMeter: Sendable, Hashable {
  private struct Sample: Sendable, Hashable {
    var time: Duration
    var done: Int
  }

  /// The time over which the rate is taken.
  private static let window = Duration.seconds(8)
  /// The least time between two samples, so that many quick reports cost nothing.
  private static let spacing = Duration.milliseconds(250)
  /// Below this time a rate would be a guess.
  private static let least = Duration.milliseconds(500)

  private var samples: [Sample] = []
  /// The last report, which may be too close to the last sample to be one.
  private var latest: Sample?

  /// Forgets what was measured, because the job pauses: the pause must not look like slow work.
  mutating func pause() { self = ProgressMeter() }

  /// Takes a report.
  mutating func report(done: Int, at now: Duration) {
    let sample = Sample(time: now, done: done)
    // A count that goes back belongs to a new stretch of work.
    if let latest, done < latest.done || now < latest.time { pause() }
    latest = sample
    if let last = samples.last, now - last.time < Self.spacing { return }
    samples.append(sample)
    // One sample older than the window stays, so that the window is always full.
    while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
  }

  /// How many pieces are done in a second; nil if that was not measured for long enough.
  var rate: Double? {
    guard let first = samples.first, let latest, latest.time - first.time >= Self.least else { return nil }
    return Double(latest.done - first.done) / ((latest.time - first.time) / .seconds(1))
  }

  /// How long `count` more pieces take at the present rate; nil if there is none.
  func time(for count: Int) -> Duration? {
    guard let rate, rate > 0 else { return nil }
    let seconds = Double(count) / rate
    return seconds < Self.longest ? .seconds(seconds) : nil
  }

  /// A longer time than this many seconds tells nobody anything: a thousand days.
  private static let longest = 86_400_000.0
}
