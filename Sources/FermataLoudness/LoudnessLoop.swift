// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FencedProcess
package import FileIO
import ForeignIO
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

/// Lets FFmpeg decode in this process itself, because this one is restricted already. Used by one thread.
final class NearDecodings: SoundDecodings, @unchecked Sendable {
  // Unchecked, but safe: this process has one thread.
  private let library: Result<ForeignLibrary, ForeignLibrary.Missing>

  /// Loads FFmpeg if it is installed. Make this value before the process is restricted, because afterwards nothing can be loaded.
  init() {
    do throws(ForeignLibrary.Missing) { library = .success(try ForeignLibrary()) } catch {
      library = .failure(error)
    }
  }

  /// Whether FFmpeg is missing. If so, files that need it are to be measured another time.
  var isMissing: Bool {
    if case .failure = library { true } else { false }
  }

  func take() throws(DecodeFailure) -> any SoundDecoding {
    switch library {
    case .success(let library): NearDecoding(library)
    case .failure(let missing): throw DecodeFailure(.missing, MissingLibrary.advice(missing.reason))
    }
  }

  func giveBack(_ decoding: any SoundDecoding) {}
}

/// A sound that FFmpeg decodes. Used by one thread.
private final class NearDecoding: SoundDecoding {
  private var sound: OrderedSound
  private var samples = [Float](repeating: 0, count: DecodeProtocol.sampleBytes / MemoryLayout<Float>.size)
  /// The function that reads the file; set only while an order to decode is carried out.
  private var supply: ((Int, inout MutableRawSpan) -> Int?)?
  /// How many bytes of the file the present order may still read.
  private var fuel = 0

  let hasRetired = false

  init(_ library: ForeignLibrary) { sound = OrderedSound(library) }

  func carryOut(
    _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
  ) throws(DecodeFailure) -> DecodeReply {
    try withoutActuallyEscaping(supply) { supply throws(DecodeFailure) in
      self.supply = supply
      defer { self.supply = nil }
      fuel = DecodeProtocol.mostBytesAnOrder
      return try carryOut(order)
    }
  }

  private func carryOut(_ order: DecodeOrder) throws(DecodeFailure) -> DecodeReply {
    try sound.carryOut(
      order,
      bytes: { size in
        ForeignBytes(size: size) { [unowned self] offset, buffer in read(at: offset, into: buffer) }
      },
      decode: { (sound, frames) throws(DecodeFailure) in
        let most = min(frames, samples.count / sound.sound.format.channels)
        var failure: DecodeFailure?
        let count = samples.withUnsafeMutableBufferPointer { room in
          do throws(DecodeFailure) { return try sound.read(most, into: room) } catch {
            failure = error
            return 0
          }
        }
        if let failure { throw failure }
        return count
      })
  }

  private func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    // Each request costs more than its bytes, so that many small requests reach the limit too.
    fuel -= buffer.count + 4_096
    guard fuel > 0, let supply else { return nil }
    var span = MutableRawSpan(_unsafeBytes: buffer)
    return supply(offset, &span)
  }

  func copySamples(from start: Int, _ count: Int, into room: inout MutableSpan<Float>) {
    for index in 0..<count { room[index] = samples[start + index] }
  }
}
