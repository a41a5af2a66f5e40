// SPDX-License-Identifier: MIT
import MediaModel

/// The words that the program was called with.
package enum CommandWords {
  /// Those of this process, without its name. Names of files need not be text: such a word comes as the `file:` URI of what it names,
  /// in which its bytes are kept.
  package static func ofThisProcess() -> [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { text in
        word(UnsafeRawBufferPointer(start: text, count: length(text)), in: NamedFiles.workingFolder)
      }
    }
  }

  /// One word, seen from a folder. Of a long option's value the option stays as it is.
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

  private static func length(_ text: UnsafeMutablePointer<CChar>) -> Int {
    var end = 0
    while text[end] != 0 { end += 1 }
    return end
  }
}

/// A word as one types it into a shell.
enum ShellWord {
  /// The word itself where it means nothing else to a shell; otherwise in double quotes, as messages quote commands in single ones.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.allSatisfy(isPlain) else { return word }
    return "\"" + word.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private static func isPlain(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || "/._-+,:@%=".contains(letter)
  }
}
