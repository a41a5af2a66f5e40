// SPDX-License-Identifier: MIT
package import BusModel
package import JobLogic

/// `org.fermata.Jobs1`: long work, such as scans, and its progress.
package enum AgentJobs {
  package static let description = InterfaceDescription(
    "org.fermata.Jobs1", methods: Method.descriptions, signals: [jobChanged.description], properties: [])

  /// A call of one of this D-Bus interface's methods, once its arguments are read.
  package enum Call: Sendable, Hashable {
    /// Answer with the jobs that are not over, and those that ended most recently.
    case list
    case order(JobBoard.Order, JobID)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentJobs.description.name }

    case list = "List"
    case cancel = "Cancel"
    case suspend = "Suspend"
    case resume = "Resume"

    package var row: MethodRow<Call> {
      switch self {
      case .list: .init(out: ["Jobs": "aa{sv}"]) { .list }
      case .cancel: .init("Job") { .order(.cancel, $0) }
      case .suspend: .init("Job") { .order(.suspend, $0) }
      case .resume: .init("Job") { .order(.resume, $0) }
      }
    }
  }

  /// The answer to `List`.
  package static func reply(_ jobs: [Job]) -> WireValue { jobs.map { JobFace($0).fields }.wireValue }

  /// Reads the answer to `List`. Jobs that cannot be read are left out.
  package static func jobs(reply: [WireValue]) throws(BusError) -> [Job] {
    try reply.decoded(as: [Fields].self).compactMap { JobFace(wire: $0.wireValue)?.job }
  }

  static let jobChanged = SignalRow<Fields>("JobChanged", "Job")

  /// The signal that a job was added, has progressed or has ended.
  package static func changed(_ job: Job) -> (MemberName, [WireValue]) { jobChanged(JobFace(job).fields) }
}

// The calls that a client makes.
extension AgentCall {
  package static let jobs = AgentCall(AgentJobs.Method.list)

  /// Cancels, suspends or resumes a job.
  package static func order(_ order: JobBoard.Order, _ job: JobID) -> AgentCall {
    switch order {
    case .cancel: AgentCall(AgentJobs.Method.cancel, job)
    case .suspend: AgentCall(AgentJobs.Method.suspend, job)
    case .resume: AgentCall(AgentJobs.Method.resume, job)
    }
  }
}

extension JobID: BusArgument {
  package var argument: UInt32 { rawValue }
  package static func reading(_ argument: UInt32) -> Self { Self(rawValue: argument) }
}

/// A job as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
package struct JobFace: Hashable, WireConvertible {
  package var job: Job

  package init(_ job: Job) { self.job = job }

  package static var wireType: WireType { Fields.wireType }

  /// Reads a job from a dictionary; nil if that has no number or no known state.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let id: UInt32 = fields("id"),
      let state = fields("state").flatMap(JobState.init(rawValue:))
    else { return nil }
    job = Job(
      id: JobID(rawValue: id), title: fields("title") ?? "", state: state, done: fields("done") ?? 0,
      total: fields("total"), current: fields("current"), rate: fields("rate"),
      remaining: fields("remaining"), why: fields("why"))
  }

  package var wireValue: WireValue { fields.wireValue }

  var fields: Fields {
    var fields = Fields()
    fields.add("id", value: .uint32(job.id.rawValue))
    fields.add("title", job.title)
    fields.add("state", job.state.rawValue)
    fields.add("done", job.done)
    fields.add("total", job.total)
    fields.add("current", job.current)
    fields.add("rate", job.rate)
    fields.add("remaining", job.remaining)
    fields.add("why", job.why)
    return fields
  }
}
