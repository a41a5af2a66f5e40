// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FileIO
import Glibc
import MediaModel
import TerminalIO

/// `fermata art`.
struct ArtCommand: Command {
  /// The item of the library whose picture is wanted; nil for the current track.
  let item: MediaItem.ID?
  /// The row of the queue whose picture is wanted, counted from 1; nil if none was named.
  let row: Int?
  /// How many pixels wide and high the picture may be; nil for its own size.
  let size: Int?
  /// The file to copy the picture to, `-` for standard output; nil to print the path of the picture.
  let output: String?
  let json: Bool

  private static let item = ArgumentDefinition(
    ValueDefinition("ID"), .optional, summary: "An item of the library; without one, the current track")
  private static let size = OptionDefinition(
    "size", value: ValueDefinition("N"), summary: "Make it fit into N pixels; draw one where there is none")
  private static let row = OptionDefinition(
    "row", value: ValueDefinition("N"), summary: "The picture of row N of the queue")
  private static let output = OptionDefinition(
    "output", short: "o", value: ValueDefinition("FILE", completion: .files),
    summary: "Copy the picture into a file, replacing it; `-` is standard output")

  static let definition = CommandDefinition(
    "art", summary: "Show where the picture of a track is",
    discussion: [
      """
      The path is written unless the picture is copied. Without a size it is the picture as it came. With one it is a PNG that fits into \
      so many pixels and is never larger than what it was made of; where there is no picture, a record is drawn in the album's colours. \
      A file that is replaced is replaced as a whole or not at all; where it is the picture itself nothing is done.
      """
    ],
    arguments: [item], options: [size, row, output, .json], exclusive: [[output, .json]],
    examples: [
      ("fermata art -o cover.jpg", "Keep the picture of what plays"),
      ("fermata art 17 --size 300 -o -", "Item 17 of the library, small, for another program"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    item = try parsed.value(Self.item).map { (word) throws(CommandError) in
      MediaItem.ID(rawValue: Int64(try parsed.number(word, named: "item", in: 1...Int.max)))
    }
    size = try parsed.number(Self.size, in: 1...4096)
    row = try parsed.number(Self.row, in: 1...Int.max)
    guard item == nil || row == nil else {
      throw parsed.error("--row", "an item of the library is named as well", "leave out one of them")
    }
    output = parsed.value(Self.output)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let (uri, path) =
        if let row { try await agent.art(ofRow: row, size: size) } else {
          try await agent.art(item, size: size)
        }
      if let output {
        try Self.copy(path, to: output)
      } else {
        // A path that is not valid text is given only as a URI.
        try Printer.write(
          .object(present: ["artUrl": .string(uri), "path": path.exactText.map(JSONValue.string)]),
          if: json, else: Printer.exact(path.exactText ?? uri))
      }
    }
  }

  // MARK: Copying

  /// Copies a picture to the file that the user named. An existing file is replaced as a whole. If the target is the
  /// picture's own file, under whatever name, it is left unchanged.
  private static func copy(_ picture: FilePath, to output: String) throws(CommandError) {
    let (bytes, identity) = try content(of: picture)
    if output == "-" {
      // Refuses `art -o - >> cover.jpg` if `cover.jpg` is that picture itself, because it would be appended to itself.
      guard (try? HeldFile("/proc/self/fd/1"))?.identity != identity else {
        throw CommandError(.refused, "standard output", "it is the picture itself", "send it elsewhere")
      }
      return try Printer.write(bytes)
    }
    let path = try FilePath.typed(Array(output.utf8), or: .cannotWrite)
    guard let held = try? HeldFile(path) else { return try write(bytes, to: path) }
    switch held.kind {
    case .file: if held.identity != identity { try write(bytes, to: path) }
    case .pipe, .device: try pour(bytes, into: path)
    case .folder, .socket:
      throw CommandError(.cannotWrite, "'\(path)'", "is \(held.kind.name)", "choose another name")
    }
  }

  private static func content(
    of picture: FilePath
  ) throws(CommandError) -> (bytes: [UInt8], identity: FileIdentity) {
    do throws(SystemError) {
      let held = try HeldFile(picture)
      guard held.kind == .file else { throw SystemError(code: EINVAL) }
      return (try held.openFile().head(Int(held.stamp.size)), held.identity)
    } catch {
      throw CommandError(.refused, "'\(picture)'", "the picture can't be read: \(String(errno: error.code))")
    }
  }

  private static func write(_ bytes: [UInt8], to path: FilePath) throws(CommandError) {
    do throws(SystemError) { try NewFile.write(bytes, at: path) } catch {
      throw unwritable(path, String(errno: error.code))
    }
  }

  /// Writes into something that is not a regular file: a device, or a pipe of the shell.
  private static func pour(_ bytes: [UInt8], into path: FilePath) throws(CommandError) {
    let target = path.withCString { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
    guard target >= 0 else { throw unwritable(path, String(errno: errno)) }
    defer { close(target) }
    do throws(TerminalError) { _ = try LineWriter(target).write(bytes) } catch {
      throw unwritable(path, "\(error)")
    }
  }

  private static func unwritable(_ path: FilePath, _ reason: String) -> CommandError {
    CommandError(.cannotWrite, "'\(path)'", "can't be written: \(reason)", "choose another name or make room")
  }
}
