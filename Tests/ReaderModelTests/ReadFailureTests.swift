// SPDX-License-Identifier: MIT
import ReaderModel
import Testing

@Suite("Why a file gives no tags")
struct ReadFailureTests {
  @Test("each reason comes with what to do")
  func remedies() {
    let failures: [ReadFailure] = [
      .unreadable(13), .notAFile, .unknownFormat, .broken, .killedReader("it hung"),
      .readerMissing("no file; install fermata again"),
    ]
    for failure in failures { #expect(failure.description.split(separator: ";").count == 2, "\(failure)") }
    #expect(ReadFailure.killedReader("it hung").description.hasPrefix("its tags can't be read: it hung;"))
  }
}
