// SPDX-License-Identifier: MIT
package import AudioModel

/// Makes WAV files of any rate and number of channels.
package enum WAVFile {
  /// The format of a sample in the file.
  package enum Encoding: Sendable, CaseIterable {
    case int16, int24, float32

    var bytes: Int {
      switch self {
      case .int16: 2
      case .int24: 3
      case .float32: 4
      }
    }
  }

  /// The bytes of a complete file with these interleaved samples. Integers are clipped to full scale.
  package static func bytes(_ samples: [Float], _ format: AudioFormat, _ encoding: Encoding = .int16)
    -> [UInt8]
  {
    let size = samples.count * encoding.bytes
    let padding = size % 2  // a chunk ends on an even byte
    let header = formatChunk(format, encoding)
    var file = Array("RIFF".utf8) + little(UInt32(4 + header.count + 8 + size + padding)) + Array("WAVE".utf8)
    file.reserveCapacity(file.count + header.count + 8 + size + padding)
    file += header
    file += Array("data".utf8) + little(UInt32(size))
    for sample in samples { append(sample, encoding, to: &file) }
    if padding == 1 { file.append(0) }
    return file
  }

  private static func append(_ sample: Float, _ encoding: Encoding, to file: inout [UInt8]) {
    switch encoding {
    case .int16: append(UInt32(bitPattern: scaled(sample, 32_768)), 2, to: &file)
    case .int24: append(UInt32(bitPattern: scaled(sample, 8_388_608)), 3, to: &file)
    case .float32: append(sample.bitPattern, 4, to: &file)
    }
  }

  private static func append(_ value: UInt32, _ bytes: Int, to file: inout [UInt8]) {
    for byte in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
  }

  private static func scaled(_ sample: Float, _ scale: Float) -> Int32 {
    Int32(max(-scale, min(scale - 1, (sample * scale).rounded())))
  }

  // The extensible form says which speaker each channel is for, and how many bits of a sample are used.
  private static func formatChunk(_ format: AudioFormat, _ encoding: Encoding) -> [UInt8] {
    let kind: UInt16 = encoding == .float32 ? 3 : 1
    let frame = format.channels * encoding.bytes
    let bits = UInt16(encoding.bytes * 8)
    let guidTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    var chunk = Array("fmt ".utf8) + little(UInt32(40)) + little(UInt16(0xfffe))
    chunk += little(UInt16(format.channels)) + little(UInt32(format.rate))
    chunk += little(UInt32(format.rate * frame)) + little(UInt16(frame)) + little(bits)
    chunk += little(UInt16(22)) + little(bits) + little(mask(format.layout)) + little(kind) + guidTail
    return chunk
  }

  private static func mask(_ layout: ChannelLayout) -> UInt32 {
    layout.positions.reduce(0) { $0 | bit($1) }
  }

  private static func bit(_ position: ChannelPosition) -> UInt32 {
    switch position {
    case .frontLeft: 0x1
    case .frontRight: 0x2
    case .mono, .frontCenter: 0x4
    case .lowFrequency: 0x8
    case .rearLeft: 0x10
    case .rearRight: 0x20
    case .frontLeftOfCenter: 0x40
    case .frontRightOfCenter: 0x80
    case .rearCenter: 0x100
    case .sideLeft: 0x200
    case .sideRight: 0x400
    case .unplaced: 0
    }
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
