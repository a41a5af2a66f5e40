// SPDX-License-Identifier: MIT
@testable import FermataCommands
import FermataTestKit
import Glibc
import MediaModel
import ScreenModel
import Testing

@Suite("The file of what was typed")
struct HistoryFileTests {
  private let folder: TemporaryDirectory
  private let path: String
  private let file: HistoryFile

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.path("state/fermata/history")
    file = HistoryFile(try #require(FilePath(path)))
  }

  private var mode: UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
  }

  @Test("it is made with its folders, for the user alone, and keeps lines in their order")
  func keeping() {
    #expect(file.read() == TypedHistory())
    file.add(KeptLine(.command, "volume 40%"))
    file.add(KeptLine(.words, "björk"))
    #expect(mode == 0o600 && TextFile.read(path) == ":volume 40%\n/björk\n")
    chmod(path, 0o644)
    file.add(KeptLine(.command, "q"))
    #expect(mode == 0o600 && file.read().texts(.command) == ["volume 40%", "q"])
  }

  @Test("a damaged one is begun anew, and a folder in its place is left alone")
  func damage() throws {
    try folder.write("state/fermata/history", "\u{0}rubbish")
    #expect(file.read() == TypedHistory())
    file.add(KeptLine(.command, "q"))
    #expect(TextFile.read(path) == ":q\n")
    unlink(path)
    try folder.makeFolder("state/fermata/history")
    file.add(KeptLine(.command, "q"))
    #expect(file.read() == TypedHistory())
  }

  @Test("screens that write at the same time lose no line")
  func together() async {
    await withTaskGroup(of: Void.self) { group in
      for screen in 0..<4 {
        group.addTask { [file] in for line in 0..<20 { file.add(KeptLine(.command, "\(screen) \(line)")) } }
      }
    }
    #expect(Set(file.read().texts(.command)).count == 80)
  }
}
