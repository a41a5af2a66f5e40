// SPDX-License-Identifier: MIT
import FermataTestKit

/// A figure of this process in bytes: `VmRSS`, or `VmHWM` for the peak.
func memory(_ name: String) throws -> Int {
  let status = String(decoding: try contents(of: "/proc/self/status"), as: UTF8.self)
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
  guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
  else { throw KitError("no \(name) in /proc/self/status") }
  return kilobytes * 1024
}
