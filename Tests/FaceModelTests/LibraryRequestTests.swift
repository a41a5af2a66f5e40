// SPDX-License-Identifier: MIT
import FaceModel
import Testing

@Suite("A request to the library")
struct LibraryRequestTests {
  @Test("two names that differ only in how an accent is composed are two, as they are to the library")
  func forms() {
    let composed = LibraryRequest("artist == \"Bj\u{f6}rk\"")
    let decomposed = LibraryRequest("artist == \"Bjo\u{308}rk\"")
    #expect(composed != decomposed && Set([composed, decomposed, composed]).count == 2)
    #expect(composed == LibraryRequest("artist == \"Bj\u{f6}rk\""))
    #expect(LibraryRequest(sort: ["a", "b"]) != LibraryRequest(sort: ["b", "a"]))
    #expect(
      LibraryRequest(group: "album") != LibraryRequest() && LibraryRequest(first: 2) != LibraryRequest())
  }
}
