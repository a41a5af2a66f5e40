// SPDX-License-Identifier: MIT

/// Who may import whom.
enum ImportRules {
  /// 17 MB of memory, or threads of its own: nothing of this house needs them.
  static let banned: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch", "XCTest",
  ]

  private static let system: [Layer: Set<String>] = [
    .adapter: ["Glibc", "Synchronization"],
    .assembly: ["Glibc", "Synchronization"],
    .bench: ["Glibc", "Synchronization"],
    .testKit: ["Glibc", "Synchronization", "Testing"],
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.isSwift, let module = file.module else { return [] }
    return imports(of: file).compactMap { name, line in
      reason(against: name, in: module, isSource: file.isSource).map { file.violation(line, $0) }
    }
  }

  /// Only what the manifest declares: a build that finds the module lying there from before lets it pass.
  static func undeclared(in file: SourceFile, manifest: Manifest) -> [Violation] {
    guard file.isSwift, let module = file.module else { return [] }
    guard let declared = manifest.dependencies[module] else {
      return file.isSource || file.path.contains("Tests/\(module)Tests/")
        ? [file.violation(1, "\(module) has no target in Package.swift")] : []
    }
    return imports(of: file).compactMap { name, line in
      guard House.layers[name] != nil, name != module, !declared.contains(name) else { return nil }
      return file.violation(line, "\(module) imports \(name), which Package.swift does not give it")
    }
  }

  private static func reason(against name: String, in module: String, isSource: Bool) -> String? {
    if banned.contains(name) { return "\(name) is not used in this house" }
    guard isSource else { return nil }
    guard let layer = House.layers[module] else { return "no layer for \(module): add it to \(House.table)" }
    if system[layer]?.contains(name) == true { return nil }
    guard let other = House.layers[name] else {
      return "\(module) may not import \(name); if that is a module of this house, add it to \(House.table)"
    }
    return allows(layer, module, other, name) ? nil : "\(module) (\(layer)) may not import \(name) (\(other))"
  }

  private static func allows(_ layer: Layer, _ module: String, _ other: Layer, _ name: String) -> Bool {
    switch (layer, other) {
    case (.testKit, _), (.bench, _): true
    case (.pure, .pure), (.adapter, .pure), (.adapter, .c): true
    case (.adapter, .adapter): House.common.contains(name)
    case (.assembly, .pure), (.assembly, .adapter), (.program, .assembly): true
    case (.assembly, .assembly): rank(name) < rank(module)
    default: false
    }
  }

  private static func rank(_ module: String) -> Int {
    House.assemblyOrder.firstIndex(of: module) ?? House.assemblyOrder.count
  }

  /// What may begin the line of an import.
  private static let beginnings: Set<String> = [
    "import", "public", "package", "internal", "fileprivate", "private", "@",
  ]
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "typealias", "actor", "func", "let", "var",
  ]

  static func imports(of file: SourceFile) -> [(name: String, line: Int)] {
    file.tokens.indices.compactMap { at in
      let keyword = file.tokens[at]
      guard keyword.isCode("import"), beginsStatement(at, in: file) else { return nil }
      let name = file.tokens[(at + 1)...].drop { kinds.contains($0.text) }.first
      return name?.kind == .word ? name.map { ($0.text, keyword.line) } : nil
    }
  }

  private static func beginsStatement(_ at: Int, in file: SourceFile) -> Bool {
    let line = file.tokens[...at].reversed().prefix { $0.line == file.tokens[at].line }
    return line.last.map { beginnings.contains($0.text) } ?? false
  }
}
