// SPDX-License-Identifier: MIT
import FermataTestKit

/// Files that FFmpeg decodes for us, made by FFmpeg's encoders but for Musepack's and Monkey's Audio.
extension Corpus {
  /// None if the programs were built without FFmpeg.
  static let foreign: [Recipe] = Outside.client == nil ? [] : lossless + lossy + slow + [musepack] + monkeys

  /// Sounds that are long enough for the whole ticks to go wrong that FFmpeg counts for each of their packets.
  private static let slow: [Recipe] = [("slow.dts", ["-c:a", "dca", "-strict", "-2"], 500_000)].map {
    name, options, frames in
    Recipe(
      name: name, signal: .sines(rate: 44_100, channels: 2, frames: frames), samples: .s16,
      encoder: ffmpeg + ["-i", "IN"] + options + ["OUT"], reference: Cut.nothing.decoder(frames: frames),
      tolerance: 0.1, seekTolerance: 0.02)
  }

  /// What comes out must be what went in.
  private static let lossless: [Recipe] = [
    ("alac.m4a", 44_100, 2, WAVFile.Samples.s16, ["-c:a", "alac"]),
    ("alac-24.m4a", 96_000, 2, .s24, ["-c:a", "alac"]),
    ("alac-mono.m4a", 8_000, 1, .s16, ["-c:a", "alac"]),
    ("alac-slow-clock.m4a", 44_100, 2, .s16, ["-c:a", "alac", "-movie_timescale", "600"]),
    ("plain.wv", 44_100, 2, .s16, ["-c:a", "wavpack"]),
    ("24.wv", 48_000, 2, .s24, ["-c:a", "wavpack"]),
    ("plain.tta", 44_100, 2, .s16, ["-c:a", "tta"]),
    ("flac.mka", 44_100, 2, .s16, ["-c:a", "flac"]),
    ("flac.mp4", 44_100, 2, .s16, ["-c:a", "flac", "-strict", "-2"]),
    ("pcm.mka", 48_000, 2, .s16, ["-c:a", "pcm_s16le"]),
    ("alac.mka", 44_100, 2, .s16, ["-c:a", "alac"]),
  ].map { name, rate, channels, samples, options in
    Recipe(
      name: name, signal: .noise(rate: rate, channels: channels, frames: 50_000), samples: samples,
      encoder: ffmpeg + ["-i", "IN"] + options + ["OUT"], reference: [], tolerance: 0)
  }

  /// What comes out must be what FFmpeg's own program makes of it, cut to the length that went in where the file says so.
  private static let lossy: [Recipe] = [
    // AAC and AC-3 draw noise from a generator that goes on from frame to frame, so a seek changes what is drawn. Without such noise
    // (aac-plain) nothing differs.
    ("aac.m4a", 44_100, 2, ["-c:a", "aac"], Cut.length, Float(0.05)),
    ("aac-mono.m4a", 22_050, 1, ["-c:a", "aac", "-b:a", "48k"], .length, 0.05),
    ("aac-6.m4b", 48_000, 6, ["-c:a", "aac", "-f", "ipod"], .length, 0.05),
    ("aac-fast.m4a", 44_100, 2, ["-c:a", "aac", "-movflags", "+faststart"], .length, 0.05),
    ("aac-plain.m4a", 44_100, 2, ["-c:a", "aac", "-aac_pns", "0"], .length, 0),
    ("aac.aac", 44_100, 2, ["-c:a", "aac", "-f", "adts"], .nothing, 0.05),
    ("opus.mka", 48_000, 2, ["-c:a", "libopus", "-b:a", "128k"], .length, 0.01),
    ("short.mka", 48_000, 2, ["-c:a", "libopus", "-b:a", "128k", "-frame_duration", "10"], .length, 0.01),
    ("opus.webm", 48_000, 1, ["-c:a", "libopus", "-b:a", "64k"], .length, 0.01),
    ("mp3.mka", 44_100, 2, ["-c:a", "libmp3lame", "-b:a", "128k"], .beginning(mp3Padding), 1e-6),
    ("wma.wma", 44_100, 2, ["-c:a", "wmav2"], .nothing, 0),
    ("slow.wma", 22_050, 2, ["-c:a", "wmav2"], .nothing, 0),
    // At few bits WMA fills bands with noise from a generator that goes on from packet to packet.
    ("slower.wma", 16_000, 1, ["-c:a", "wmav2"], .nothing, 0.01),
    ("old.wma", 44_100, 2, ["-c:a", "wmav1"], .nothing, 0),
    ("ac3.ac3", 48_000, 2, ["-c:a", "ac3"], .nothing, 0.05),
    ("eac3.eac3", 48_000, 6, ["-c:a", "eac3"], .nothing, 0.05),
    ("dts.dts", 48_000, 2, ["-c:a", "dca", "-strict", "-2"], .nothing, 0.02),
    ("vorbis.mka", 44_100, 2, ["-c:a", "libvorbis"], .asTold, 0),
    ("vorbis.webm", 48_000, 1, ["-c:a", "libvorbis"], .asTold, 0),
    ("fast-vorbis.mka", 96_000, 2, ["-c:a", "libvorbis"], .asTold, 0),
  ].map { name, rate, channels, options, cut, tolerance in
    Recipe(
      name: name, signal: .sines(rate: rate, channels: channels, frames: 50_000), samples: .s16,
      encoder: ffmpeg + ["-i", "IN"] + options + ["OUT"], reference: cut.decoder(frames: 50_000),
      tolerance: name == "dts.dts" ? 0.1 : 0,
      seekTolerance: tolerance)
  }

