// SPDX-License-Identifier: MIT
import AudioModel
import ForeignIO
import ReaderModel

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
