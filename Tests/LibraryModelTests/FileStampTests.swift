// SPDX-License-Identifier: MIT
import AudioModel
import LibraryModel
import MediaModel
import Testing

@Suite("What a scan says of a file")
struct FileStampTests {
  @Test("a stamp differs as soon as one of its four parts does")
  func stamps() {
    let stamp = FileStamp(size: 1, modified: 2, inode: 3, device: 4)
    var others = [stamp, stamp, stamp, stamp]
    others[0].size = 9
    others[1].modified = 9
    others[2].inode = 9
    others[3].device = 9
    #expect(Set(others + [stamp]).count == 5)
  }

  @Test("a fingerprint has 16 bytes and gives them back")
  func fingerprints() throws {
    let bytes = (0..<16).map { UInt8($0 * 17) }
    #expect(try #require(AudioFingerprint(rawValue: bytes)).rawValue == bytes)
    #expect(AudioFingerprint(rawValue: Array(bytes.dropLast())) == nil)
    #expect(AudioFingerprint(rawValue: bytes + [0]) == nil)
    #expect(AudioFingerprint(rawValue: bytes) != AudioFingerprint(rawValue: bytes.reversed()))
  }
}