  /// Musepack's own programs make it, and judge what comes out. They write 16 bits.
  private static let musepack = Recipe(
    name: "musepack.mpc", signal: .sines(rate: 44_100, channels: 2, frames: 50_000), samples: .s16,
    encoder: mpcenc + ["IN", "OUT"], reference: ["mpcdec", "IN", "OUT"], tolerance: 3)

  static let mpcenc = ["mpcenc", "--overwrite", "--silent"]

  static let ffmpeg = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-bitexact"]

  /// How much FFmpeg's own program leaves in of what an MP3's encoder put before the sound. Since release 7 it writes into Matroska how
  /// much that is; release 7 leaves all of it in all the same, release 9 cuts it. So it is counted, by a file of a known length.
  private static let mp3Padding: Int = {
    let words = try? Child.run(.named("ffmpeg", package: "ffmpeg"), ["-version"]).split(separator: " ")
    let major = words?.dropFirst(2).first?.split(separator: ".").first.flatMap { Int($0) } ?? 0
    let plain = Recipe(
      name: "padding.mka", signal: .sines(rate: 44_100, channels: 2, frames: 50_000), samples: .s16,
      encoder: ffmpeg + ["-i", "IN", "-c:a", "libmp3lame", "-b:a", "128k", "OUT"],
      reference: Cut.beginning(0).decoder(frames: 50_000), tolerance: 0)
    guard major >= 7, let corpus = try? Corpus(), let path = try? corpus.make(plain),
      let decoded = try? corpus.reference(plain, of: path)
    else { return 0 }
    return max(0, decoded.frames - 50_000)
  }()

  /// What is to be cut of what FFmpeg's program decodes.
  private enum Cut {
    /// So many frames of the beginning; the rest it cuts itself.
    case beginning(Int)
    /// The end, which it leaves in.
    case length
    /// Nothing: no end is stated, and of the beginning it is to leave everything as well.
    case nothing
    /// Nothing: what the file tells, it cuts itself. Only newer releases write into Matroska where Vorbis ends.
    case asTold

    func decoder(frames: Int) -> [String] {
      switch self {
      case .beginning(let padding):
        ffmpeg + ["-i", "IN", "-af", "atrim=start_sample=\(padding)", "-c:a", "pcm_f32le", "OUT"]
      case .length:
        ffmpeg + ["-i", "IN", "-af", "atrim=end_sample=\(frames)", "-c:a", "pcm_f32le", "OUT"]
      case .asTold: ffmpeg + ["-i", "IN", "-c:a", "pcm_f32le", "OUT"]
      case .nothing:
        ffmpeg + ["-flags2", "skip_manual", "-drc_scale", "0", "-i", "IN", "-c:a", "pcm_f32le", "OUT"]
      }
    }
  }
}
