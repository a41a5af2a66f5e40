// SPDX-License-Identifier: MIT

/// Measures how fast a job makes progress, from reports of its progress.
///
/// The rate is that of the last seconds and not of the whole job: a scan is slow while it reads files and fast where they are unchanged, and people
/// want to know how long the rest takes.
struct ProgressMeter: Sendable, Hashable {
  private struct Sample: Sendable, Hashable {
    var time: Duration
    var done: Int
  }

  /// The time over which the rate is taken.
  private static let window = Duration.seconds(8)
  /// The shortest time between two reports that are kept, so that many quick reports cost nothing.
  private static let spacing = Duration.milliseconds(250)
  /// The shortest time over which a rate is given; over a shorter one it would be a guess.
  private static let least = Duration.milliseconds(500)

  private var samples: [Sample] = []
  /// The last report, even if it came too soon after the last one that was kept.
  private var latest: Sample?

  /// Forgets all measurements, because the job pauses: the pause must not look like slow work.
  mutating func pause() { self = ProgressMeter() }

  /// Takes a report of progress.
  mutating func report(done: Int, at now: Duration) {
    let sample = Sample(time: now, done: done)
    // If the count goes back, a new stretch of work has begun.
    if let latest, done < latest.done || now < latest.time { pause() }
    latest = sample
    if let last = samples.last, now - last.time < Self.spacing { return }
    samples.append(sample)
    // One sample older than the window is kept, so that the window is always full.
    while samples.count > 2, now - samples[1].time >= Self.window { samples.removeFirst() }
  }

  /// How many pieces are done per second; nil if it was not measured for long enough.
  var rate: Double? {
    guard let first = samples.first, let latest, latest.time - first.time >= Self.least else { return nil }
    return Double(latest.done - first.done) / ((latest.time - first.time) / .seconds(1))
  }

  /// How long `count` more pieces take at the present rate; nil if the rate is not known.
  func time(for count: Int) -> Duration? {
    guard let rate, rate > 0 else { return nil }
    let seconds = Double(count) / rate
    return seconds < Self.longest ? .seconds(seconds) : nil
  }

  /// The longest time that is reported, in seconds: a thousand days. A longer one would tell nobody anything.
  private static let longest = 86_400_000.0
}
