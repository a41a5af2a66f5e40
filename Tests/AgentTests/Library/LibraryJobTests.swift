// SPDX-License-Identifier: MIT
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel
import Testing

@Suite("The command that starts a scan", .serialized, .endsAnyway)
struct LibraryJobTests {
  private static let count = 30_000

  private func add(_ library: LibraryStage, _ options: String...) throws -> Child {
    try Child(
      .beside("fermata"), ["library", "add", library.path().text] + options,
      environment: library.stage.environment)
  }

  private func addOnTerminal(_ library: LibraryStage) throws -> Child {
    let command = "exec \(try Program.beside("fermata").path) library add \(try library.path().text)"
    return try Child(
      .named("script", package: "bsdutils"), ["-qec", command, "/dev/null"],
      environment: library.stage.environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 },
      isInteractive: true)
  }

  /// Suspends a scan as soon as it has read some files. On a busy machine it would be over before a signal came.
  private func stopInTheMiddle(_ id: JobID, _ library: LibraryStage) async throws {
    // Before the total is known, it counts the files that it finds, and has read none.
    _ = try await library.wait(id, for: "reading") {
      $0.state.isOver || $0.done > 0 && $0.total == Self.count
    }
    _ = try await library.caller.call(.order(.suspend, id))
  }

  /// The scan is cancelled, and some files are in the library.
  private func expectCancelled(_ library: LibraryStage) async throws {
    #expect(try await library.jobs().map(\.state) == [.cancelled])
    let kept = try await library.status().tracks
    #expect(kept > 0 && kept < Self.count)
    try library.stage.stop()
  }

  @Test("on a terminal it shows how far the scan is; Ctrl-C cancels that, and what was read is kept")
  func cancelled() async throws {
    let library = try await LibraryStage()
    try library.writeMany(Self.count)
    let child = try addOnTerminal(library)
    _ = try child.text(through: "of \(Self.count)")
    try child.send("\u{3}")
    let rest = try child.text(through: nil)
    #expect(rest.contains("cancelled; what was read is kept"), "\(rest.debugDescription)")
    #expect(child.exit(until: .patient) == .exited(1))
    try await expectCancelled(library)
  }

  @Test("on a terminal it stays until the end, and says what was done")
  func shown() async throws {
    let library = try await LibraryStage()
    try library.writeMany(300)
    let child = try addOnTerminal(library)
    #expect(try child.text(through: nil).hasSuffix(": done, 300 read\r\n"))
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(try await library.status().tracks == 300)
    try library.stage.stop()
  }

  @Test("in a pipe it returns at once, and the scan goes on without it")
  func piped() async throws {
    let library = try await LibraryStage()
    try library.writeMany(Self.count)
    let child = try add(library, "--json")
    #expect(child.exit(until: .patient) == .exited(0))
    let job = try #require(try await library.jobs().first)
    #expect(child.standardOutput == "{\"job\":\(job.id.rawValue)}\n" && !job.state.isOver)
    #expect(try await library.untilOver(job.id).done == Self.count)
    try library.stage.stop()
  }

  @Test("where no terminal is it waits if told to, and cancels the scan at the signal of Ctrl-C")
  func interrupted() async throws {
    let library = try await LibraryStage()
    try library.writeMany(Self.count)
    let child = try add(library, "--wait")
    var job: Job?
    while job == nil { job = try await library.jobs().first }
    try await stopInTheMiddle(try #require(job).id, library)
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .exited(1))
    #expect(child.standardError.contains("cancelled; what was read is kept"), "\(child.standardError)")
    try await expectCancelled(library)
  }
}
