// SPDX-License-Identifier: MIT
import Testing

/// The rules, held against the tree as it is on disk.
@Suite("The house keeps its own rules")
struct HouseTests {
  private let files = SourceTree.files

  private func expectNone(_ violations: [Violation]) {
    #expect(violations.isEmpty, "\n\(violations.map(\.description).joined(separator: "\n"))")
  }

  @Test("the tree was found")
  func tree() {
    let paths = Set(files.map(\.path))
    #expect(paths.isSuperset(of: ["Package.swift", "Makefile", "Tests/ArchitectureTests/HouseTests.swift"]))
    #expect(!paths.contains { $0.hasPrefix(".build/") || $0.hasPrefix(".git/") })
  }

  @Test("layers point one way, and no adapter imports another")
  func imports() {
    expectNone(files.flatMap(ImportRules.violations))
  }

  @Test("nobody imports what Package.swift does not give")
  func declaredImports() throws {
    let manifest = Manifest(try #require(files.first { $0.path == "Package.swift" }))
    expectNone(files.flatMap { ImportRules.undeclared(in: $0, manifest: manifest) })
  }

  @Test("tasks start on the loop, and nothing sleeps in a test")
  func tasks() {
    expectNone(files.flatMap { TaskRules.violations(in: $0) + TaskRules.sleeps(in: $0) })
  }

  @Test("what the compiler takes on trust stands beside its proof")
  func proofs() {
    expectNone(files.flatMap(ProofRules.violations))
  }

  @Test("each file names its licence, notes nothing unfinished, and is for this package alone")
  func form() {
    expectNone(
      files.flatMap {
        FormRules.licences(in: $0) + FormRules.unfinished(in: $0) + FormRules.published(in: $0)
      })
  }

  @Test("no path of one machine is in the tree")
  func machinePaths() {
    expectNone(files.flatMap(FormRules.machinePaths))
  }

  @Test("what tests and scripts run is installed for them")
  func programs() throws {
    let needs = Needs(try #require(files.first { $0.path == ProgramRules.list }))
    #expect(needs.packages["test"]?.isSuperset(of: ["g++", "dbus", "sox"]) == true)
    expectNone(files.flatMap { ProgramRules.violations(in: $0, needs: needs) })
  }

  @Test("the page about the house names each thread")
  func threads() throws {
    let page = try #require(files.first { $0.path == "docs/ARCHITECTURE.md" }).text
    let names = files.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
      file.text.matches(of: /BlockingThread\(\s*"([a-z-]+)"/).map { String($0.1) }
    }
    #expect(names.count > 10)
    for name in Set(names) { #expect(page.contains("*\(name)*"), "\(name)") }
  }

  @Test("files and functions are short")
  func sizes() {
    expectNone(files.flatMap(SizeRules.longFiles))
    expectNone(SizeRules.crowd(SizeRules.files(files), of: "files", median: 200, p95: 400))
    expectNone(SizeRules.crowd(SizeRules.functions(files), of: "functions", median: 8, p95: 35))
  }
}
