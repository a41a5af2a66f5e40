// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import FileIO
import MediaModel
import PadModel

/// A kit of pads that is ready to be played.
struct LoadedKit: Sendable {
  let kit: Kit
  /// The kit's folder; nil for the kit that comes with the program.
  let folder: FilePath?
  /// A mixer with the kit's sounds, none of which plays yet.
  let mixer: PadMixer
}

/// Reads a kit's folder and decodes its samples into memory. Every call blocks.
struct KitLoader {
  private let folder: FilePath
  private let job: BlockingJob
  /// The samples, decoded, by their paths: one that several pads share is decoded once.
  private var sounds: [String: PadSound] = [:]
  private var bytes = 0

  private static let text: FilePath = "kit.conf"
  /// How many frames are decoded at once.
  private static let piece = 4_096
  /// The largest value that a sound may have; larger ones are cut down to it. A file of floats may hold any number, and a bad one must not hurt
  /// anybody's ears; no recording comes near this limit.
  private static let loudest: Float = 4

  /// Loads the kit in a folder, or the one that comes with the program if `folder` is nil. Its pads get the volumes in `memory`. `job` is told which
  /// file is being read, and cancels the loading.
  static func load(_ folder: FilePath?, _ memory: PadMemory, _ job: BlockingJob) throws(KitError) -> LoadedKit
  {
    guard let folder else { return ready(Drums.kit, Drums.sounds(), nil, memory) }
    var loader = KitLoader(folder: folder, job: job)
    let kit = try loader.readText()
    var sounds: [PadSound] = []
    for pad in kit.pads { sounds.append(try loader.sound(of: pad)) }
    // Resampling a long sound takes a while. One sound at a time, each reported as progress, so that the job does not look as if its disk hung. What
    // several pads share is resampled once, or the kit would take far more memory than its limit.
    let rate = PadSound.commonRate(of: sounds)
    for (sample, sound) in loader.sounds where job.goesOn() {
      loader.sounds[sample] = sound.resampled(to: rate)
    }
    return ready(kit, kit.pads.compactMap { loader.sounds[$0.sample] }, folder, memory)
  }

  private static func ready(
    _ kit: Kit, _ sounds: [PadSound], _ folder: FilePath?, _ memory: PadMemory
  ) -> LoadedKit {
    var mixer = PadMixer(kit, sounds, volume: memory.volume)
    for (pad, volume) in memory.volumes where pad <= kit.pads.count { mixer.set(volume: volume, of: pad - 1) }
    return LoadedKit(kit: kit, folder: folder, mixer: mixer)
  }

  private init(folder: FilePath, job: BlockingJob) { (self.folder, self.job) = (folder, job) }

  // MARK: The text

  private func readText() throws(KitError) -> Kit {
    let path = folder.entry(Self.text)
    job.looks(at: path.text)
    let bytes: [UInt8]
    do throws(OpenFile.Failure) {
      bytes = try Self.head(of: path)
    } catch {
      throw failure(to: "'\(path.text)'", error)
    }
    guard bytes.count <= KitText.mostBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw KitError(.mistake, line: 1, "it is no text in UTF-8, or longer than a kit's can be")
    }
    return try KitText.read(text, folderName: folder.lastComponent?.text ?? "kit")
  }

  private static func head(of path: FilePath) throws(OpenFile.Failure) -> [UInt8] {
    let file = try OpenFile(path)
    do throws(SystemError) { return try file.head(KitText.mostBytes + 1) } catch { throw .system(error) }
  }

  private func failure(to name: String, line: Int? = nil, _ error: OpenFile.Failure) -> KitError {
    switch error {
    case .system(let error):
      KitError(error.isMissing ? .missing : .unplayable, line: line, "\(name): \(String(errno: error.code))")
    case .notAFile(let kind): KitError(.mistake, line: line, "\(name) is \(kind.name), not a file")
    }
  }

  // MARK: The samples

  private mutating func sound(of pad: Pad) throws(KitError) -> PadSound {
    if let known = sounds[pad.sample] { return known }
    let path = try path(of: pad)
    job.looks(at: path.text)
    let sound = try decode(path, for: pad)
    sounds[pad.sample] = sound
    return sound
  }

  /// The path of a sample. Links are followed, but must not lead out of the kit's folder.
  private func path(of pad: Pad) throws(KitError) -> FilePath {
    guard let name = FilePath(pad.sample), case let path = folder.entry(name), let real = path.real,
      let home = folder.real
    else { throw KitError(.missing, line: pad.sampleLine, "'\(pad.sample)': there is no such file") }
    guard real.isBelow(home) else {
      throw KitError(
        .mistake, line: pad.sampleLine,
        "'\(pad.sample)' is a link that leads out of the kit's folder; copy the sample there")
    }
    do throws(OpenFile.Failure) { _ = try OpenFile(path) } catch {
      throw failure(to: "'\(pad.sample)'", line: pad.sampleLine, error)
    }
    return path
  }

  private mutating func decode(_ path: FilePath, for pad: Pad) throws(KitError) -> PadSound {
    let sound: PadSound
    do throws(DecodeError) { sound = try decode(path) } catch {
      throw KitError(.unplayable, line: pad.sampleLine, "'\(pad.sample)' \(error.reason)")
    }
    guard bytes <= Kit.mostBytes else {
      throw KitError(
        .mistake, line: pad.sampleLine,
        "'\(pad.sample)' is too long: with it the kit's samples take more than \(Kit.mostBytes >> 20) MiB of memory"
      )
    }
    return sound
  }

  /// Decodes a file to its end, or until the kit's memory is full.
  private mutating func decode(_ path: FilePath) throws(DecodeError) -> PadSound {
    let decoder = try Decoders.open(path, outside: SoundOpener.outside)
    let format = decoder.format
    guard format.channels <= 2 else {
      throw DecodeError(
        .unsupported, file: path.text, reason: "has \(format.channels) channels; a pad takes one or two")
    }
    var samples: [Float] = []
    var piece = [Float](repeating: 0, count: Self.piece * format.channels)
    while job.goesOn() {
      var span = piece.mutableSpan
      let count = try decoder.read(into: &span) * format.channels
      guard count > 0, take(count, rate: format.rate) else { break }
      samples += piece.prefix(count).lazy.map { SampleBounds.bounded($0, by: Self.loudest) }
    }
    return PadSound(rate: format.rate, channels: format.channels, samples: samples)
  }

  /// Adds decoded samples to the memory that the kit takes, and returns whether that is still within its limit. A sound of a lower rate counts as
  /// much as it takes at 48 kHz, because it may be resampled to that for mixing.
  private mutating func take(_ count: Int, rate: Int) -> Bool {
    bytes += count * MemoryLayout<Float>.size * max(48_000, rate) / rate
    return bytes <= Kit.mostBytes
  }
}

/// The file in the state folder that stores which kit was loaded last, and the volumes of its pads. Every call blocks on the disk.
struct PadFile: Sendable {
  private let path: FilePath

  private static let mostBytes = 1 << 16

  /// The file in this state folder.
  init(in folder: FilePath) { path = folder.entry("pads") }

  /// The kit and volumes that are stored; those of a new user if nothing can be read.
  func read() -> PadMemory {
    guard let file = try? OpenFile(path), let bytes = try? file.head(Self.mostBytes) else {
      return PadMemory()
    }
    return PadMemory(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Stores the kit and volumes. After a crash the file has either the old or the new ones.
  func write(_ memory: PadMemory) throws(SystemError) { try NewFile.write(Array(memory.text.utf8), at: path) }
}
