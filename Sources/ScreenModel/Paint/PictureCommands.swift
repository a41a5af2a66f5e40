// SPDX-License-Identifier: MIT
import PictureModel

/// The commands by which a terminal takes a picture's file, shows it and forgets it. What the file says gets into them as Base64 only, whose
/// letters can end or begin no command.
enum PictureCommands {
  /// Kitty takes no longer piece at once.
  private static let longestPiece = 4_096

  // MARK: Kitty's protocol

  // The terminal is to answer nothing (q=2): the answers would come between the keys.

  /// Gives the terminal a picture under this number. It is not shown yet.
  static func transmission(_ file: PNGFile, as number: UInt32) -> [UInt8] {
    let text = Base64.text(of: file.bytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + text.count / 100 + 100)
    for start in stride(from: 0, to: text.count, by: longestPiece) {
      let end = min(start + longestPiece, text.count)
      let keys = start == 0 ? "a=t,t=d,f=100,i=\(number),q=2" : "q=2"
      bytes += "\u{1B}_G\(keys),m=\(end < text.count ? 1 : 0);".utf8
      bytes += text[start..<end]
      bytes += "\u{1B}\\".utf8
    }
    return bytes
  }

  /// Makes cells that stand for the parts of a picture show it: so many of them in all.
  static func stand(_ picture: PlacedPicture, _ number: UInt32) -> String {
    "\u{1B}_Ga=p,U=1,i=\(number),c=\(picture.columns),r=\(picture.rows),q=2\u{1B}\\"
  }

  /// Puts a picture over the cells that begin at the cursor. The cursor stays where it is.
  static func lay(_ picture: PlacedPicture, _ number: UInt32) -> String {
    "\u{1B}_Ga=p,i=\(number),p=1,c=\(picture.columns),r=\(picture.rows),C=1,q=2\u{1B}\\"
  }

  /// Takes a picture away, and has the terminal forget it.
  static func deletion(_ number: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" }

  /// The same where a part of a picture may have been sent. Terminals would take the next picture for the rest of it, so it gets an end.
  static func removal(_ number: UInt32) -> [UInt8] {
    Array("\u{1B}_Gq=2,m=0;\u{1B}\\\(deletion(number))".utf8)
  }

  // MARK: iTerm2's protocol

  /// Makes a picture the content of the cells from the cursor on.
  static func content(_ file: PNGFile, on picture: PlacedPicture) -> [UInt8] {
    let keys =
      "inline=1;size=\(file.bytes.count);width=\(picture.columns);height=\(picture.rows);preserveAspectRatio=1;doNotMoveCursor=1"
    return Array("\u{1B}]1337;File=\(keys):".utf8) + Base64.text(of: file.bytes) + [0x07]
  }
}
