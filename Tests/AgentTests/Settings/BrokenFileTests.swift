// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("Settings that cannot be read", .endsAnyway)
struct BrokenFileTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.makeFolder(".config/fermata")
  }

  private func list(_ bytes: [UInt8]) throws -> Child {
    try folder.write(".config/fermata/fermata.conf", bytes)
    let child = try Child(.beside("fermata"), ["settings"], environment: ["HOME": folder.path])
    #expect(child.exit(until: .patient) == .exited(78))
    return child
  }

  @Test("a letter of another encoding is named by its line")
  func encoding() throws {
    let child = try list(Array("repeat = all\n# f\u{FC}r mich\n".unicodeScalars.map { UInt8($0.value) }))
    #expect(child.standardError.hasSuffix("fermata.conf': line 2 is not UTF-8; save it as UTF-8\n"))
  }

  @Test("every line that can't be meant is named, in order, and the settings are shown all the same")
  func order() throws {
    let child = try list(Array("loudness=loud\nrepeat = all\nfoo = 1\nrepeat = one\n".utf8))
    let lines = child.standardError.split(separator: "\n")
    #expect(lines.map { $0.split(separator: ":")[1].suffix(7) } == [" line 1", " line 3", " line 4"])
    #expect(child.standardOutput.contains("resume-on-return"))
  }
}
