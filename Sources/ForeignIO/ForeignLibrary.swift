// SPDX-License-Identifier: MIT
internal import CFermataAV
internal import Glibc
import ReaderModel

/// Our library that decodes with FFmpeg, loaded into this process. It stays loaded until the process ends.
@safe
package struct ForeignLibrary {
  /// Why the library can't be loaded, in the words of the system's loader.
  package struct Missing: Error {
    package let reason: String
  }

  /// The name of the library's file, which lies beside the program that loads it.
  package static let name = "libfermata-av.so"

  let table: UnsafePointer<fav_table>

  /// Loads the library from beside this program, and with it FFmpeg's libraries. Takes some 50 ms.
  package init() throws(Missing) {
    guard let path = Self.path else { throw Missing(reason: "this program can't be found") }
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw Missing(
        reason: unsafe dlerror().map { unsafe String(cString: $0) } ?? "\(Self.name) can't be loaded")
    }
    guard let symbol = unsafe dlsym(handle, FAV_ENTRY) else {
      throw Missing(reason: "\(Self.name) is none of fermata's")
    }
    // This is safe: the header with which the library was compiled declares the symbol as a function of this type.
    let entry = unsafe unsafeBitCast(symbol, to: fav_entry.self)
    guard let table = unsafe entry(FAV_VERSION) else {
      throw Missing(reason: "\(Self.name) is of another version")
    }
    unsafe self.table = unsafe table
  }

  /// FFmpeg's own version.
  package var release: String { unsafe table.pointee.release().map { unsafe String(cString: $0) } ?? "" }

  private static var path: String? {
    let room = 4_096
    var buffer = [CChar](repeating: 0, count: room)
    let count = unsafe readlink("/proc/self/exe", &buffer, room)
    guard count > 0, count < room else { return nil }
    let program = String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard let slash = program.lastIndex(of: "/") else { return nil }
    return program[...slash] + name
  }
}

extension DecodeContainer {
  /// What FFmpeg calls the demuxer, the part that reads this container.
  var demuxer: String {
    switch self {
    case .mp4: "mov"
    case .adts: "aac"
    case .wavPack: "wv"
    case .monkeys: "ape"
    case .windowsMedia: "asf"
    case .matroska: "matroska"
    case .trueAudio: "tta"
    case .ac3: "ac3"
    case .eac3: "eac3"
    case .dts: "dts"
    case .dsf: "dsf"
    case .dsdiff: "iff"
    case .musepack7: "mpc"
    case .musepack8: "mpc8"
    }
  }

  /// Whether what FFmpeg tells of an encoder's padding can be trusted for this container. The padding is cut by us.
  var statesPadding: Bool {
    switch self {
    case .matroska: true
    default: false
    }
  }

  var isMusepack: Bool { self == .musepack7 || self == .musepack8 }

  /// Whether the length in the container's header is exactly that of the sound, to the frame.
  var statesLength: Bool {
    switch self {
    case .wavPack, .monkeys, .trueAudio, .dsf, .dsdiff: true
    default: false
    }
  }
}
