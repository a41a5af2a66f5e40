// SPDX-License-Identifier: MIT
import BusModel
import Glibc
import Testing

@testable import FaceModel

/// The files under `dbus/` say what the code says.
///
/// They are written by this test: run it with `FERMATA_REWRITE_DBUS=1` after a description was changed, and
/// read the difference before it is committed.
@Suite("The interfaces' XML files")
struct DescriptionFiles {
  @Test("a file is what Introspect answers", arguments: MPRISDescriptions.all + AgentDescriptions.all)
  func file(interface: InterfaceDescription) {
    let path = Self.folder + "/\(interface.name).xml"
    let text = IntrospectionXML.document([interface])
    if getenv("FERMATA_REWRITE_DBUS") != nil { #expect(Self.write(text, to: path), "cannot write \(path)") }
    #expect(
      Self.read(path) == text, "\(path) is another; run with FERMATA_REWRITE_DBUS=1 and read the difference")
  }

  private static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/dbus"

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    return fputs(text, file) >= 0 && fclose(file) == 0
  }
}
