// SPDX-License-Identifier: MIT
package import MediaModel

/// The reader's answer about one file.
package enum ReaderAnswer: Sendable, Equatable {
  case tags(FileTags)
  /// The embedded picture; nil if the file has none in a format that desktops show.
  case picture(CoverPicture?)
  case failure(ReadFailure)

  /// Whether this may be the answer to a request for `wanted`.
  func fits(_ wanted: ReaderRequest.Wanted) -> Bool {
    switch self {
    case .tags: wanted == .tags
    case .picture(let picture):
      switch wanted {
      case .tags: false
      case .picture: true
      case .scaled: picture.map { $0.format == .png } ?? true
      }
    case .failure: true
    }
  }

  /// The answer as a record, after its length, in the form in which it is sent.
  package var bytes: [UInt8] {
    let record = record
    var writer = ByteWriter()
    writer.add(UInt32(record.count))
    return writer.bytes + record
  }

  private var record: [UInt8] {
    switch self {
    case .tags(let tags): TagsRecord.bytes(of: tags)
    case .picture(let picture): [Kind.picture] + (picture?.bytes ?? [])
    case .failure(.unreadable(let code)):
      [Kind.unreadable] + (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
    case .failure(.unknownFormat): [Kind.unknownFormat]
    // Of all failures, the reader itself can only find that a file is broken. The agent finds the others.
    case .failure: [Kind.broken]
    }
  }

  /// The answer in a record; nil if the record is not valid.
  init?(_ record: ArraySlice<UInt8>) {
    guard let kind = record.first else { return nil }
    let rest = record.dropFirst()
    switch kind {
    case Kind.tags:
      guard let tags = TagsRecord.tags(in: rest) else { return nil }
      self = .tags(tags)
    case Kind.picture:
      guard !rest.isEmpty else {
        self = .picture(nil)
        return
      }
      // The picture's headers are checked again here, because the reader may send anything.
      guard let picture = CoverPicture(Array(rest)) else { return nil }
      self = .picture(picture)
    case Kind.unreadable:
      var cursor = ByteCursor(rest)
      guard let code = cursor.number(4, .bigEndian), cursor.rest.isEmpty else { return nil }
      self = .failure(.unreadable(Int32(truncatingIfNeeded: code)))
    case Kind.unknownFormat: self = .failure(.unknownFormat)
    case Kind.broken: self = .failure(.broken)
    default: return nil
    }
  }

  /// The first byte of a record, which tells the kind of answer.
  enum Kind {
    static let tags: UInt8 = 0
    static let picture: UInt8 = 1
    static let unreadable: UInt8 = 2
    static let unknownFormat: UInt8 = 3
    static let broken: UInt8 = 4
  }
}
