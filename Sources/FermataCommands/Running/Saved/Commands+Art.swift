// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import FileIO
import Glibc
import MediaModel
import TerminalIO

extension Commands {
  static func art(_ options: ArtCommand.Options, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      let reply = try await client.call(
        .art(options.item.map { MediaItem.ID(rawValue: $0) }, size: options.size))
      guard let uri = try? reply.decoded(as: String.self), let path = try? FilePath(uri: uri) else {
        throw client.unreadable
      }
      if let output = options.output {
        try copy(path, to: output)
      } else if options.json {
        // A path that is not valid text is given only as a URI.
        let object = JSONValue.object(present: [
          "artUrl": .string(uri), "path": path.exactText.map(JSONValue.string),
        ])
        try write(JSONWriter.text(object) + "\n")
      } else {
        try write((path.exactText ?? uri) + "\n")
      }
      return .done
    }
  }

  /// Copies a picture to the file that the user named. An existing file is replaced as a whole. If the target is the
  /// picture's own file, under whatever name, it is left unchanged.
  private static func copy(_ picture: FilePath, to output: String) throws(CommandError) {
    let (bytes, identity) = try content(of: picture)
    if output == "-" {
      // Refuses `art -o - >> cover.jpg` if `cover.jpg` is that picture itself: it would be appended to itself.
      guard (try? HeldFile("/proc/self/fd/1"))?.identity != identity else {
        throw CommandError(.refused, "standard output", "it is the picture itself", "send it elsewhere")
      }
      do throws(TerminalError) { _ = try LineWriter.output.write(bytes) } catch {
        throw CommandError(unwritable: error)
      }
      return
    }
    guard let path = try NamedFiles.output(output) else {
      throw CommandError(.usage, "'\(output)'", "not the name of a file", "give it another")
    }
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
