// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Testing

@testable import FermataTestKit

@Suite("Children")
struct ChildTests {
  private let shell = Program(path: "/bin/sh")

  @Test("a child has the environment it is given, PATH, and nothing else")
  func environment() throws {
    let env = try Program.named("env", package: "coreutils")
    let lines = try Child.run(env, environment: ["FERMATA": "a b"]).split(separator: "\n")
    #expect(Set(lines.map { $0.prefix { $0 != "=" } }) == ["FERMATA", "PATH"])
    #expect(lines.contains("FERMATA=a b"))
  }

  @Test("a child inherits no open file")
  func files() throws {
    let inherited = dup(2)
    defer { close(inherited) }
    let list = try Child.run(shell, ["-c", "echo /proc/self/fd/*"])
    // What the shell itself opened to look is not among what existed when it expanded.
    #expect(!list.contains("/fd/\(inherited) ") && list.contains("/fd/2"))
  }

  @Test("a program that fails says why")
  func failure() throws {
    let error = #expect(throws: KitError.self) { try Child.run(shell, ["-c", "echo bad luck >&2; exit 3"]) }
    #expect(error?.description.contains("exit code 3") == true)
    #expect(error?.description.contains("bad luck") == true)
  }

  @Test("a missing program is named with the package that brings it")
  func missing() throws {
    let error = #expect(throws: KitError.self) { try Program.named("no-such-program", package: "no-such") }
    #expect(error?.description.contains("install the package no-such") == true)
  }

  @Test("one that takes too long is ended and reported")
  func patience() throws {
    #expect(throws: KitError.self) {
      try Child.run(shell, ["-c", "kill -STOP $$"], patience: .milliseconds(20))
    }
  }

  @Test("one that ignores the order to end is killed")
  func stubborn() throws {
    let child = try Child(
      shell, ["-c", "trap '' TERM; echo ready; while :; do read x; done"], isInteractive: true)
    #expect(try child.nextLine(until: .patient) == "ready")
    #expect(child.stop(within: .milliseconds(20)) == .killed(SIGKILL))
    #expect(throws: KitError.self) { try child.check() }
  }

  @Test("what a child started ends with it")
  func group() throws {
    let child = try Child(shell, ["-c", "exec 3<&0; cat <&3 & echo $!; wait"], isInteractive: true)
    let grandchild = try #require(Int32(try child.nextLine(until: .patient)))
    let handle = try FileDescriptor(clinux_pidfd_open(grandchild), "pidfd_open")
    let endedEarly = handle.waitReadable(until: .after(.zero))
    child.stop()
    let ended = handle.waitReadable(until: .patient)
    #expect(!endedEarly && ended)
  }

  @Test("when the test process ends in any way, its warden ends the children that are left, and no other")
  func warden() throws {
    let left = try Child(shell, ["-c", "read x"], isInteractive: true)
    let forgotten = try Child(shell, ["-c", "read x"], isInteractive: true)
    do {
      let warden = Warden()  // its input ends with this scope, as it does with a process
      for child in [forgotten, left] { warden.guardGroup(child.processID) }
      warden.forgetGroup(forgotten.processID)
    }
    #expect(left.exit(until: .patient) == .killed(SIGKILL))
    #expect(forgotten.exit() == nil)
  }

  @Test("an interactive program answers line by line")
  func interactive() throws {
    let child = try Child(
      shell, ["-c", "while read -r line; do echo \"<$line>\"; done"], isInteractive: true)
    for word in ["one", "two", ""] { #expect(try child.ask(word) == "<\(word)>") }
  }
}
