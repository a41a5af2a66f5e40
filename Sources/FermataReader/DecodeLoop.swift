// SPDX-License-Identifier: MIT
import AudioModel
import FencedProcess
import ForeignIO
import Glibc
import ReaderIO
import ReaderModel

/// `fermata-reader decode`: decodes one sound at a time for the agent. It has no access to the file: the agent reads the bytes for it. It ends when
/// it has had no work for a minute, when the agent closes the socket, and when the agent ends.
enum DecodeLoop {
  /// How long the process waits for the next order, in seconds.
  private static let patience = 60

  /// Decodes sounds for the process at the other end of standard input, and returns the exit status.
  static func run() -> Int32 {
    FencedProcess.run(patience: patience) {
      Result { () throws(ForeignLibrary.Missing) in try ForeignLibrary() }
    } serve: { socket, loaded throws(PacketSocket.Failure) in
      switch loaded {
      case .failure(let missing):
        try socket.send(DecodeReadiness.missing(missing.reason).bytes)
        return FencedProcess.Exit.done
      case .success(let library):
        try socket.send(DecodeReadiness.ready(library.release).bytes)
        guard let memory = try memory(from: socket) else { return FencedProcess.Exit.nonsense }
        return try DecodeDesk(socket, memory, library).serve()
      }
    }
  }

  /// The memory that this process and the agent share for a file's bytes and decoded samples. Its descriptor comes with the agent's first packet.
  private static func memory(from socket: borrowing PacketSocket) throws(PacketSocket.Failure)
    -> SharedMemory?
  {
    var packet = try socket.receive(atMost: DecodeProtocol.largestPacket)
    let files = packet.takeFiles()
    defer { for file in files { close(file) } }
    return files.first.flatMap { SharedMemory($0, DecodeProtocol.memorySize) }
  }
}

/// Carries out the agent's orders to decode, one after another. Used by one thread.
private final class DecodeDesk {
  private let socket: PacketSocket
  private let memory: SharedMemory
  private var sound: OrderedSound
  /// The range of the file's bytes that is in the memory shared with the agent.
  private var piece = 0..<0
  /// Why the connection to the agent failed, if it did while an order was carried out.
  private var lost: PacketSocket.Failure?

  /// How many bytes of the file are requested after a jump: few, because another jump may follow. When it reads on, it requests more.
  private static let smallPiece = 16 << 10

  init(_ socket: consuming PacketSocket, _ memory: SharedMemory, _ library: ForeignLibrary) {
    self.socket = socket
    (self.memory, sound) = (memory, OrderedSound(library))
  }

  func serve() throws(PacketSocket.Failure) -> Int32 {
    while true {
      let packet = try socket.receive(atMost: DecodeProtocol.largestPacket)
      guard let order = DecodeOrder(packet.bytes) else { return FencedProcess.Exit.nonsense }
      let reply = reply(to: order)
      if let lost { throw lost }
      try socket.send(reply.bytes)
    }
  }

  private func reply(to order: DecodeOrder) -> DecodeReply {
    do throws(DecodeFailure) { return try carryOut(order) } catch { return .failed(error) }
  }

  private func carryOut(_ order: DecodeOrder) throws(DecodeFailure) -> DecodeReply {
    if case .open = order { piece = 0..<0 }
    return try sound.carryOut(
      order,
      bytes: { size in
        ForeignBytes(size: size) { [unowned self] offset, buffer in read(at: offset, into: buffer) }
      },
      decode: { (sound, frames) throws(DecodeFailure) in
        let channels = sound.sound.format.channels
        let room = DecodeProtocol.sampleBytes / (channels * MemoryLayout<Float>.size)
        return try memory.with(0..<DecodeProtocol.sampleBytes) { bytes throws(DecodeFailure) in
          try sound.read(min(frames, room), into: bytes.bindMemory(to: Float.self))
        }
      })
  }

  // MARK: Bytes

  private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    if !piece.contains(offset) {
      let isReadOn = offset == piece.upperBound
      guard ask(for: isReadOn ? DecodeProtocol.inputBytes : max(Self.smallPiece, buffer.count), at: offset)
      else {
        return nil
      }
    }
    let count = min(buffer.count, piece.upperBound - offset)
    let start = DecodeProtocol.sampleBytes + offset - piece.lowerBound
    memory.with(start..<start + count) { buffer.copyMemory(from: UnsafeRawBufferPointer($0)) }
    return count
  }

  /// Asks the agent for bytes. Returns false if the agent can't supply them.
  private func ask(for count: Int, at offset: Int) -> Bool {
    let count = min(count, DecodeProtocol.inputBytes)
    piece = offset..<offset
    guard lost == nil else { return false }
    do throws(PacketSocket.Failure) {
      try socket.send(DecodeReply.needs(offset: offset, count: count).bytes)
      let packet = try socket.receive(atMost: DecodeProtocol.largestPacket)
      guard case .bytes(let got)? = DecodeOrder(packet.bytes), let got, got <= count else { return false }
      piece = offset..<offset + got
      return true
    } catch {
      lost = error
      return false
    }
  }
}
