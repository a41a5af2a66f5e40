// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import MediaModel
import ScreenModel

// What the chosen and marked rows of the screen stand for.
extension ScreenAgent {
  func rate(
    _ tracks: [RatedTrack], _ rating: Int, _ client: AgentClient
  ) async throws(CommandError) -> ScreenEvent {
    for track in tracks { try await client.rate(item(of: track, client), rating) }
    let words = rating == 0 ? "no rating" : "rated \(String(repeating: "★", count: rating))"
    return .said(tracks.count > 1 ? "\(tracks.count) tracks: \(words)" : words)
  }

  /// The tracks in these rows of the queue, which count from 1.
  func tracks(
    inRows ranges: [ClosedRange<Int>], _ client: AgentClient
  ) async throws(CommandError) -> [RatedTrack] {
    var tracks: [RatedTrack] = []
    for range in ranges { tracks += try await client.queue(rows: range).items.map { TrackRow($0).rated } }
    return tracks
  }

  private func item(of track: RatedTrack, _ client: AgentClient) async throws(CommandError) -> MediaItem.ID {
    if let item = try await known(track, client) { return item }
    throw CommandError(
      .refused, "the rating", "only what is in the library can be rated", ":library add FOLDER adds it")
  }

  /// The library's number of a track; nil if it is not in the library.
  func known(
    _ track: RatedTrack, _ client: AgentClient
  ) async throws(CommandError) -> MediaItem.ID? {
    switch track {
    case .item(let item): item
    case .file(let uri, let part): try await client.item(at: uri, part: part)
    }
  }

  func sources(
    _ choice: LibraryChoice, _ client: AgentClient
  ) async throws(CommandError) -> [MediaSource] {
    switch choice {
    case .item(let item): return [.item(item)]
    case .from(let item, let request):
      return try await items(from: item, request, client).map(MediaSource.item)
    case .request(let request): return try await client.sources(request)
    case .list(let name): return try await lists.sources(ofList: name)
    case .track(.item(let item)): return [.item(item)]
    case .track(.file(let uri, nil)):
      guard let path = FilePath(location: uri) else { break }
      return [.file(path)]
    case .track(let part):
      if let item = try await known(part, client) { return [.item(item)] }
    case .rows(let rows):
      return try await sources(.several(try await tracks(inRows: rows, client).map { .track($0) }), client)
    case .several(let choices):
      var all: [MediaSource] = []
      for choice in choices { all += try await sources(choice, client) }
      return all
    }
    throw CommandError(
      .refused, "the row", "only whole files, and what is in the library, can be named in a playlist",
      ":library add FOLDER adds it")
  }

  /// This item and all after it in the answer to a request, whose first row it was when the screen read it.
  private func items(
    from item: MediaItem.ID, _ request: LibraryRequest, _ client: AgentClient
  ) async throws(CommandError) -> [MediaItem.ID] {
    let items = try await client.numbers(request)
    if items.first == item { return items }
    // The library has changed since, and the item is in another row.
    var whole = request
    whole.first = 1
    let rest = try await client.numbers(whole).drop { $0 != item }
    return rest.isEmpty ? [item] : Array(rest)
  }
}
