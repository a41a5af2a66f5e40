// SPDX-License-Identifier: MIT

/// Advice for a library that the system's loader did not find.
package enum MissingLibrary {
  /// The advice, worded as the end of a sentence. `reason` is the loader's message, such as "libavformat.so.59: cannot open shared object file: No
  /// such file or directory".
  package static func advice(_ reason: String) -> String {
    if let package = package(in: reason) { return "needs FFmpeg: install the package \(package)" }
    return "needs FFmpeg, with which this fermata was not built: install libavformat-dev and build it anew"
  }

  /// The package of Debian and Ubuntu that has the missing library, to tell the user what to install. It is made from the library's name and number,
  /// as in "libavformat59".
  static func package(in reason: String) -> String? {
    let file = reason.prefix { $0 != ":" }
    let name = file.split(separator: "/").last ?? file
    let parts = name.split(separator: ".")
    guard parts.count >= 3, parts[1] == "so", let number = Int(parts[2]), number > 0,
      parts[0].utf8.starts(with: "lib".utf8),
      parts[0].allSatisfy({ $0.isLetter })
    else { return nil }
    return "\(parts[0])\(number)"
  }
}
