// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import ReaderIO

extension ReaderClient {
  /// A client of the reader that was built beside the tests.
  static var beside: ReaderClient {
    ReaderClient(program: (try? Program.beside("fermata-reader")).flatMap { FilePath($0.path) })
  }
}
