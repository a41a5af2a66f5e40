// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FencedProcess
package import FileIO
import Glibc
import LoudnessIO
import MediaModel
import ReaderIO
import ReaderModel

/// The process that measures the loudness of files: takes open files from a socket, decodes them, and answers. It has one thread. It ends when it has
/// had no work for half a minute, when the agent closes the socket, and with the agent.
///
/// It is a program of its own, because it is linked with all decoders. The reader of tags has none, and is started more often.
package enum LoudnessLoop {
  /// A function that a test gives to `run`, which calls it with each file before the file is decoded.
  package typealias Glance = (borrowing OpenFile) -> Void

  /// How long the process waits for the next order, in seconds.
  private static let patience = 30

  /// Measures files for the agent until there is nothing more to do, and ends this process.
  package static func runProcess() -> Never {
    FencedProcess.end(run(), "fermata-loudness")
  }

  /// Measures files for the process at the other end of standard input until there is nothing more to do, and returns the exit status. `glance` is
  /// called with each file, for tests.
  package static func run(looking glance: @escaping Glance = { _ in }) -> Int32 {
    // FFmpeg is loaded with it.
    FencedProcess.run(patience: patience, load: NearDecodings.init) {
      socket, foreign throws(PacketSocket.Failure) in try serve(socket, foreign, glance)
    }
  }

  private static func serve(
    _ socket: borrowing PacketSocket, _ foreign: NearDecodings, _ glance: Glance
  ) throws(PacketSocket.Failure) -> Int32 {
    var measuring: Measuring?
    while true {
      var packet = try socket.receive(atMost: LoudnessProtocol.largestPacket)
      let files = packet.takeFiles()
      let reply: LoudnessReply
      switch LoudnessOrder(packet.bytes) {
      case .begin(let size) where files.count == 1:
        measuring = nil
        let file = OpenFile(owning: files[0], size: size)
        glance(file)
        do throws(LoudnessFailure) {
          let begun = try Measuring(file, foreign)
          measuring = begun
          reply = begun.step()
        } catch { reply = .failed(error) }
      case .goOn where files.isEmpty && measuring != nil: reply = measuring?.step() ?? .going
      default:
        for file in files { close(file) }
        return FencedProcess.Exit.nonsense
      }
      if reply != .going { measuring = nil }
      try socket.send(reply.bytes)
    }
  }
}

/// One file whose loudness is being measured. Owns its decoder. Used by one thread.
private final class Measuring {
  private let decoder: any Decoder
  private var meter: LoudnessMeter
  private var samples: [Float]
  private var framesLeft: Int

  /// The number of frames to decode at once: as many as the largest packet of any format has.
  private static let framesAtOnce = 8_192

  init(_ file: consuming OpenFile, _ foreign: NearDecodings) throws(LoudnessFailure) {
    do throws(DecodeError) { decoder = try Decoders.open(file, named: "", outside: foreign) } catch {
      throw Self.failure(error, foreign)
    }
    let format = decoder.format
    do throws(LoudnessMeterError) { meter = try LoudnessMeter(format) } catch {
      throw LoudnessFailure(.unfit, "can't be measured: there is no memory for \(format.channels) channels")
    }
    samples = [Float](repeating: 0, count: Self.framesAtOnce * format.channels)
    framesLeft = LoudnessProtocol.mostSeconds * format.rate
  }

  /// Measures the file's next seconds. Returns the loudness of the whole file when its end is reached, and otherwise that there is more.
  func step() -> LoudnessReply {
    var left = LoudnessProtocol.secondsAStep * decoder.format.rate
    do throws(DecodeError) {
      while left > 0 {
        var span = samples.mutableSpan
        let frames = try decoder.read(into: &span)
        if frames == 0 { return .measured(meter.measured) }
        meter.add(&span, frames: frames)
        left -= frames
        framesLeft -= frames
        if framesLeft <= 0 { return .failed(LoudnessFailure(.unfit, "lasts too long to be measured")) }
      }
      return .going
    } catch {
      // If a file breaks off, the part before is what a listener hears, so its loudness is the result.
      guard error.code != .unreadable, meter.measured.integrated != nil else {
        return .failed(Self.failure(error, nil))
      }
      return .measured(meter.measured)
    }
  }

  private static func failure(_ error: DecodeError, _ foreign: NearDecodings?) -> LoudnessFailure {
    switch error.code {
    case .unreadable, .cannotOpen, .notAFile: LoudnessFailure(.unreadable, error.reason)
    case .unsupported where foreign?.isMissing ?? false: LoudnessFailure(.missing, error.reason)
    default: LoudnessFailure(.unfit, error.reason)
    }
  }
}
