// SPDX-License-Identifier: MIT
internal import MediaModel

extension FilePath {
  /// The path as the C library wants it, for the length of the call.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        // A path has at least one byte, so the buffer is not empty and has an address.
        unsafe body(text.baseAddress!)
      }
    }
  }

  /// An entry of this folder.
  func entry(_ name: [UInt8]) -> FilePath? { FilePath(bytes + [UInt8(ascii: "/")] + name) }
}
