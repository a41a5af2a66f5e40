// SPDX-License-Identifier: MIT
import FencedProcess
package import FileIO
import MediaModel
import PictureIO
import ReaderIO
package import ReaderModel
import TagIO

/// The process that reads files for the agent: takes open files from a socket, reads them, and answers. It has one thread. It ends when it has had no
/// work for half a minute, when the agent closes the socket, and with the agent.
package enum ReaderLoop {
  /// A function that reads a file, and answers with what the agent wants to know of it.
  package typealias Reading = (
    _ file: consuming OpenFile, _ facts: ReaderRequest.File, _ wanted: ReaderRequest.Wanted
  ) -> ReaderAnswer

  /// How long the process waits for the next request, in seconds.
  private static let patience = 30

  /// Reads files in the role that this process's arguments name, and ends the process.
  package static func runProcess() -> Never {
    FencedProcess.end(run(Array(CommandLine.arguments.dropFirst())), "fermata-reader")
  }

  /// Reads for the process at the other end of standard input until there is no more work, and returns the exit status. `words` are the role, and the
  /// character set of texts that a tag calls Latin-1. `replacing` changes the function that reads a file, for tests.
  package static func run(
    _ words: [String], replacing: (@escaping Reading) -> Reading = { $0 }
  ) -> Int32 {
    if words == ["decode"] { return DecodeLoop.run() }
    guard words.first == "tags", words.count <= 2 else { return FencedProcess.Exit.usage }
    let tags = TagReader(charset: words.count > 1 ? words[1] : nil)
    let read = replacing { file, facts, wanted in answer(tags, file, facts, wanted) }
    return FencedProcess.run(patience: patience, load: tags.warmUp) {
      socket, _ throws(PacketSocket.Failure) in try serve(socket, read)
    }
  }

  private static func answer(
    _ reader: TagReader, _ file: consuming OpenFile, _ facts: ReaderRequest.File,
    _ wanted: ReaderRequest.Wanted
  ) -> ReaderAnswer {
    do throws(ReadFailure) {
      switch wanted {
      case .tags: return .tags(try reader.tags(of: file, isNamedMPEG: facts.isNamedMPEG))
      case .picture: return .picture(try reader.picture(of: file, isNamedMPEG: facts.isNamedMPEG))
      case .scaled(let edge): return .picture(try scaled(reader, file, facts, edge))
      }
    } catch {
      return .failure(error)
    }
  }

  /// The largest file of a picture that is decoded. It is read whole here and never sent.
  private static let mostOfPictureFile = 48 << 20

  /// A small version of the picture in a sound file, or of the file itself if that is a picture. Nil if there is none, or if it can't be decoded.
  private static func scaled(
    _ reader: TagReader, _ file: consuming OpenFile, _ facts: ReaderRequest.File, _ edge: Int
  ) throws(ReadFailure) -> CoverPicture? {
    let picture: CoverPicture?
    // A file that begins like a picture is one, because no sound file begins like that.
    if CoverPicture.begins(try bytes(of: file, atMost: 16)) {
      guard facts.size <= mostOfPictureFile else { return nil }
      picture = CoverPicture(try bytes(of: file, atMost: facts.size))
    } else {
      picture = try reader.picture(of: file, isNamedMPEG: facts.isNamedMPEG)
    }
    var edge = edge
    while let small = picture.flatMap({ ScaledPicture.png(of: $0.bytes, edge: edge) }) {
      if small.bytes.count <= ReaderProtocol.largestPicture { return small }
      // A large photograph takes more bytes as a PNG than it had as a JPEG.
      edge = edge * 3 / 4
    }
    return nil
  }

  private static func bytes(of file: borrowing OpenFile, atMost count: Int) throws(ReadFailure) -> [UInt8] {
    do throws(SystemError) { return try file.head(count) } catch { throw .unreadable(error.code) }
  }

  /// Answers the agent's requests, one after another. Returns the exit status if a request makes no sense.
  private static func serve(
    _ socket: borrowing PacketSocket, _ read: Reading
  ) throws(PacketSocket.Failure) -> Int32 {
    while true {
      var packet = try socket.receive(atMost: ReaderProtocol.largestPacket)
      let files = packet.takeFiles()
      guard let request = ReaderRequest(packet.bytes), request.files.count == files.count else {
        return FencedProcess.Exit.nonsense
      }
      var answers: [UInt8] = []
      for (descriptor, facts) in zip(files, request.files) {
        answers += read(OpenFile(owning: descriptor, size: facts.size), facts, request.wanted).bytes
      }
      for piece in ReaderPiece.pieces(of: answers, number: request.number) { try socket.send(piece.bytes) }
    }
  }
}
