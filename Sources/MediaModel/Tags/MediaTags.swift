// SPDX-License-Identifier: MIT

/// What a file says about itself. Text is kept as it came, control characters included: whoever shows it makes
/// it safe for where it is shown.
public struct MediaTags: Sendable, Hashable {
  /// The item's own name.
  public var title: String?
  /// Who performs it.
  public var artist: [String] = []
  /// The album it belongs to.
  public var album: String?
  /// Whose album that is.
  public var albumArtist: [String] = []
  /// Who wrote it.
  public var composer: [String] = []
  /// Its styles.
  public var genre: [String] = []
  /// How long it sounds.
  public var duration: Duration?
  /// Its place on its disc, from 1.
  public var track: Int?
  /// How many items that disc has.
  public var trackCount: Int?
  /// The disc, from 1.
  public var disc: Int?
  /// How many discs the album has.
  public var discCount: Int?
  /// When it was released.
  public var date: MediaDate?
  /// Beats a minute.
  public var bpm: Double?
  /// A remark.
  public var comment: String?
  /// The words.
  public var lyrics: String?
  /// Whether the album gathers items of several artists.
  public var isCompilation = false
  /// What kind of listening it is for.
  public var mediaType = MediaType.music
  /// How to bring it to the loudness of others.
  public var loudness = Loudness()
  /// How to sort it.
  public var sort = SortNames()

  /// Nothing known.
  public init() {}
}
