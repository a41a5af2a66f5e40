// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import SourceIO
import Testing

@Suite("Any tree")
struct RandomTreeTests {
  /// What a folder holds; a leaf has nothing inside.
  private indirect enum Node {
    case file
    case folder([String: Node])
  }

  private static let names = ["a", "B", "1", "02", "10", ".h", "CD2", "é", "x y"]
  private static let extensions = [".mp3", ".FLAC", ".jpg", ".m3u", ""]

  private func tree(_ depth: Int, _ random: inout SeededGenerator) -> [String: Node] {
    var inner: [String: Node] = [:]
    for name in Self.names.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)) {
      if depth > 0, Bool.random(using: &random) {
        inner[name] = .folder(tree(depth - 1, &random))
      } else if let suffix = Self.extensions.randomElement(using: &random) {
        inner[name + suffix] = .file
      }
    }
    return inner
  }

  private func make(_ nodes: [String: Node], _ path: String, in folder: TemporaryDirectory) throws {
    try folder.makeFolder(path)
    for (name, node) in nodes {
      if case .folder(let inner) = node {
        try make(inner, "\(path)/\(name)", in: folder)
      } else {
        try folder.file("\(path)/\(name)")
      }
    }
  }

  /// The same order, told by sorting everything at once and asking each name what it is.
  private func expected(_ nodes: [String: Node], _ path: String) -> [String] {
    let sorted = nodes.filter { !$0.key.hasPrefix(".") }.sorted { NaturalOrder.precedes($0.key, $1.key) }
    let files = sorted.filter { name, node in
      guard case .file = node else { return false }
      return name.hasSuffix(".mp3") || name.hasSuffix(".FLAC")
    }
    let inner = sorted.flatMap { name, node in
      guard case .folder(let inner) = node else { return [String]() }
      return expected(inner, "\(path)/\(name)")
    }
    return files.map { "\(path)/\($0.key)" } + inner
  }

  @Test("files, hidden ones and folders in any mixture come out as a naive walk has them")
  func trees() throws {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let expand = try Expanding()
    for round in 0..<20 {
      let nodes = tree(3, &random)
      try make(nodes, "m\(round)", in: expand.folder)
      let names = expected(nodes, "m\(round)")
      let found = try? expand("m\(round)").names
      #expect(found ?? [] == names, "seed \(seed), round \(round)")
    }
  }
}
