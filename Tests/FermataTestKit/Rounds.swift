// SPDX-License-Identifier: MIT
import Glibc

/// How long a test goes on that could go on for ever.
package enum Rounds {
  /// 1 in a usual run; `FERMATA_ROUNDS` makes it more.
  package static let count =
    unsafe getenv("FERMATA_ROUNDS").flatMap { unsafe Int(String(cString: $0)) } ?? 1
}
