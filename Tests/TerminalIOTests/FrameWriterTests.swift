// SPDX-License-Identifier: MIT
import Glibc
import TerminalIO
import Testing

@Suite("Writing frames")
struct FrameWriterTests {
  /// A frame is a number; the bytes from one to another are both numbers, and a great many when asked for.
  private static func paint(_ size: Int) -> FrameWriter<Int>.Paint {
    { old, new in Array("<\(old.map(String.init) ?? "-")>\(new)".utf8) + [UInt8](repeating: 0x2E, count: size)
    }
  }

  private func readAvailable(_ descriptor: Int32) -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      if count <= 0 { return text }
      text += String(decoding: buffer[..<count].filter { $0 != 0x2E }, as: UTF8.self)
    }
  }

  @Test("each frame is painted over the one before, and a forgotten one whole")
  func frames() throws {
    let ends = try Channel(nonBlocking: true)
    defer { for end in [ends.read, ends.write] { close(end) } }
    var writer = FrameWriter<Int>(ends.write)
    writer.show(1, Self.paint(0))
    writer.show(2, Self.paint(0))
    writer.send(Array("title".utf8))
    writer.forget()
    writer.show(3, Self.paint(0))
    #expect(readAvailable(ends.read) == "<->1<1>2title<->3")
    #expect(!writer.isWaiting && !writer.isGone)
  }

  @Test("while a slow terminal takes one frame, only the newest of the others waits")
  func slow() throws {
    let ends = try Channel(nonBlocking: true)
    defer { for end in [ends.read, ends.write] { close(end) } }
    var writer = FrameWriter<Int>(ends.write)
    writer.show(1, Self.paint(4 << 20))
    #expect(writer.isWaiting)
    for frame in 2...9 { writer.show(frame, Self.paint(0)) }
    var text = ""
    while writer.isWaiting {
      text += readAvailable(ends.read)
      writer.goOn(Self.paint(0))
    }
    #expect(text + readAvailable(ends.read) == "<->1<1>9")
  }

  @Test("a frame that waits is not forgotten when other bytes find room first")
  func waitingFrame() throws {
    let ends = try Channel(nonBlocking: true)
    defer { for end in [ends.read, ends.write] { close(end) } }
    var writer = FrameWriter<Int>(ends.write)
    writer.show(1, Self.paint(4 << 20))
    writer.show(2, Self.paint(0))
    writer.send(Array("title".utf8))
    var text = ""
    while !text.hasSuffix("title") {
      text += readAvailable(ends.read)
      writer.send([])
    }
    #expect(writer.isWaiting)
    writer.goOn(Self.paint(0))
    #expect(text + readAvailable(ends.read) == "<->1title<1>2" && !writer.isWaiting)
  }

  @Test("what is half sent when a frame is forgotten is sent to its end, unless another has ended it")
  func halves() throws {
    let ends = try Channel(nonBlocking: true)
    defer { for end in [ends.read, ends.write] { close(end) } }
    var writer = FrameWriter<Int>(ends.write)
    writer.show(1, Self.paint(4 << 20))
    writer.forget()
    writer.show(2, Self.paint(0))
    var text = ""
    while writer.isWaiting {
      text += readAvailable(ends.read)
      writer.goOn(Self.paint(0))
    }
    #expect(text + readAvailable(ends.read) == "<->1<->2")
    writer.show(3, Self.paint(4 << 20))
    #expect(writer.isWaiting)
    writer.abandon()
    #expect(!writer.isWaiting && readAvailable(ends.read) == "<2>3")
    writer.show(4, Self.paint(0))
    #expect(readAvailable(ends.read) == "<->4")
  }

  @Test("that nobody is there any more is told, and nothing blocks")
  func gone() throws {
    Terminal.ignoreBrokenPipes()
    let ends = try Channel(nonBlocking: true)
    close(ends.read)
    defer { close(ends.write) }
    var writer = FrameWriter<Int>(ends.write)
    writer.show(1, Self.paint(10))
    #expect(writer.isGone && !writer.isWaiting)
  }
}
