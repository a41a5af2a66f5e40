// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
import Testing

@testable import ProcessIO

@Suite("Processes as the system describes them")
struct ProcessTableTests {
  @Test("this process, its program and its ancestors")
  func ownProcess() throws {
    let records = ProcessTable.records(of: [getpid()])
    let own = try #require(records[getpid()])
    #expect(own.parent == getppid())
    #expect(own.program?.isEmpty == false)
    #expect(own.flatpak == nil)
    if getppid() > 1 { #expect(records[getppid()] != nil) }
  }

  @Test("a child is led back to this process")
  func child() throws {
    let child = try Child(.named("cat", package: "coreutils"), isInteractive: true)
    let records = ProcessTable.records(of: [child.processID])
    #expect(records[child.processID]?.program == "cat")
    #expect(records[child.processID]?.parent == getpid())
    child.kill()
  }

  @Test("a process that is not there is left out")
  func nobody() { #expect(ProcessTable.records(of: [Int32.max, 0, -1]).isEmpty) }

  @Test(
    "a parent behind any name",
    arguments: [
      ("17 (mpv) S 4 17 17 0", 4), ("17 (a) S 9 (b)) S 5 17", 5), ("17 (x", nil), ("17 (x) S", nil),
      ("", nil),
      ("17 (x) S four", nil),
    ] as [(String, Int32?)])
  func parent(line: String, expected: Int32?) {
    #expect(ProcessTable.parent(inStat: Array(line.utf8)) == expected)
  }

  @Test(
    "the application of a Flatpak",
    arguments: [
      ("[Application]\nname=org.a.B\nruntime=x\n", "org.a.B"),
      ("[Instance]\nname=no\n[Application]\nx=y\nname=org.c\n", "org.c"),
      ("[Application]\n[Instance]\nname=no\n", nil), ("name=no", nil), ("[Application]\nname=", nil),
      ("", nil),
    ] as [(String, String?)])
  func flatpak(text: String, expected: String?) {
    #expect(ProcessTable.application(inInformation: Array(text.utf8)) == expected)
  }
}
