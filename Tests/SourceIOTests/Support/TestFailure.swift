// SPDX-License-Identifier: MIT

struct TestFailure: Error {
  let text: String
  init(_ text: String) { self.text = text }
}
