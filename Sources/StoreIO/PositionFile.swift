// SPDX-License-Identifier: MIT
import Glibc
package import PlaybackLogic
package import SQLiteIO

/// The file for the place of playback: an entry, how far the listener is in it, and whether music was wanted. It has 64 bytes and is overwritten in
/// place.
///
/// Owns the descriptor; one thread at a time may use it. Each call may block, as a home on a server can. A write goes to the page cache and is not
/// synced: it survives a killed agent, but perhaps not a power cut. A record that is incomplete or damaged counts as none.
package struct PositionFile: ~Copyable {
  package struct Record: Sendable, Equatable {
    /// The entry that the place belongs to.
    package var entry: EntryID
    package var position: Duration
    /// Whether music was wanted, even if an interruption kept it silent, rather than paused or stopped; nil if an older version wrote the record.
    package var isWanted: Bool?

    package init(_ entry: EntryID, _ position: Duration, isWanted: Bool?) {
      self.entry = entry
      self.position = position
      self.isWanted = isWanted
    }
  }

  private static let size = 64
  private static let magic = Array("fermata1".utf8)

  private let descriptor: Int32
  private let path: String

  /// Opens the file in the folder, and makes it if it is not there. The caller must hold the folder's lock (`StateFolder`).
  package init(in folder: String) throws(StoreError) {
    path = "\(folder)/position"
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw StoreError(errno: errno, .open, file: path) }
  }

  deinit { close(descriptor) }

  /// The record that was written last; nil if there is none or it is damaged.
  package func read() -> Record? {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == Self.size ? Self.decode(bytes) : nil
  }

  /// Whether somebody deleted the file since it was opened, or moved it with its folder, so that nobody will find what is written to it.
  package var isGone: Bool {
    var (mine, there) = (stat(), stat())
    return unsafe fstat(descriptor, &mine) != 0 || mine.st_nlink == 0 || lstat(path, &there) != 0
      || (there.st_dev, there.st_ino) != (mine.st_dev, mine.st_ino)
  }

  package func write(_ record: Record) throws(StoreError) {
    let bytes = Self.encode(record)
    let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    guard count == Self.size else {
      throw StoreError(errno: count < 0 ? errno : ENOSPC, .write, file: path)
    }
  }

  // MARK: The record: magic, entry, microseconds, whether music was wanted (1 yes, 2 no), zeros, checksum of all before

  static func encode(_ record: Record) -> [UInt8] {
    let position = max(.zero, record.position).components
    let microseconds = position.seconds.multipliedReportingOverflow(by: 1_000_000)
    let whole = microseconds.overflow ? Int64.max / 2 : microseconds.partialValue
    var bytes = magic
    bytes += littleEndian(record.entry.rawValue)
    bytes += littleEndian(UInt64(whole &+ position.attoseconds / 1_000_000_000_000))
    bytes.append(record.isWanted.map { $0 ? 1 : 2 } ?? 0)
    bytes += [UInt8](repeating: 0, count: size - 8 - bytes.count)
    return bytes + littleEndian(Checksum(bytes).value)
  }

  static func decode(_ bytes: [UInt8]) -> Record? {
    guard bytes.count == size, bytes.starts(with: magic),
      Checksum(bytes[..<(size - 8)]).value == number(bytes, at: size - 8),
      let microseconds = Int64(exactly: number(bytes, at: 16))
    else { return nil }
    let isWanted: Bool? = if bytes[24] == 0 { nil } else { bytes[24] == 1 }
    return Record(EntryID(rawValue: number(bytes, at: 8)), .microseconds(microseconds), isWanted: isWanted)
  }

  private static func littleEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func number(_ bytes: [UInt8], at start: Int) -> UInt64 {
    bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
