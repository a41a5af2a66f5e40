// SPDX-License-Identifier: MIT

/// Identifies a long job, such as a scan, as long as the agent runs. Later jobs have higher numbers, and no number is used twice.
package struct JobID: Sendable, Hashable, Comparable, RawRepresentable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  package static func < (left: JobID, right: JobID) -> Bool { left.rawValue < right.rawValue }
}

/// The state of a job, as everybody sees it.
package enum JobState: String, Sendable, Hashable, CaseIterable {
  case waiting, running, suspended, done, cancelled, failed

  /// Whether the job has ended, in whatever way.
  package var isOver: Bool {
    switch self {
    case .waiting, .running, .suspended: false
    case .done, .cancelled, .failed: true
    }
  }
}

package enum JobOutcome: Sendable, Hashable {
  case done
  case cancelled
  /// The job failed, for this reason.
  case failed(String)

  package var state: JobState {
    switch self {
    case .done: .done
    case .cancelled: .cancelled
    case .failed: .failed
    }
  }
}

/// How urgent a job is: it decides which of the waiting jobs starts first. A running job is never interrupted for another one, unless it is in the
/// background.
package enum JobPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// The job may take hours and nobody waits for it, so it pauses for any other job.
  case background
  /// Nobody waits for the job.
  case upkeep
  /// A person asked for the job.
  case asked

  package static func < (left: JobPriority, right: JobPriority) -> Bool { left.rawValue < right.rawValue }
}

package struct JobRequest: Sendable, Hashable {
  /// What the job does, as a title for people: "Scan ~/Music".
  package var title: String
  package var priority: JobPriority
  /// The jobs that have to be done before this one starts.
  package var needs: [JobID]

  package init(_ title: String, priority: JobPriority = .asked, needs: [JobID] = []) {
    (self.title, self.priority, self.needs) = (title, priority, needs)
  }
}

/// The progress of a job, as its worker reports it.
package struct JobStep: Sendable, Hashable {
  /// How many pieces of the work, such as files, are done.
  package var done: Int
  /// How many pieces of work there are in all; nil while that is not known.
  package var total: Int?
  /// The piece that is being worked on, such as a file; nil if it has no name.
  package var current: String?

  package init(done: Int, total: Int? = nil, current: String? = nil) {
    (self.done, self.total, self.current) = (done, total, current)
  }
}

/// A job as everybody sees it.
package struct Job: Sendable, Hashable {
  package var id: JobID
  package var title: String
  package var state: JobState
  package var done: Int
  /// How many pieces of work there are, never less than `done`; nil while that is not known.
  package var total: Int?
  package var current: String?
  /// How many pieces are done per second at present; nil if the job does not run, or has begun only just now.
  package var rate: Double?
  /// How long the rest will take at this rate; nil if the rate or the total is unknown.
  package var remaining: Duration?
  /// Why the job failed, or what it waits for; nil if there is nothing to explain.
  package var why: String?

  package init(
    id: JobID, title: String, state: JobState, done: Int = 0, total: Int? = nil, current: String? = nil,
    rate: Double? = nil, remaining: Duration? = nil, why: String? = nil
  ) {
    (self.id, self.title, self.state) = (id, title, state)
    (self.done, self.total, self.current) = (done, total, current)
    (self.rate, self.remaining, self.why) = (rate, remaining, why)
  }
}

/// Why an order for a job was refused.
package enum JobRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such job, or it ended so long ago that it is forgotten.
  case unknown(JobID)
  /// The job has ended already, in this state.
  case over(JobID, JobState)
  /// Too many jobs wait already; the number is the limit.
  case tooMany(Int)

  package var description: String {
    switch self {
    case .unknown(let id): "there is no job \(id.rawValue); 'fermata jobs' lists them"
    case .over(let id, let state): "job \(id.rawValue) is \(state.rawValue) already"
    case .tooMany(let most): "\(most) jobs wait already; let some end, or cancel them"
    }
  }
}

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
