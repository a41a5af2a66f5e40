// SPDX-License-Identifier: MIT

/// A WAV file written and read without any library: what decoders are compared with must not come from them.
struct WAVFile {
  enum Samples: Int { case u8 = 8, s16 = 16, s24 = 24, s32 = 32, f32 = -32 }

  /// The bytes of a file with these samples; with a channel mask it is of the extensible kind.
  static func bytes(_ signal: Signal, as kind: Samples = .s16, mask: UInt32? = nil) -> [UInt8] {
    let width = abs(kind.rawValue) / 8
    let data = signal.samples.flatMap { encode($0, kind) }
    let tag: UInt16 = kind == .f32 ? 3 : 1
    var format =
      little(mask == nil ? tag : 0xFFFE) + little(UInt16(signal.channels)) + little(UInt32(signal.rate))
    format += little(UInt32(signal.rate * signal.channels * width)) + little(UInt16(signal.channels * width))
    format += little(UInt16(width * 8))
    if let mask {
      format += little(UInt16(22)) + little(UInt16(width * 8)) + little(mask) + little(tag)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    let chunks = chunk("fmt ", format) + chunk("data", data)
    return Array("RIFF".utf8) + little(UInt32(chunks.count + 4)) + Array("WAVE".utf8) + chunks
  }

  /// The samples of a file that a reference decoder wrote, to full scale 1.
  static func signal(_ bytes: [UInt8]) -> Signal {
    var position = 12
    var signal = Signal(rate: 0, channels: 1, samples: [])
    var kind = Samples.s16
    while position + 8 <= bytes.count {
      let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      // Tools that write to a pipe leave the size open.
      let size = min(number(bytes, position + 4, 4), bytes.count - position - 8)
      let body = position + 8
      if name == "fmt " {
        signal.channels = number(bytes, body + 2, 2)
        signal.rate = number(bytes, body + 4, 4)
        let tag = number(bytes, body, 2)
        let isFloat = tag == 3 || tag == 0xFFFE && number(bytes, body + 24, 2) == 3
        kind = isFloat ? .f32 : Samples(rawValue: number(bytes, body + 14, 2)) ?? .s16
      } else if name == "data" {
        signal.samples = decode(Array(bytes[body..<body + size]), kind)
      }
      position = body + size + size % 2
    }
    return signal
  }

  private static func encode(_ sample: Float, _ kind: Samples) -> [UInt8] {
    switch kind {
    case .u8: [UInt8(max(0, min(255, (sample * 128).rounded() + 128)))]
    case .s16: little(UInt16(bitPattern: Int16(max(-32_768, min(32_767, (sample * 32_768).rounded())))))
    case .s24: Array(little(UInt32(bitPattern: Int32((Double(sample) * 8_388_607).rounded()))).prefix(3))
    case .s32: little(UInt32(bitPattern: Int32((Double(sample) * 2_147_483_647).rounded())))
    case .f32: little(sample.bitPattern)
    }
  }

  private static func decode(_ bytes: [UInt8], _ kind: Samples) -> [Float] {
    let width = abs(kind.rawValue) / 8
    return stride(from: 0, to: bytes.count - width + 1, by: width).map { start in
      let raw = number(bytes, start, width)
      switch kind {
      case .u8: return (Float(raw) - 128) / 128
      case .s16: return Float(Int16(truncatingIfNeeded: raw)) / 32_768
      case .s24: return Float(Int32(truncatingIfNeeded: raw << 8) >> 8) / 8_388_608
      case .s32: return Float(Double(Int32(truncatingIfNeeded: raw)) / 2_147_483_648)
      case .f32: return Float(bitPattern: UInt32(truncatingIfNeeded: raw))
      }
    }
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(UInt32(body.count)) + body + (body.count % 2 == 0 ? [] : [0])
  }

  static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
    (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[start + $1]) }
  }
}
