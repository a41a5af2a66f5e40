// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import Glibc
import Testing

/// What desktops read of the program, beside what it says of itself on the bus.
@Suite("The desktop entry and the metainfo")
struct DesktopEntryTests {
  private static let tree = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

  private func text(_ name: String) throws -> String {
    let file = try #require(fopen("\(Self.tree)/\(name)", "r"), "\(name) is not there")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// The groups of the entry, each with its keys.
  private func groups() throws -> [String: [String: String]] {
    var groups: [String: [String: String]] = [:]
    var group = ""
    for line in try text("packaging/desktop/\(MPRISRoot.identity).desktop").split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        group = String(line.dropFirst().dropLast())
        #expect(groups.updateValue([:], forKey: group) == nil, "\(group) twice")
      } else {
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        try #require(parts.count == 2, "\(line)")
        #expect(groups[group]?.updateValue(parts[1], forKey: parts[0]) == nil, "\(parts[0]) twice")
      }
    }
    return groups
  }

  private func list(_ text: String?) -> [String] { (text ?? "").split(separator: ";").map(String.init) }

  /// What stands between the tags of this name.
  private func elements(_ tag: Substring, in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("<\(tag)>"), line.hasSuffix("</\(tag)>") else { return nil }
      return String(line.dropFirst(tag.count + 2).dropLast(tag.count + 3))
    }
  }

  @Test("it opens what the player says that it plays, and nothing else")
  func types() throws {
    let entry = try #require(try groups()["Desktop Entry"])
    #expect(list(entry["MimeType"]) == MPRISRoot.mimeTypes)
    #expect(
      elements("mediatype", in: try text("packaging/desktop/org.fermata.Agent.metainfo.xml"))
        == MPRISRoot.mimeTypes)
    #expect(Set(MPRISRoot.mimeTypes).count == MPRISRoot.mimeTypes.count)
  }

  @Test("it is what the player names on the bus, with an icon that is installed by that name")
  func names() throws {
    let entry = try #require(try groups()["Desktop Entry"])
    let named = MPRISRoot.properties.value(of: "DesktopEntry", in: .fermata)
    #expect(named == .string("fermata"))
    #expect(entry["Type"] == "Application" && entry["Icon"] == "fermata" && entry["NoDisplay"] == "true")
    #expect(try text("packaging/icons/fermata.svg").contains("<svg "))
    #expect(
      try text("packaging/desktop/org.fermata.Agent.metainfo.xml").contains(">fermata.desktop</launchable>"))
  }

  @Test("each action is one that there is, and runs a command of the program")
  func actions() throws {
    let groups = try groups()
    let entry = try #require(groups["Desktop Entry"])
    let actions = list(entry["Actions"])
    #expect(actions == ["PlayPause", "Next", "Previous", "Stop"])
    #expect(Set(groups.keys) == Set(actions.map { "Desktop Action \($0)" } + ["Desktop Entry"]))
    let commands = actions.compactMap { groups["Desktop Action \($0)"]?["Exec"] }
    #expect(commands == ["toggle", "next", "previous", "stop"].map { "@bindir@/fermata \($0)" })
    #expect(entry["Exec"] == "@bindir@/fermata play --join %F")
  }
}
