// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import JobLogic
import MediaModel

/// The library's folders, and the work of reading them.
extension MediaLibrary {
  /// A folder that the library reads and watches for changes.
  public struct Folder: Sendable, Hashable {
    /// The absolute path. Bytes of it that are not UTF-8 show as U+FFFD.
    public let path: String
    /// The absolute path as a `file:` URI, which can hold names in any encoding.
    public let url: String
    /// The number of items in the folder.
    public let count: Int
    /// What is wrong with the folder, such as a disk that is not there; nil if nothing is.
    public let problem: String?

    init(_ face: LibraryFolderFace) {
      (path, url) = (face.path.text, face.path.uri)
      (count, problem) = (face.tracks, face.why)
    }
  }

  /// Long work of the library, such as reading a folder, as it stands at one moment.
  public struct Job: Sendable, Hashable, Identifiable {
    /// Identifies a job as long as the player's process runs.
    public struct ID: Sendable, Hashable, RawRepresentable {
      /// The number by which the player knows the job. `fermata jobs` shows it.
      public let rawValue: UInt32

      /// The ID with this number.
      public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// What became of a job so far.
    public enum State: String, Sendable, Hashable, CaseIterable {
      /// Another job has to end first.
      case waiting
      /// The work goes on.
      case running
      /// Somebody has halted the job, or it pauses for the sake of something else.
      case suspended
      /// All is done.
      case done
      /// Somebody has called the job off.
      case cancelled
      /// The job could not be done; `problem` says why.
      case failed

      /// Whether the job has ended, in whatever way.
      public var isOver: Bool { self == .done || self == .cancelled || self == .failed }
    }

    /// The job's identity.
    public let id: ID
    /// What the job does, as a title for people, such as "Scan ~/Music".
    public let title: String
    /// Whether the job runs, waits or has ended.
    public let state: State
    /// How many files are done.
    public let done: Int
    /// How many files there are; nil while that is not known.
    public let total: Int?
    /// The file that is being read; nil if there is none.
    public let current: String?
    /// How long the rest will take; nil while that is not known.
    public let remaining: Duration?
    /// Why the job failed, or what it waits for; nil if there is nothing to explain.
    public let problem: String?

    init(_ job: JobLogic.Job) {
      (id, title, state) = (ID(rawValue: job.id.rawValue), job.title, State(job.state))
      (done, total, current) = (job.done, job.total, job.current)
      (remaining, problem) = (job.remaining, job.why)
    }
  }

  /// The folders of the library.
  public var folders: [Folder] {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        try await agent.libraryStatus().folders.map { Folder($0) }
      }
    }
  }

  /// Adds the folder at an absolute path to the library, and everything below it. Returns the job that reads it, which has only begun by then.
  /// ``updates(of:)`` tells how it gets on.
  @discardableResult
  public func addFolder(_ path: String) async throws(MusicError) -> Job.ID {
    let folder = try FilePath(absolute: path)
    return try await core.ask { agent async throws(CommandError) in
      Job.ID(rawValue: try await agent.add(libraryFolder: folder).rawValue)
    }
  }

  /// Removes the folder at an absolute path from the library. No file is touched, and the ratings and counts of its items are kept for when it comes
  /// back.
  public func removeFolder(_ path: String) async throws(MusicError) {
    let folder = try FilePath(absolute: path)
    try await core.ask { agent async throws(CommandError) in try await agent.remove(libraryFolder: folder) }
  }

  /// Looks for changes in all folders. The library notices changes by itself, except on network file systems that report none. Returns the job, which has
  /// only begun by then.
  @discardableResult
  public func scan() async throws(MusicError) -> Job.ID {
    try await core.ask { agent async throws(CommandError) in
      Job.ID(rawValue: try await agent.scan([]).rawValue)
    }
  }

  /// How a job stands, now and after each change, several times a second while it gets on. The sequence ends behind the end of the job, and also when
  /// the player ends or does not know the job any more:
  ///
  /// ```swift
  /// let scan = try await library.addFolder("/srv/music")
  /// for await job in library.updates(of: scan) { print(job.done, job.total ?? 0) }
  /// ```
  public func updates(of job: Job.ID) -> Updates<Job> { core.updates(of: JobID(rawValue: job.rawValue)) }

  /// The jobs that are under way, and some that have ended lately.
  public var currentJobs: [Job] {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in try await agent.jobs().map { Job($0) } }
    }
  }

  /// What the library works on: each job when it is added, several times a second while it gets on, and when it ends. Of all jobs together, at most 16
  /// reports wait for a slow reader; ``updates(of:)`` never misses the end of one job.
  public var jobs: Updates<Job> {
    core.events { news in
      guard case .job(let job) = news else { return nil }
      return Job(job)
    }
  }

  /// Calls a job off. What it has done so far stays, and the next scan does the rest. Throws if the job is over, or not known.
  public func cancel(_ job: Job.ID) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in
      try await agent.order(.cancel, JobID(rawValue: job.rawValue))
    }
  }
}

extension MediaLibrary.Job.State {
  fileprivate init(_ state: JobState) {
    self =
      switch state {
      case .waiting: .waiting
      case .running: .running
      case .suspended: .suspended
      case .done: .done
      case .cancelled: .cancelled
      case .failed: .failed
      }
  }
}
