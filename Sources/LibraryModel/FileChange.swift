// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// A sound file as the library knows it: what a scan compares with the folder.
package struct KnownFile: Sendable, Hashable {
  /// The item that was made of the file.
  package var id: MediaItem.ID
  package var path: FilePath
  /// The stamp that the file had when it was read.
  package var stamp: FileStamp
  /// Nil if the file could not be read, or its sound has too little to go by.
  package var fingerprint: AudioFingerprint?
  /// Whether the file was missing at the last scan. Its item is kept for a while and not shown.
  package var isHidden: Bool
  /// Why the file could not be read the last time; nil if it could. It is left alone until its stamp changes.
  package var failure: String?

  package init(
    id: MediaItem.ID, path: FilePath, stamp: FileStamp, fingerprint: AudioFingerprint? = nil,
    isHidden: Bool = false, failure: String? = nil
  ) {
    (self.id, self.path, self.stamp) = (id, path, stamp)
    (self.fingerprint, self.isHidden, self.failure) = (fingerprint, isHidden, failure)
  }
}

/// What reading a sound file found.
package struct FileRecord: Sendable, Hashable {
  package var tags: MediaTags
  /// The sound's rate and channels; nil if the file doesn't state them or they can't be played.
  package var format: AudioFormat?
  /// The bit rate in thousands of bits a second; nil if not known.
  package var kilobits: Int?
  package var hasPicture: Bool
  package var fingerprint: AudioFingerprint?

  package init(
    tags: MediaTags, format: AudioFormat? = nil, kilobits: Int? = nil, hasPicture: Bool = false,
    fingerprint: AudioFingerprint? = nil
  ) {
    (self.tags, self.format, self.kilobits) = (tags, format, kilobits)
    (self.hasPicture, self.fingerprint) = (hasPicture, fingerprint)
  }
}

/// One thing that a scan found out, to be written into the library.
package enum FileChange: Sendable, Hashable {
  /// A file that the library doesn't know.
  case add(FilePath, FileStamp, FileRecord)
  /// A known file was written since it was read; this is what it says now. It is shown again if it was hidden.
  case update(MediaItem.ID, FileStamp, FileRecord)
  /// A known file has another path, and the same sound. It is shown again if it was hidden.
  case move(MediaItem.ID, FilePath, FileStamp)
  /// A known file has another stamp, and its content is the same.
  case touch(MediaItem.ID, FileStamp)
  /// A known file is missing.
  case hide(MediaItem.ID)
  /// A missing file is there again, as it was.
  case show(MediaItem.ID, FileStamp)
  /// A file that can't be read, known or not. The reason is for people. An item that was read before keeps its tags.
  case failed(FilePath, FileStamp, String)
}

/// What a file's status says about its content. As long as the stamp is the same, the file need not be opened again.
///
/// It has no time of the last change of status, because a file that is moved or gets other permissions has the same
/// content as before.
package struct FileStamp: Sendable, Hashable {
  /// The file's size in bytes.
  package var size: Int64
  /// When the file was last written, in nanoseconds since 1970.
  package var modified: Int64
  /// The file's number on its device. It stays the same when the file is moved there.
  package var inode: UInt64
  package var device: UInt64

  package init(size: Int64, modified: Int64, inode: UInt64, device: UInt64) {
    (self.size, self.modified) = (size, modified)
    (self.inode, self.device) = (inode, device)
  }
}
