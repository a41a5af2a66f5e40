// SPDX-License-Identifier: MIT
public import MediaModel
public import SourceIO
import TagIO

/// What people name, as this player takes it: small folders are ordered by the tags of their files.
public enum Sources {
  /// All that the requests come to, as seen from a folder. Blocks on the disk.
  ///
  /// - Throws: where nothing plays, or what was named is not there.
  public static func expand(_ requests: [SourceRequest], from base: FilePath) throws(SourceError)
    -> SourceExpansion
  {
    try SourceExpander(
      base: base, tagsOf: { try? TagReader().tags(of: $0).tags },
      isSound: { SoundOpener.canOpen($0.location) }
    ).expand(requests)
  }
}
