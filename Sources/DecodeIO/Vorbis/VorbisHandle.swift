// SPDX-License-Identifier: MIT
import CVorbis
import Glibc

/// Owns an open `OggVorbis_File` and the reader that it reads through.
@safe struct VorbisHandle: ~Copyable {
  let reader: SourceReader
  // Allocated, because the library keeps pointers into it and it must not move.
  private let file: UnsafeMutablePointer<OggVorbis_File>
  private let content: Content
  /// What the library calls the position of the first frame. It is above zero where the first page is not whole.
  private let origin: Int

  /// Opens content. Throws if libvorbisfile refuses it.
  init(_ content: Content) throws(DecodeError) {
    self.content = content
    reader = SourceReader(content.body, limit: SourceReader.searchLimit)
    unsafe file = try Self.open(reader, content)
    unsafe origin = max(0, Int(ov_pcm_tell(file)))
  }

  // Not part of `init`, which must not throw once there is something for `deinit` to clear.
  private static func open(_ reader: SourceReader, _ content: Content) throws(DecodeError)
    -> UnsafeMutablePointer<OggVorbis_File>
  {
    let file = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    let calls = unsafe ov_callbacks(
      read_func: { bytes, size, count, user in
        let buffer = unsafe UnsafeMutableRawBufferPointer(
          start: bytes, count: bytes == nil ? 0 : size * count)
        let got = unsafe SourceReader.at(user)?.read(into: buffer) ?? -1
        // Only by `errno` does the library know a failure from the end, after which it would search on.
        errno = got < 0 ? EIO : 0
        return max(0, got)
      },
      seek_func: { user, offset, whence in
        unsafe (SourceReader.at(user)?.seek(Int(offset), whence) ?? -1) < 0 ? -1 : 0
      },
      close_func: nil,
      tell_func: { unsafe SourceReader.at($0)?.offset ?? -1 })
    let result = unsafe ov_open_callbacks(reader.pointer, file, nil, 0, calls)
    if result == 0 { return unsafe file }
    // A failed open has freed everything but this memory.
    unsafe file.deallocate()
    try reader.check()
    throw content.error(.damaged, text(of: result))
  }

  deinit {
    unsafe ov_clear(file)
    unsafe file.deallocate()
  }

  /// Rate and channels of the part of a chained stream that the cursor stands in.
  var shape: (rate: Int, channels: Int) {
    guard let info = unsafe ov_info(file, -1) else { return (0, 0) }
    return unsafe (Int(info.pointee.rate), Int(info.pointee.channels))
  }

  /// All frames of all parts. The library knows them wherever it can seek, and it always can here.
  var frames: Int { unsafe max(0, Int(ov_pcm_total(file, -1)) - origin) }

  /// Decodes up to so many frames into the front of `samples`; 0 at the end. Throws if a chained stream goes on with
  /// another rate or other channels.
  func read(frames: Int, like shape: (rate: Int, channels: Int), into samples: inout MutableSpan<Float>)
    throws(DecodeError) -> Int
  {
    var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var part: Int32 = 0
    reader.begin()
    while true {
      let got = unsafe ov_read_float(file, &planes, Int32(min(frames, 4096)), &part)
      try reader.check()
      // A hole is where bytes were lost; the sound goes on behind it.
      if got == Int(OV_HOLE) { continue }
      guard got >= 0 else { throw error(.damaged, Self.text(of: Int32(got))) }
      guard got > 0, let planes = unsafe planes else { return 0 }
      guard self.shape == shape else {
        throw error(
          .unsupported, "goes on with other channels or another rate; only one sound a file can be played")
      }
      unsafe interleave(planes, channels: shape.channels, frames: got, into: &samples)
      return got
    }
  }

  /// Goes to the beginning of the page that a frame is in, and returns the frame that the page begins with.
  ///
  /// The library's own seek to a single frame uses a count that goes wrong if the first page does not begin at zero.
  /// Its seek to a page is right.
  func seek(toPageBefore frame: Int) throws(DecodeError) -> Int {
    reader.begin()
    let result = unsafe ov_pcm_seek_page(file, Int64(frame + origin))
    try reader.check()
    let reached = unsafe max(0, Int(ov_pcm_tell(file)) - origin)
    guard result == 0, reached <= frame else { throw error(.damaged, "cannot be sought to frame \(frame)") }
    return reached
  }

  /// An error at the place that the library has read up to.
  func error(_ code: DecodeError.Code, _ reason: String) -> DecodeError {
    content.error(code, at: content.start + reader.offset, reason)
  }

  private func interleave(
    _ planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, channels: Int, frames: Int,
    into samples: inout MutableSpan<Float>
  ) {
    for channel in 0..<channels {
      guard let plane = unsafe planes[channel] else { continue }
      var index = channel
      for frame in 0..<frames {
        samples[index] = unsafe plane[frame]
        index += channels
      }
    }
  }

  private static func text(of result: Int32) -> String {
    switch result {
    case OV_EREAD: "has parts that do not belong together"
    case OV_ENOTVORBIS: "is not Vorbis"
    case OV_EVERSION: "is of a Vorbis version that is not known"
    case OV_EBADHEADER: "has a damaged Vorbis header"
    case OV_EBADLINK: "has a part that cannot be decoded"
    case OV_EBADPACKET: "has a damaged packet"
    default: "cannot be decoded as Vorbis"
    }
  }
}
