// SPDX-License-Identifier: MIT
package import Glibc

// The benchmark uses the kit too. It is built as a release, where the Testing module doesn't exist.
#if canImport(Testing)
  import Testing

  /// Texts that were read by a person once and must not change by accident. They stand beside the tests in `Golden`.
  ///
  /// To take over what the program says now, run the tests with `FERMATA_REWRITE_GOLDEN=1` and read the difference before it is
  /// committed.
  package enum Golden {
    package static func expect(_ text: String, is name: String, file: String = #filePath) {
      let folder = file.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      expect(text, isAt: "\(folder)/Golden/\(name)")
    }

    /// The same for a file that is not only there for tests.
    package static func expect(_ text: String, isAt path: String) {
      let name = path.split(separator: "/").last ?? ""
      if unsafe getenv("FERMATA_REWRITE_GOLDEN") != nil {
        #expect(TextFile.write(text, to: path), "cannot write \(path)")
        return
      }
      let golden = TextFile.read(path)
      let (old, new) = (lines(golden ?? ""), lines(text))
      let place =
        zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(old.count, new.count)
      #expect(
        text == golden,
        "\(name), line \(place + 1): '\(new.dropFirst(place).first ?? "the end")' was '\(old.dropFirst(place).first ?? "the end")'"
      )
    }

    private static func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }
  }
#endif

/// Whole files as text.
package enum TextFile {
  package static func read(_ path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    return unsafe rest(of: file)
  }

  package static func write(_ text: String, to path: String) -> Bool {
    guard let file = unsafe fopen(path, "w") else { return false }
    return unsafe fputs(text, file) >= 0 && fclose(file) == 0
  }

  package static func rest(of file: UnsafeMutablePointer<FILE>) -> String {
    var bytes: [UInt8] = []
    var byte = unsafe getc(file)
    while byte != EOF {
      bytes.append(UInt8(truncatingIfNeeded: byte))
      byte = unsafe getc(file)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
