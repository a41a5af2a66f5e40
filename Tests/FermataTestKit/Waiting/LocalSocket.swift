// SPDX-License-Identifier: MIT
import Glibc

/// Functions for sockets in the file system and between two processes.
enum LocalSocket {
  /// Whether a server accepts connections on the socket at `path`.
  static func isConnectable(_ path: String) throws -> Bool {
    let socket = try FileDescriptor(
      Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
    var address = try address(path)
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(socket.number, address, size) == 0
      }
    }
  }

  private static func address(_ path: String) throws -> sockaddr_un {
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else {
      throw KitError("\(path) is too long for a socket: \(room - 1) bytes")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    return address
  }

  /// Waits until a server accepts connections at `path`. Throws if the server dies first, with its error output, and
  /// if the deadline passes.
  static func waitConnectable(_ path: String, server: Child, until deadline: Deadline) throws {
    // Between two attempts it waits for the end of the server, because then there is nothing left to wait for.
    while try !isConnectable(path) {
      guard server.exit(until: .after(.milliseconds(1))) == nil else { throw server.obituary() }
      guard !deadline.hasPassed else { throw KitError("\(server.name) does not listen at \(path)") }
    }
  }

  /// Two sockets that are connected to each other.
  static func pair() throws -> SocketPair {
    var numbers: (Int32, Int32) = (-1, -1)
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let result = unsafe withUnsafeMutableBytes(of: &numbers) {
      unsafe socketpair(AF_UNIX, type, 0, $0.assumingMemoryBound(to: Int32.self).baseAddress)
    }
    guard result == 0 else { throw KitError.system("socketpair", code: errno) }
    return SocketPair(
      near: try FileDescriptor(numbers.0, "socket"), far: try FileDescriptor(numbers.1, "socket"))
  }
}

/// The two ends of a connection between this process and a child.
struct SocketPair: ~Copyable {
  let near: FileDescriptor
  let far: FileDescriptor

  /// Returns the near end and closes the far one. Call it once the child has its copy of the far end.
  consuming func takeNear() -> FileDescriptor { near }
}

extension FileDescriptor {
  /// Sends all of a short text to a socket. If the other end is closed, it throws; there is no signal.
  func send(_ text: String) throws {
    var text = text
    let sent = text.withUTF8 { unsafe Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent == text.utf8.count else { throw KitError.system("send", code: errno) }
  }

  /// The next line, without its line break. Blocks. Throws if none comes in time or the other end is closed.
  func receiveLine(until deadline: Deadline) throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      guard waitReadable(until: deadline) else { throw KitError("no answer in time") }
      guard unsafe read(number, &byte, 1) == 1 else { throw KitError("the other end is gone") }
      guard byte != UInt8(ascii: "\n") else { return String(decoding: line, as: UTF8.self) }
      guard line.count < 4096 else { throw KitError("a line without end") }
      line.append(byte)
    }
  }

  /// What comes through the end of these words; with nil, until the other end is closed. Blocks. Throws if that takes too long.
  func receive(through words: String?, until deadline: Deadline) throws -> String {
    var text: [UInt8] = []
    var byte: UInt8 = 0
    let end = Array((words ?? "").utf8)
    while end.isEmpty || !text.suffix(end.count).elementsEqual(end) {
      guard waitReadable(until: deadline) else {
        throw KitError(
          "not in time, after \(String(decoding: text.suffix(512), as: UTF8.self).debugDescription)")
      }
      guard unsafe read(number, &byte, 1) == 1 else {
        if words == nil { break }
        throw KitError("the end is gone, after \(String(decoding: text, as: UTF8.self).debugDescription)")
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
