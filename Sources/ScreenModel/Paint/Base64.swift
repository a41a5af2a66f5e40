// SPDX-License-Identifier: MIT

/// Bytes as letters that mean nothing to a terminal.
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(of bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var number: UInt32 = 0
      for offset in 0..<3 { number = number << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
      for index in 0..<4 {
        text.append(
          index <= count ? letters[Int(number >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
