// SPDX-License-Identifier: MIT
import Glibc

/// An open file that came with a message. It is closed when the last reference to this object goes.
///
/// Its only use is to be held: logind, for example, delays the machine's sleep as long as such a file is open.
package final class BusDescriptor: Sendable {
  private let number: Int32

  /// Takes over an open file.
  init(adopting number: Int32) { self.number = number }

  deinit { Glibc.close(number) }
}
