// SPDX-License-Identifier: MIT
import CMpg123
import Glibc

/// Owns an open `mpg123_handle` and the reader that it reads through.
@safe struct Mpg123Handle: ~Copyable {
  let reader: SourceReader
  private let handle: OpaquePointer
  private let name: String
  // The source's offset in the file that errors are about; below zero if the source begins with the end of another
  // file.
  private let base: Int

  /// How many bytes of junk inside a stream are searched for the next frame.
  private static let resyncLimit = 256 << 10
  /// How many frames before the target of a seek are decoded and dropped. A frame may begin in the data of those before
  /// it, up to 511 bytes back, and the smallest frames carry little data each.
  private static let preframes = 32
  /// How many calls may deliver nothing before a stream counts as broken.
  private static let emptyCalls = 64

  /// Opens a source that begins at the byte `base` of its file. `isWhole` says that the source has the file's Info tag,
  /// which is then used.
  init(_ source: any ByteSource, base: Int, isWhole: Bool) throws(DecodeError) {
    reader = SourceReader(source)
    name = source.name
    self.base = base
    let flags = isWhole ? MPG123_GAPLESS.rawValue : MPG123_IGNORE_INFOFRAME.rawValue
    unsafe handle = try Self.open(reader, name: name, flags: flags)
  }

  private static func open(_ reader: SourceReader, name: String, flags: UInt32) throws(DecodeError)
    -> OpaquePointer
  {
    guard let handle = unsafe mpg123_new(nil, nil) else {
      throw DecodeError(.unsupported, file: name, reason: "cannot be decoded: there is no memory for it")
    }
    let always =
      MPG123_QUIET.rawValue | MPG123_AUTO_RESAMPLE.rawValue | MPG123_FORCE_FLOAT.rawValue
      | MPG123_SKIP_ID3V2.rawValue
    unsafe mpg123_param2(handle, Int32(MPG123_FLAGS.rawValue), Int(always | flags), 0)
    unsafe mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), resyncLimit, 0)
    unsafe mpg123_param2(handle, Int32(MPG123_PREFRAMES.rawValue), preframes, 0)
    unsafe mpg123_replace_reader_handle(
      handle,
      { user, bytes, count in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)
        return unsafe SourceReader.at(user)?.read(into: buffer) ?? -1
      }, { user, offset, whence in unsafe SourceReader.at(user)?.seek(offset, whence) ?? -1 }, nil)
    let result = unsafe mpg123_open_handle(handle, reader.pointer)
    if result == MPG123_OK.rawValue { return unsafe handle }
    unsafe mpg123_delete(handle)
    try reader.check()
    throw DecodeError(.damaged, file: name, reason: "cannot be read as MPEG audio")
  }

  deinit { unsafe mpg123_delete(handle) }

  /// Parses as far as the first frame, and fixes the rate and channels. If the stream changes them later, the library
  /// mixes and resamples, so that the listener's format stays the same.
  func settle() throws(DecodeError) -> (rate: Int, channels: Int) {
    var rate = 0
    var channels: Int32 = 0
    var encoding: Int32 = 0
    try check(unsafe mpg123_getformat(handle, &rate, &channels, &encoding))
    unsafe mpg123_format_none(handle)
    unsafe mpg123_format(handle, rate, channels, Int32(MPG123_ENC_FLOAT_32.rawValue))
    return (rate, Int(channels))
  }

  /// Decodes up to so many samples into the front of `samples`, which must have room for them; 0 at the end.
  func read(samples count: Int, into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    for _ in 0..<Self.emptyCalls {
      var bytes = 0
      let result = unsafe samples.withUnsafeMutableBufferPointer {
        unsafe mpg123_read(handle, $0.baseAddress, count * MemoryLayout<Float>.size, &bytes)
      }
      if bytes > 0 { return bytes / MemoryLayout<Float>.size }
      if result == MPG123_DONE.rawValue { return 0 }
      if result != MPG123_NEW_FORMAT.rawValue { try check(result) }
    }
    throw error("has frames without any sound")
  }

  /// Decodes and drops the frames that begin before the byte `offset` of the source.
  func skip(toByte offset: Int) throws(DecodeError) {
    while true {
      let next = unsafe mpg123_framebyframe_next(handle)
      if next != MPG123_NEW_FORMAT.rawValue { try check(next) }
      if unsafe mpg123_framepos(handle) >= offset { return }
      var number = 0
      var samples: UnsafeMutablePointer<UInt8>?
      var bytes = 0
      let result = unsafe mpg123_framebyframe_decode(handle, &number, &samples, &bytes)
      if result != MPG123_NEW_FORMAT.rawValue { try check(result) }
    }
  }

  /// Goes to a frame of sound, and returns where it got to; nil if that is past the end.
  func seek(to frame: Int) throws(DecodeError) -> Int? {
    let result = unsafe mpg123_seek(handle, frame, SEEK_SET)
    try reader.check()
    if result >= 0 { return result }
    if result == Int(MPG123_DONE.rawValue) { return nil }
    throw error(text)
  }

  /// Parses the whole stream, after which `length` is exact.
  func scan() throws(DecodeError) { try check(unsafe mpg123_scan(handle)) }

  /// How many frames of sound there are: an estimate before `scan`; nil if the library has none.
  var length: Int? {
    let length = unsafe mpg123_length(handle)
    return length >= 0 ? length : nil
  }

  private func check(_ result: Int32) throws(DecodeError) {
    try reader.check()
    if result != MPG123_OK.rawValue { throw error(text) }
  }

  /// The reason for the last error, in words for a listener; the library's own are for programmers.
  private var text: String {
    switch unsafe mpg123_errcode(handle) {
    case Int32(MPG123_RESYNC_FAIL.rawValue), Int32(MPG123_OUT_OF_SYNC.rawValue):
      "has no frame of MPEG audio in \(Self.resyncLimit >> 10) kB that were searched"
    case Int32(MPG123_ERR_READER.rawValue): "ends in the middle of its first frames"
    default: "has MPEG audio that cannot be decoded further"
    }
  }

  private func error(_ reason: String) -> DecodeError {
    DecodeError(.damaged, file: name, byteOffset: max(0, base + reader.offset), reason: reason)
  }
}
