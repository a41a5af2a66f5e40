// SPDX-License-Identifier: MIT
package import MediaModel

/// The messages between an agent and the process that measures how loud a file sounds.
///
/// After the greeting that every reader sends, the process takes one file at a time. It measures some seconds of sound for each order. So the agent
/// often learns that it makes progress, and can give up a file at any time. The agent checks everything that the process sends.
package enum LoudnessProtocol {
  /// The largest size of a packet.
  package static let largestPacket = 16 << 10
  /// How many seconds of sound are measured for one order.
  package static let secondsAStep = 5
  /// A sound that lasts longer than this can't be measured. Nobody has any that long, but a malicious file may never end.
  package static let mostSeconds = 100 * 3_600
  /// The longest text of a reason, in bytes.
  static let longestText = 1_024
}

package enum LoudnessOrder: Sendable, Equatable {
  /// Begin with the file that comes with this packet, which has this size.
  case begin(size: Int)
  /// Go on with the same file.
  case goOn

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .begin(let size):
      writer.add(UInt8(0))
      writer.add(UInt64(clamping: size))
    case .goOn: writer.add(UInt8(1))
    }
    return writer.bytes
  }

  /// The order in a packet; nil if the packet is not valid.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    switch cursor.number(1, .bigEndian) {
    case 0:
      guard let size = cursor.number(8, .bigEndian), size >= 0 else { return nil }
      self = .begin(size: size)
    case 1: self = .goOn
    default: return nil
    }
    if !cursor.rest.isEmpty { return nil }
  }
}

/// The answer of the process to each order.
package enum LoudnessReply: Sendable, Equatable {
  /// The seconds of this order were measured, and there is more of the file.
  case going
  case measured(MeasuredLoudness)
  case failed(LoudnessFailure)

  package var bytes: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .going: writer.add(UInt8(0))
    case .measured(let found):
      writer.add(UInt8(1))
      writer.add((found.integrated ?? .nan).bitPattern)
      writer.add(found.peak.bitPattern)
      writer.bytes += found.blocks.bytes
    case .failed(let failure):
      writer.add(UInt8(2))
      writer.add(failure.kind.rawValue)
      writer.bytes += failure.reason.utf8.prefix(LoudnessProtocol.longestText)
    }
    return writer.bytes
  }

  /// The answer in a packet; nil if the packet is not valid or its values are impossible.
  package init?(_ packet: [UInt8]) {
    var cursor = ByteCursor(packet)
    switch cursor.number(1, .bigEndian) {
    case 0 where cursor.rest.isEmpty: self = .going
    case 1:
      guard let found = MeasuredLoudness(&cursor) else { return nil }
      self = .measured(found)
    case 2:
      guard let code = cursor.number(1, .bigEndian), let kind = LoudnessFailure.Kind(rawValue: UInt8(code)),
        cursor.rest.count <= LoudnessProtocol.longestText
      else { return nil }
      self = .failed(LoudnessFailure(kind, String(decoding: cursor.rest, as: UTF8.self)))
    default: return nil
    }
  }
}

extension MeasuredLoudness {
  /// The range of loudness that a sound can have; its blocks are limited to the same range.
  private static let possible = -70.0...30.0

  fileprivate init?(_ cursor: inout ByteCursor) {
    guard let integrated = cursor.bits().map(Double.init(bitPattern:)),
      let code = cursor.number(4, .bigEndian),
      let blocks = LoudnessBlocks(bytes: cursor.rest)
    else { return nil }
    let peak = Float(bitPattern: UInt32(code))
    guard integrated.isNaN || Self.possible.contains(integrated), integrated.isNaN == blocks.isEmpty,
      peak.isFinite, peak >= 0
    else { return nil }
    self.init(integrated: integrated.isNaN ? nil : integrated, peak: peak, blocks: blocks)
  }
}

/// Why a file could not be measured.
package struct LoudnessFailure: Error, Sendable, Equatable {
  package enum Kind: UInt8, Sendable {
    /// The file cannot be measured as it is: it has no sound that can be decoded, it lasts too long, or it has too many channels.
    case unfit
    /// A library that is needed to decode the file is missing.
    case missing
    /// The disk did not deliver the file's bytes, or the file is not there.
    case unreadable
    /// The process died of the file, or did not finish with it in time.
    case died
    /// No process can be started.
    case noProcess
    /// The caller cancelled the measurement.
    case calledOff
    /// The file's disk does not answer.
    case silent
  }

  package let kind: Kind
  /// The reason, worded as the rest of a sentence that begins with the file's name.
  package let reason: String

  package init(_ kind: Kind, _ reason: String) { (self.kind, self.reason) = (kind, reason) }

  /// Whether the file itself is to blame, so that another try makes no sense before it changes.
  package var isOfTheFile: Bool { kind == .unfit || kind == .died }
}
