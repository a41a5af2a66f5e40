// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("A sound's fingerprint")
struct AudioFingerprintTests {
  @Test("sixteen bytes make a fingerprint, and come out of it again")
  func bytes() throws {
    let bytes = (0..<16).map { UInt8(255 - $0 * 3) }
    let fingerprint = try #require(AudioFingerprint(rawValue: bytes))
    #expect(fingerprint.rawValue == bytes)
    #expect(fingerprint == AudioFingerprint(rawValue: bytes))
    #expect(fingerprint != AudioFingerprint(rawValue: bytes.reversed()))
  }

  @Test("no other number of bytes does", arguments: [0, 1, 15, 17, 32])
  func otherSizes(count: Int) {
    #expect(AudioFingerprint(rawValue: [UInt8](repeating: 7, count: count)) == nil)
  }
}
