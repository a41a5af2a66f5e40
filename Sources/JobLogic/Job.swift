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
