// SPDX-License-Identifier: MIT
package import CommandModel
package import FaceModel
package import JobLogic
package import MediaModel
package import PictureModel
package import PlaybackLogic

/// What happens to the screen.
package enum ScreenEvent: Sendable {
  /// Something that the terminal sent.
  case input(TerminalInput)
  /// The time has come that `Screen.wake` named.
  case tick
  case resized(ScreenSize)
  /// The answer to `needStatus`.
  case status(StatusFace)
  case news(AgentNews)
  /// The answer to `needQueue`: rows from `first` on, which counts from 0.
  case queue(first: Int, QueuePage)
  /// The answer to `needLibrary` with this ticket.
  case library(LibraryAnswer, ticket: LibraryTicket)
  /// The answer to `needFolders`. `music` is the user's folder of music, as it is typed.
  case folders(LibraryStatus, music: String?)
  case jobs([Job])
  /// The answer to `needUpcoming`.
  case upcoming([ItemFace])
  /// The answer to `needItem`.
  case item(ItemFace)
  /// The answer to `needCover`; without a picture if there is none to be had.
  case cover(PNGPicture?, for: CoverRequest)
  /// The names of the playlists that are kept.
  case lists([String])
  /// The answer to `needPads`.
  case pads(PadsFace)
  /// What an edit that was undone or made again had changed.
  case retraced(EditCounts, isUndo: Bool)
  /// An order was carried out, and this is to be said about it; or it failed, and this is why.
  case said(String)
  case failed(String)
  /// What a command line wrote, and whether it succeeded.
  case commandEnded(line: String, output: String, isGood: Bool)
  /// There is no agent any more, or there was none, for this reason.
  case agentLost(AgentAbsence)
  /// The agent is there, and everything has to be asked anew.
  case agentFound
}

/// How the library finds a track that is rated.
package enum RatedTrack: Sendable, Hashable {
  case item(MediaItem.ID)
  /// A row of the queue has only its file.
  case file(uri: String)
}

/// What the library answered.
package enum LibraryAnswer: Sendable {
  case items([ItemFace], total: Int)
  case collections([CollectionFace], total: Int)
  case failed(String)
}

/// Which of the questions to the library an answer belongs to.
package struct LibraryTicket: Sendable, Hashable {
  package enum Asker: Sendable, Hashable {
    case search
    /// The albums below what was found.
    case searchAlbums
    /// A column of the library's screen.
    case column(Int)
  }

  package let asker: Asker
  /// Answers to earlier questions of the same asker are dropped.
  package let number: Int
  /// The first row that was asked for, counted from 0.
  package let first: Int
}

/// Which rows of the library an order is about.
package enum LibraryChoice: Sendable, Hashable {
  case items([MediaItem.ID])
  case request(LibraryRequest)
  /// A playlist that is kept.
  case list(String)
}

/// What is to be done with rows of the library.
package enum LibraryUse: Sendable, Hashable {
  case play, append, addNext
}

/// What the screen wants to be done.
package enum ScreenEffect: Sendable, Hashable {
  case order(PlayerOrder)
  case edit(QueueOrder)
  case changeVolume(Double)
  case setVolume(Double)
  case toggleMute
  case setRepeat(RepeatMode)
  case setShuffle(ShuffleMode)
  /// Play the row of the queue; rows count from 1.
  case jump(row: Int)
  /// Remove rows of the queue, in ascending order; rows count from 1.
  case remove([ClosedRange<Int>])
  /// Move rows of the queue together; rows count from 1, and `to` is where the first of them is to be.
  case move(row: Int, count: Int, to: Int)
  /// Sort rows of the queue among themselves, or the whole queue if there are none; rows count from 1.
  case sort(by: String, rows: [ClosedRange<Int>])
  case use(LibraryChoice, LibraryUse)
  /// Rate a track of the library, 0 to 5.
  case rate(RatedTrack, Int)
  case job(JobBoard.Order, JobID)
  /// Strike a pad, before anything else that is to be done.
  case hit(PadNumber)
  case stopPads
  case needStatus
  /// Rows of the queue, from `first` on, which counts from 0.
  case needQueue(first: Int, count: Int)
  case needLibrary(LibraryRequest, LibraryTicket)
  case needFolders, needJobs, needUpcoming, needLists
  /// All that is known of an item, its words too.
  case needItem(MediaItem.ID)
  /// The picture of an entry, or one that was drawn for it. Only the newest of several that wait matters.
  case needCover(CoverRequest)
  /// Have the pads made ready, and tell of them.
  case needPads
  /// Carry out a line of the command line's grammar.
  case command([String], line: String)
  /// Put a text into the clipboard.
  case copy(String)
  case suspend
  /// Forget what the terminal shows, and paint everything.
  case redraw
  /// Leave; the music goes on unless `stops`.
  case leave(stops: Bool)
  /// End the agent.
  case quitAgent
}
