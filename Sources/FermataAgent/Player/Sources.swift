// SPDX-License-Identifier: MIT
package import AgentLoop
package import MediaModel
package import SourceIO
import TagIO

/// Finds what is to be played in the files and folders that people name. Small folders are ordered by the tags of their files.
package enum Sources {
  /// Everything that the requests stand for; relative paths begin at `base`. Blocks on the disk. `job` is told what is looked at, and
  /// the search ends when it is cancelled.
  ///
  /// - Throws: if nothing can be played, or if something that was named does not exist.
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
