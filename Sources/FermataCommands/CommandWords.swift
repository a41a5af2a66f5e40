// SPDX-License-Identifier: MIT
import Glibc
import MediaModel

/// The words of this program's command line.
package enum CommandWords {
  /// This process's words without the program's name. A file name need not be valid UTF-8. A word that is not becomes the `file:` URI of the file
  /// that it names, which preserves its bytes.
  package static func ofThisProcess() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { text in
        word(UnsafeRawBufferPointer(start: text, count: strlen(text)), in: FilePath.workingFolder)
      }
    }
  }

  /// One word of the command line as text. If its bytes are not UTF-8, they become the `file:` URI of the file that they name; a relative path starts
  /// at `folder`. Of `--option=value` only the value is converted.
  static func word(_ bytes: some Collection<UInt8>, in folder: FilePath?) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    if bytes.starts(with: "--".utf8), let sign = bytes.firstIndex(of: UInt8(ascii: "=")),
      let option = String(validating: bytes[...sign], as: UTF8.self)
    {
      return option + word(bytes[bytes.index(after: sign)...], in: folder)
    }
    guard let path = FilePath(bytes), let folder = path.isAbsolute ? "/" : folder else {
      return String(decoding: bytes, as: UTF8.self)
    }
    return path.resolved(against: folder).uri
  }
}

/// Quotes words for a shell.
enum ShellWord {
  /// The word unchanged if the shell gives it no special meaning; otherwise in double quotes, because messages put single quotes around commands.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.allSatisfy(isPlain) else { return word }
    // In double quotes a shell that people type into still takes this sign for its history.
    if word.contains("!" as Character) { return word.map { isPlain($0) ? String($0) : "\\\($0)" }.joined() }
    return "\"" + word.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private static func isPlain(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || "/._-+,:@%=".contains(letter)
  }
}
