// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import Glibc
import MediaModel

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
        try write(
          JSONWriter.text(.object(present: ["artUrl": .string(uri), "path": .string(path.text)])) + "\n")
      } else {
        try write((path.exactText ?? uri) + "\n")
      }
      return .done
    }
  }

  private static func copy(_ picture: FilePath, to output: String) throws(CommandError) {
    let source = (picture.bytes + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC) } ?? -1
      }
    }
    guard source >= 0 else { throw failure(.refused, picture.text, "the picture can't be read") }
    defer { close(source) }
    let isStandard = output == "-"
    let target =
      isStandard ? STDOUT_FILENO : open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard target >= 0 else { throw failure(.cannotWrite, output, "can't be written") }
    defer { if !isStandard { close(target) } }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &chunk, chunk.count)
      guard count >= 0 else { throw failure(.refused, picture.text, "the picture can't be read") }
      if count == 0 { return }
      guard writeAll(chunk[..<count], to: target) else {
        // Nobody reads any more.
        if isStandard, errno == EPIPE { return }
        throw failure(.cannotWrite, output, "can't be written")
      }
    }
  }

  private static func writeAll(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private static func failure(_ code: ExitCode, _ file: String, _ what: String) -> CommandError {
    CommandError(code, "'\(file)'", "\(what): \(String(cString: strerror(errno)))")
  }
}
