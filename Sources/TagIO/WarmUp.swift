// SPDX-License-Identifier: MIT
internal import CLinux
internal import FileIO
internal import Glibc
internal import ReaderModel

extension TagReader {
  /// Reads small files that are made in memory for this. Afterwards everything that reading a real file needs is loaded: the C library's tables, code
  /// that is linked at its first call, and memory.
  package func warmUp() {
    for file in [Self.sampleMPEG, Self.sampleFLAC] {
      for isPictureWanted in [false, true] {
        guard let open = Self.inMemory(file) else { return }
        if isPictureWanted {
          _ = try? picture(of: open, isNamedMPEG: false)
        } else {
          _ = try? tags(of: open, isNamedMPEG: false)
        }
      }
    }
  }

  private static func inMemory(_ bytes: [UInt8]) -> OpenFile? {
    let descriptor = unsafe memfd_create("sample", clinux_memfd_cloexec)
    guard descriptor >= 0 else { return nil }
    let written = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    // A file that could not be written completely is read all the same, and found to be damaged.
    return OpenFile(owning: descriptor, size: max(0, written))
  }

  /// A small file for `warmUp`: an ID3v2 tag with texts in three encodings, silent frames, an APE tag and an ID3v1 tag.
  private static var sampleMPEG: [UInt8] {
    let texts: [(String, [UInt8])] = [
      ("TIT2", [0, 0x48, 0xe9]), ("TPE1", [1, 0xff, 0xfe, 0x48, 0]), ("TALB", [3, 0xc3, 0xa9]),
      ("TCON", Array("\0(17)".utf8)), ("TYER", Array("\u{0}1997".utf8)), ("TRCK", Array("\u{0}1/2".utf8)),
    ]
    var frames: [UInt8] = []
    for (name, text) in texts { frames += Array(name.utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text }
    var file = Array("ID3\u{3}\0\0\0\0\0".utf8) + [UInt8(frames.count)] + frames
    for _ in 0..<4 { file += [0xff, 0xfb, 0x90, 0] + nothing(413) }
    let item: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0] + Array("Album\0Hi".utf8)
    let counts: [UInt8] = [0xd0, 7, 0, 0, UInt8(item.count + 32), 0, 0, 0, 1, 0, 0, 0]
    file += item + Array("APETAGEX".utf8) + counts + nothing(12)
    return file + Array("TAG".utf8) + nothing(125)
  }

  /// A small file that `warmUp` reads, so that what TagLib needs is loaded before the process is closed in: the description of a stream, and comments
  /// with a gain, a number and a date.
  private static var sampleFLAC: [UInt8] {
    let comments = [
      "TITLE=Hé", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "TRACKNUMBER=3/4", "DATE=1997-05-20", "GENRE=Folk",
    ]
    var block: [UInt8] = [0, 0, 0, 0, UInt8(comments.count), 0, 0, 0]
    for comment in comments { block += [UInt8(comment.utf8.count), 0, 0, 0] + Array(comment.utf8) }
    var file: [UInt8] = Array("fLaC".utf8) + [0, 0, 0, 34]
    file += [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x0a, 0xc4, 0x42, 0xf0, 0, 0, 0x10, 0] + nothing(16)
    file += [0x84, 0, 0, UInt8(block.count)] + block
    return file + nothing(64)
  }

  private static func nothing(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
