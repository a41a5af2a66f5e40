// SPDX-License-Identifier: MIT
import CommandModel
import Glibc
import TerminalIO
import Testing

@Suite("Reading keys")
struct KeyReaderTests {
  private let ends: Channel

  init() throws { ends = try Channel() }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(ends.write, bytes, bytes.count) == bytes.count)
  }

  @Test("keys come as they are typed, and the end is the end")
  func keys() throws {
    defer { close(ends.read) }
    var reader = KeyReader(ends.read)
    send("n\u{1B}[A")
    #expect(try reader.read() == [.character("n"), .up])
    close(ends.write)
    #expect(try reader.read() == nil)
  }

  @Test("a sequence may come in two reads, and a lone escape is the key when no more comes")
  func escape() throws {
    defer {
      close(ends.read)
      close(ends.write)
    }
    var reader = KeyReader(ends.read)
    send("\u{1B}")
    #expect(try reader.read() == [] && reader.isPending)
    send("[B")
    #expect(try reader.read() == [.down])
    send("\u{1B}")
    #expect(try reader.read() == [] && reader.isPending)
    #expect(reader.expire() == [.escape])
    #expect(!reader.isPending)
  }

  @Test("what can't be read is an error")
  func broken() {
    close(ends.read)
    close(ends.write)
    var reader = KeyReader(-1)
    let error = #expect(throws: TerminalError.self) { try reader.read() }
    #expect(error?.code == EBADF && error?.description == "Bad file descriptor")
  }
}
