// SPDX-License-Identifier: MIT
import Testing

@Suite("Who may import whom")
struct ImportRulesTests {
  @Test(
    "an import against the layers is found",
    arguments: [
      Sample(importing: "Glibc", in: "PlaybackLogic"),
      Sample(importing: "Synchronization", in: "AudioModel"),
      Sample(importing: "CPulse", in: "AudioModel"),
      Sample(importing: "AgentLoop", in: "JobLogic"),
      Sample(importing: "BusIO", in: "PulseIO"),
      Sample(importing: "FermataAgent", in: "BusIO"),
      Sample(importing: "CDBus", in: "FermataAgent"),
      Sample(importing: "FermataCommands", in: "FermataAgent"),
      Sample(importing: "FermataClient", in: "FermataAgent"),
      Sample(importing: "PulseIO", in: "fermata"),
      Sample(importing: "FermataTestKit", in: "FermataAgent"),
      Sample(importing: "Testing", in: "fermata-bench"),
      Sample(importing: "Foundation", in: "FermataTestKit"),
      Sample(importing: "Dispatch", in: "AgentLoop"),
      Sample(importing: "Foundation", in: "BusIOTests", below: "Tests"),
      Sample(importing: "Novelty", in: "FermataAgent"),
      Sample(importing: "AudioModel", in: "Novelty"),
    ])
  func forbidden(sample: Sample) {
    #expect(ImportRules.violations(in: sample.file).count == 1)
  }

  @Test(
    "an import along the layers is not",
    arguments: [
      Sample(importing: "AudioModel", in: "PlaybackLogic"),
      Sample(importing: "PlaybackLogic", in: "PulseIO"),
      Sample(importing: "CPulse", in: "PulseIO"),
      Sample(importing: "AgentLoop", in: "BusIO"),
      Sample(importing: "Glibc", in: "AgentLoop"),
      Sample(importing: "Synchronization", in: "DecodeIO"),
      Sample(importing: "BusIO", in: "FermataAgent"),
      Sample(importing: "FermataAgent", in: "FermataCommands"),
      Sample(importing: "FermataCommands", in: "fermata"),
      Sample(importing: "PulseIO", in: "FermataTestKit"),
      Sample(importing: "FermataTestKit", in: "fermata-bench"),
      Sample(importing: "CDBus", in: "BusIOTests", below: "Tests"),
    ])
  func allowed(sample: Sample) {
    #expect(ImportRules.violations(in: sample.file).isEmpty)
  }

  @Test(
    "however it is written, an import is seen",
    arguments: [
      "import Glibc", "public import Glibc", "@testable import Glibc", "@_exported public import Glibc",
      "import struct Glibc.stat", "  import Glibc  // why", "@_spi(X) import Glibc",
      "#if os(Linux)\nimport Glibc\n#endif", "/* why */ import Glibc",
    ])
  func written(text: String) {
    let file = SourceFile("Sources/AudioModel/Sample.swift", text)
    #expect(ImportRules.imports(of: file).map(\.name) == ["Glibc"])
    #expect(ImportRules.violations(in: file).count == 1)
  }

  @Test(
    "what only reads like an import is none",
    arguments: [
      "// import Glibc", "let text = \"import Glibc\"", "let text = \"\"\"\n  import Glibc\n  \"\"\"",
      "x.import(Glibc)",
    ])
  func notWritten(text: String) {
    #expect(ImportRules.imports(of: SourceFile("Sources/AudioModel/Sample.swift", text)).isEmpty)
  }

  @Test("a module without a layer is told where to be entered")
  func unknownModule() {
    let found = ImportRules.violations(in: Sample(importing: "AudioModel", in: "Novelty").file)
    #expect(found.first?.message == "no layer for Novelty: add it to \(House.table)")
    #expect(SourceTree.files.contains { $0.path == House.table })
  }

  @Test("an import that the manifest does not give is found, in sources and in tests")
  func undeclared() {
    let manifest = Manifest(
      SourceFile(
        "Package.swift",
        """
        let package = Package(name: "fermata", targets: [
          pure("AudioModel"), pure("PlaybackLogic", ["AudioModel"]), tests("PlaybackLogic"),
          .executableTarget(name: "fermata", dependencies: ["FermataCommands"]),  // not ["AudioModel"]
        ])
        """))
    #expect(manifest.dependencies["PlaybackLogic"] == ["AudioModel"])
    #expect(manifest.dependencies["PlaybackLogicTests"] == ["PlaybackLogic"])
    #expect(manifest.dependencies["fermata"] == ["FermataCommands"])
    let samples: [(Sample, isFound: Bool)] = [
      (Sample(importing: "AudioModel", in: "PlaybackLogic"), false),
      (Sample(importing: "MediaModel", in: "PlaybackLogic"), true),
      (Sample(importing: "PlaybackLogic", in: "PlaybackLogicTests", below: "Tests"), false),
      (Sample(importing: "AudioModel", in: "PlaybackLogicTests", below: "Tests"), true),
      (Sample(importing: "Glibc", in: "AudioModel"), false),
      (Sample(importing: "AudioModel", in: "JobLogic"), true),
    ]
    for (sample, isFound) in samples {
      let found = ImportRules.undeclared(in: sample.file, manifest: manifest)
      #expect(found.isEmpty != isFound, "\(sample.testDescription)")
    }
  }
}
