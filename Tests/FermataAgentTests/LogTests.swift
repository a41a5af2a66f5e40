// SPDX-License-Identifier: MIT
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
    #expect(Log.isJournal(file, name))
    #expect(!Log.isJournal(other, name), "inherited by a program that writes elsewhere")
    for wrong in [nil, "", "\(status.st_ino)", "0:0", name + "0"] { #expect(!Log.isJournal(file, wrong)) }
    #expect(!Log.isJournal(-1, name))
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
