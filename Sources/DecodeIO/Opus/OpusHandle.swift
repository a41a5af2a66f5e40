// SPDX-License-Identifier: MIT
import COpus

/// Owns an open `OggOpusFile` and the reader that it reads through.
@safe struct OpusHandle: ~Copyable {
  /// With `anywhere` the library looks at the end of the file and can go to any place in it. It refuses a file whose
  /// pages contradict each other; with `inOrder` such a file can still be read from its beginning to its end.
  enum Access { case anywhere, inOrder }

  let access: Access
  private let reader: SourceReader
  private let file: OpaquePointer
  private let content: Content

  /// How many damaged packets in a row are stepped over; behind more there is no sound to be expected.
  private static let mostBadPackets = 64

  /// Opens content, anywhere if that can be done. Throws what is wrong with it.
  init(_ content: Content) throws(DecodeError) {
    do throws(DecodeError) {
      try self.init(content, .anywhere)
    } catch  where error.code != .unreadable {
      try self.init(content, .inOrder)
    }
  }

  /// Opens content for one kind of access.
  init(_ content: Content, _ access: Access) throws(DecodeError) {
    self.access = access
    self.content = content
    reader = SourceReader(content.body, limit: SourceReader.searchLimit)
    unsafe file = try Self.open(reader, content, access)
  }

  // Not part of `init`, which must not throw once there is something for `deinit` to free.
  private static func open(_ reader: SourceReader, _ content: Content, _ access: Access) throws(DecodeError)
    -> OpaquePointer
  {
    var calls = unsafe OpusFileCallbacks(
      read: { user, bytes, count in
        let buffer = unsafe UnsafeMutableRawBufferPointer(
          start: bytes, count: bytes == nil ? 0 : max(0, Int(count)))
        return unsafe Int32(SourceReader.at(user)?.read(into: buffer) ?? -1)
      }, seek: nil, tell: nil, close: nil)
    if access == .anywhere {
      unsafe calls.seek = { user, offset, whence in
        unsafe (SourceReader.at(user)?.seek(Int(offset), whence) ?? -1) < 0 ? -1 : 0
      }
      unsafe calls.tell = { unsafe Int64(SourceReader.at($0)?.offset ?? -1) }
    }
    var problem: Int32 = 0
    let file = unsafe op_open_callbacks(reader.pointer, &calls, nil, 0, &problem)
    do throws(DecodeError) { try reader.check() } catch {
      unsafe op_free(file)
      throw error
    }
    guard let file = unsafe file else {
      throw content.error(problem == OP_EIMPL ? .unsupported : .damaged, text(of: problem))
    }
    return unsafe file
  }

  deinit { unsafe op_free(file) }

  /// Channels of the part of a chained stream that the cursor stands in.
  var channels: Int { unsafe Int(op_channel_count(file, -1)) }

  /// All frames of all parts, by what the pages say; nil where only reading tells.
  var frames: Int? {
    let total = unsafe op_pcm_total(file, -1)
    return total >= 0 ? Int(total) : nil
  }

  /// The frame that the next read begins with, by what the pages say.
  var position: Int { unsafe Int(op_pcm_tell(file)) }

  /// Decodes up to so many frames into the front of `samples`; 0 at the end. Steps over what is lost or damaged. Throws
  /// if a chained stream goes on with other channels.
  func read(frames: Int, channels: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    reader.begin()
    var badPackets = 0
    while true {
      let room = Int32(clamping: frames * channels)
      var part: Int32 = 0
      let got = unsafe samples.withUnsafeMutableBufferPointer {
        unsafe op_read_float(file, $0.baseAddress, room, &part)
      }
      try reader.check()
      switch got {
      case OP_HOLE: continue
      case OP_EBADPACKET where badPackets < Self.mostBadPackets: badPackets += 1
      case ..<0: throw error(.damaged, Self.text(of: got))
      default:
        let there = unsafe Int(op_channel_count(file, part))
        guard got == 0 || there == channels else {
          throw error(.unsupported, "goes on with other channels; only one sound a file can be played")
        }
        return Int(got)
      }
    }
  }

  /// Goes to a frame, and returns whether that could be done.
  func seek(to frame: Int) throws(DecodeError) -> Bool {
    reader.begin()
    let result = unsafe op_pcm_seek(file, Int64(frame))
    try reader.check()
    return result == 0
  }

  /// An error at the place that the library has read up to.
  private func error(_ code: DecodeError.Code, _ reason: String) -> DecodeError {
    content.error(code, at: content.start + reader.offset, reason)
  }

  private static func text(of problem: Int32) -> String {
    switch problem {
    case OP_ENOTFORMAT, OP_EBADHEADER: "has a damaged Opus header"
    case OP_EVERSION: "is of an Opus version that is not known"
    case OP_EIMPL: "has Opus channels that are not those of loudspeakers, which cannot be played"
    case OP_EBADPACKET: "has nothing but damaged packets"
    case OP_EBADLINK: "has a part that cannot be decoded"
    case OP_EBADTIMESTAMP: "has pages whose times contradict each other"
    default: "cannot be decoded as Opus"
    }
  }
}
