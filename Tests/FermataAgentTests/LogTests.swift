// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Glibc
import Testing

@testable import FermataAgent

@Suite("The log")
struct LogTests {
  @Test("only the file that the environment names is the journal")
  func journal() throws {
    let folder = try TemporaryDirectory()
    let file = open(try folder.write("one", ""), O_RDONLY)
    let other = open(try folder.write("other", ""), O_RDONLY)
    defer {
      close(file)
      close(other)
    }
    var status = stat()
    try #require(fstat(file, &status) == 0)
    let name = "\(status.st_dev):\(status.st_ino)"
    #expect(LineStream(file, journal: name).isJournal)
    #expect(!LineStream(other, journal: name).isJournal, "inherited by a program that writes elsewhere")
    for wrong in [nil, "", "\(status.st_ino)", "0:0", name + "0"] {
      #expect(!LineStream(file, journal: wrong).isJournal)
    }
    #expect(!LineStream(-1, journal: name).isJournal)
  }

  @Test("what nobody reads is left out instead of waited for, and counted")
  func unread() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let log = Log(isVerbose: true, to: LineStream(ends[1]))
    // Far more than a pipe holds: this test ends only if none of it is waited for.
    for number in 0..<5_000 { log(.info, "line \(number) " + String(repeating: "x", count: 100)) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(ends[0], &bytes, bytes.count)
    try #require(count > 0)
    let kept = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
    #expect(kept.first.map { String($0) } == "fermata: line 0 " + String(repeating: "x", count: 100))
    log(.info, "read again")
    let rest = read(ends[0], &bytes, bytes.count)
    try #require(rest > 0)
    #expect(
      String(decoding: bytes.prefix(rest), as: UTF8.self).split(separator: "\n") == [
        "fermata: \(5_000 - kept.count) lines are missing here: nobody read the log", "fermata: read again",
      ])
  }

  @Test("evidence is put into words only for who wants it")
  func lazy() {
    var asked = 0
    func text() -> String {
      asked += 1
      return ""
    }
    Log()(.debug, text())
    #expect(asked == 0)
  }
}
