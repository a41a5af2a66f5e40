// SPDX-License-Identifier: MIT
import MediaModel

/// The words that the program was called with.
public enum CommandWords {
  /// Those of this process, without its name. Names of files need not be text: such a word comes as the `file:` URI of what it names,
  /// in which its bytes are kept.
  public static func ofThisProcess() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { text in
        word(UnsafeRawBufferPointer(start: text, count: length(text)), in: Commands.workingFolder())
      }
    }
  }

  /// One word, seen from a folder.
  static func word(_ bytes: some Collection<UInt8>, in folder: FilePath) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard let path = FilePath(bytes) else { return String(decoding: bytes, as: UTF8.self) }
    return path.resolved(against: folder).uri
  }

  private static func length(_ text: UnsafeMutablePointer<CChar>) -> Int {
    var end = 0
    while text[end] != 0 { end += 1 }
    return end
  }
}
