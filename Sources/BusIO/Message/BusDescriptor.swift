// SPDX-License-Identifier: MIT
import Glibc

/// An open file that came with a message, closed when the last one lets go of it.
///
/// To hold it is all that it is for: logind takes the end of such a file as a sign.
package final class BusDescriptor: Sendable {
  private let number: Int32

  /// Takes over an open file.
  init(adopting number: Int32) { self.number = number }

  deinit { Glibc.close(number) }
}
