// SPDX-License-Identifier: MIT
package import AgentLoop
package import MediaModel
package import SourceIO
import TagIO

/// What people name, as this player takes it: small folders are ordered by the tags of their files.
package enum Sources {
  /// All that the requests come to, as seen from a folder. Blocks on the disk. The job says what is looked at, and ends this when
  /// it is cancelled.
  ///
  /// - Throws: where nothing plays, or what was named is not there.
  package static func expand(
    _ requests: [SourceRequest], from base: FilePath, _ job: BlockingJob = BlockingJob()
  ) throws(SourceError) -> SourceExpansion {
    for case .path(let path) in requests.prefix(1) { job.looks(at: path.text) }
    return try SourceExpander(
      base: base,
      tagsOf: { path in
        job.looks(at: path.text)
        return try? TagReader().tags(of: path).tags
      },
      refusal: { path in
        job.looks(at: path.text)
        return SoundOpener.refusal(of: path.location)
      }
    ).expand(requests, progress: { job.looks(at: $0.current.text) }, isCancelled: { !job.goesOn() })
  }
}
