// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import TerminalIO
import Testing

@Suite("Writing lines")
struct LineWriterTests {
  @Test("a line is written with its end")
  func line() throws {
    let ends = try Channel()
    #expect(try LineWriter(ends.write).write(line: "é") == .written)
    close(ends.write)
    #expect(readAll(ends.read) == Array("é\n".utf8))
  }

  @Test("all is written to a pipe that doesn't block, however slow its reader")
  func nonBlocking() throws {
    let ends = try Channel(nonBlocking: true)
    // Far more than the system holds, read by another thread.
    let text = String(repeating: "0123456789", count: 100_000)
    var thread = pthread_t()
    let descriptor = UnsafeMutableRawPointer(bitPattern: Int(ends.read))
    try #require(
      pthread_create(
        &thread, nil, { UnsafeMutableRawPointer(bitPattern: readAll(Int32(Int(bitPattern: $0))).count) },
        descriptor)
        == 0)
    #expect(try LineWriter(ends.write).write(text) == .written)
    close(ends.write)
    var count: UnsafeMutableRawPointer?
    pthread_join(thread, &count)
    #expect(Int(bitPattern: count) == text.utf8.count)
  }

  @Test("that nobody reads any more is no error")
  func readerGone() throws {
    Terminal.ignoreBrokenPipes()
    let ends = try Channel()
    close(ends.read)
    defer { close(ends.write) }
    #expect(try LineWriter(ends.write).write(line: "x") == .readerGone)
  }

  @Test("a full disk is an error with the system's reason")
  func full() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    let error = #expect(throws: TerminalError.self) { try LineWriter(full).write(line: "x") }
    #expect(error?.code == ENOSPC && error?.operation == .write)
  }

  @Test("a terminal knows its columns, anything else has none")
  func columns() throws {
    let terminal = try PseudoTerminal(columns: 132)
    #expect(Terminal.isTerminal(terminal.slave) && Terminal.columns(of: terminal.slave) == 132)
    #expect(Terminal.columns(of: try PseudoTerminal(columns: 0).slave) == nil)
    let ends = try Channel()
    #expect(!Terminal.isTerminal(ends.read) && Terminal.columns(of: ends.read) == nil)
    close(ends.read)
    close(ends.write)
  }
}

/// Reads a descriptor to its end and closes it.
private func readAll(_ descriptor: Int32) -> [UInt8] {
  var all: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  while poll(&item, 1, Deadline.patient.milliseconds) == 1 {
    let count = read(descriptor, &buffer, buffer.count)
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { break }
    if count > 0 { all += buffer[..<count] }
  }
  close(descriptor)
  return all
}
