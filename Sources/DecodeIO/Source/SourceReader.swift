// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A cursor on a source with the functions that C libraries need: read, seek and tell, which return -1 for failures.
///
/// It reads ahead by a block, so that a library which asks for four bytes and then for the rest of a frame costs no system call for each. An error of
/// the source is stored, because it cannot be thrown through C; the owner throws it with `check()` after each call of the library.
final class SourceReader {
  private let source: any ByteSource
  private var position = 0
  private var block: [UInt8]
  private var blockRange = 0..<0
  private var failure: DecodeError?

  // How many bytes the C library may still read in its present call.
  private var allowance: Int
  private let limit: Int
  // The same, without going to another place in between.
  private var inOneGo: Int
  private let mostInOneGo: Int

  private static let blockSize = 32 * 1024
  /// How many bytes one call may read: more than any successful call needs. Without this limit, a library that finds no frame would search the whole
  /// file, however large it is.
  static let searchLimit = 64 << 20

  /// The most bytes that are read to open a sound: a recording of many hours of radio has a stream for each song, all of which have to be found.
  private static let openingLimit = 1 << 30

  /// The most processor time that a C library may use to open a sound.
  private static let longestOpening = Duration.seconds(20)
  /// When the opening must be over, by the time that this thread has computed; nil if there is no such limit, or none any more.
  private var openingEnd: Duration?

  /// Reads from the beginning of a source. After each `begin()` it may read `limit` bytes. Before the first it may read the whole of the source if the
  /// library `opensAll`: because it may hold one recording after another, or large pictures before the sound. Without going to another place it may
  /// read `inOneGo` bytes, or else `limit`: it may keep a header in memory until that is whole, and a header may be without end.
  init(_ source: any ByteSource, limit: Int = .max, opensAll: Bool = false, inOneGo: Int? = nil) {
    (self.source, self.limit) = (source, limit)
    mostInOneGo = inOneGo ?? limit
    self.inOneGo = mostInOneGo
    allowance = opensAll ? max(limit, min(source.size, Self.openingLimit)) : limit
    // Only a library that is opened in one call, on one thread: the time that a thread has computed tells nothing to another one.
    openingEnd = opensAll ? Self.computed + Self.longestOpening : nil
    block = [UInt8](repeating: 0, count: min(Self.blockSize, max(1, source.size)))
  }

  var size: Int { source.size }
  var offset: Int { position }

  /// Begins another call of the library, which may again read `limit` bytes.
  func begin() { (allowance, inOneGo, openingEnd) = (limit, mostInOneGo, nil) }

  /// The processor time that the calling thread has used since it began.
  private static var computed: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Throws the error that the source has thrown since the last check, and forgets it.
  func check() throws(DecodeError) {
    guard let error = failure else { return }
    failure = nil
    throw error
  }

  /// Fills `buffer` with as many bytes as there are; -1 if the source failed.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      if !blockRange.contains(position) { refill() }
      if failure != nil { return -1 }
      let count = min(buffer.count - filled, blockRange.upperBound - position)
      if count <= 0 { break }
      let start = position - blockRange.lowerBound
      unsafe block.withUnsafeBytes {
        unsafe buffer[filled...].copyBytes(from: $0[start..<start + count])
      }
      filled += count
      position += count
    }
    return filled
  }

  /// Moves the cursor as lseek(2) does; -1 for a place before the beginning. The cursor may be past the end.
  func seek(_ offset: Int, _ whence: Int32) -> Int {
    let base =
      switch whence {
      case SEEK_CUR: position
      case SEEK_END: size
      default: 0
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    if target != position { inOneGo = mostInOneGo }
    position = target
    return target
  }

  private func refill() {
    var span = block.mutableSpan
    var bytes = unsafe span.mutableBytes
    do throws(DecodeError) {
      guard allowance > 0, inOneGo > 0 else {
        throw DecodeError(
          .damaged, file: source.name, byteOffset: position,
          reason: "has no sound in the last \(min(limit, mostInOneGo) >> 20) MB that were searched")
      }
      // A library that looks each of a million parts up in a list of all before it would be busy for hours.
      if let openingEnd, Self.computed > openingEnd {
        throw DecodeError(
          .damaged, file: source.name, byteOffset: position,
          reason: "has more parts than can be looked through")
      }
      let count = position < size ? try source.read(bytes.byteCount, at: position, into: &bytes) : 0
      blockRange = position..<position + count
      allowance -= count
      inOneGo -= count
    } catch {
      blockRange = position..<position
      failure = error
    }
  }
}

extension SourceReader {
  /// The reader behind a pointer that was made by `pointer`. It lives as long as the C library's handle that calls back with it.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> SourceReader? {
    unsafe pointer.map { unsafe Unmanaged<SourceReader>.fromOpaque($0).takeUnretainedValue() }
  }

  // The three functions for C libraries; `pointer` is the one that they were given.

  static func read(
    _ user: UnsafeMutableRawPointer?, _ bytes: UnsafeMutableRawPointer?, _ count: Int
  ) -> Int {
    // A negative count reads nothing.
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: bytes == nil ? 0 : max(0, count))
    return unsafe at(user)?.read(into: buffer) ?? -1
  }

  static func seek(_ user: UnsafeMutableRawPointer?, _ offset: Int, _ whence: Int32) -> Int {
    unsafe at(user)?.seek(offset, whence) ?? -1
  }

  static func tell(_ user: UnsafeMutableRawPointer?) -> Int { unsafe at(user)?.offset ?? -1 }

  /// The user data for a C library. It is not retained: whoever owns the C handle has to own the reader too.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
