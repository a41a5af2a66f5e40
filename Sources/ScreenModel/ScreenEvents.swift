// SPDX-License-Identifier: MIT
package import CommandModel
package import FaceModel
package import JobLogic
package import MediaModel
package import PlaybackLogic

package enum ScreenEvent: Sendable {
  case input(TerminalInput)
  /// The lines that were typed in earlier runs of the screen.
  case history(TypedHistory)
  /// The time has come that `Screen.wake` named.
  case tick
  case resized(ScreenSize)
  /// What the terminal can do, as far as is known by now.
  case terminal(TerminalTraits)
  /// The answer to the effect `needStatus`: the player's status.
  case status(StatusFace)
  case news(AgentNews)
  /// The answer to the effect `needQueue` that had this ticket: rows of the queue.
  case queue(QueuePage, ticket: QueueTicket)
  /// The agent has not answered this effect, although it is there, and so it can be asked again.
  case unanswered(ScreenEffect)
  /// The answer to the effect `needLibrary` that had this ticket.
  case library(LibraryAnswer, ticket: LibraryTicket)
  /// The answer to the effect `needFolders`: the library's folders. `music` is the user's music folder, in the form in which one would type it.
  case folders(LibraryStatus, music: String?)
  case jobs([Job])
  /// The answer to the effect `needUpcoming`: the next tracks of the queue.
  case upcoming([ItemFace])
  /// The answer to the effect `needItem`: all that is known of an item.
  case item(ItemFace)
  /// The answer to the effect `needDetails`: all that is known of a track.
  case details(ItemFace, of: RatedTrack)
  /// The answer to the effect `needCover`; without a picture if there is none to be had.
  case cover(CoverImage?, for: CoverRequest)
  /// The kept playlists, in the order in which they are shown.
  case lists([KeptList])
  /// The answer to the effect `needPads`: the loaded kit of pads.
  case pads(PadsFace)
  /// The changes that an undo took back or a redo made again.
  case retraced(EditCounts, isUndo: Bool)
  /// A text for the user: what came of an order, or why one failed.
  case said(String), failed(String)
  /// The agent has answered an order that edits the queue. It comes after the text about that order, if there is one.
  case ended(ScreenEffect, isGood: Bool)
  /// The answer to the effect `needPaths` for this line: paths that begin as its last word does. Those of folders end in a slash.
  case paths([String], line: String)
  /// The output of a command line, and whether it succeeded.
  case commandEnded(line: String, output: String, isGood: Bool)
  /// There is no agent, for this reason.
  case agentLost(AgentAbsence)
  /// An agent is there, so everything has to be asked again.
  case agentFound
}

/// How a track that is rated or described is found in the library.
package enum RatedTrack: Sendable, Hashable {
  case item(MediaItem.ID)
  /// The file of a track whose item is not known, as in the queue. If the track is only a part of the file, the second value says which.
  case file(uri: String, FilePart?)
}

/// An answer of the library.
package enum LibraryAnswer: Sendable {
  case items([ItemFace], total: Int)
  case collections([CollectionFace], total: Int)
  case failed(String)
}

/// Tells which question to the library an answer belongs to.
package struct LibraryTicket: Sendable, Hashable {
  package enum Asker: Sendable, Hashable {
    case search
    /// The albums that are shown below the tracks found.
    case searchAlbums
    /// Nobody: the question only makes the library ready for a search. Its answer is not needed.
    case preparation
    /// A column of the library's screen.
    case column(Int)
  }

  package let asker: Asker
  /// The number of the question. Answers to earlier questions of the same asker are dropped.
  package let number: Int
  /// The first row that was asked for, counted from 0.
  package let first: Int
}

/// Tells which question for rows of the queue an answer belongs to.
package struct QueueTicket: Sendable, Hashable {
  package enum Asker: Sendable, Hashable {
    /// The rows in view.
    case list
    /// The search of the whole queue for typed words.
    case narrowing
  }

  package let asker: Asker
  /// The number of the question among those of the same asker.
  package let number: Int
  /// The first row that was asked for, counted from 0.
  package let first: Int
}

/// A kept playlist, as the screen lists it.
package struct KeptList: Sendable, Hashable {
  package let name: String
  /// The number of its tracks; nil if not known.
  let count: Int?
  /// Whether it is smart: a query that the library answers anew each time.
  let isSmart: Bool

  package init(_ name: String, count: Int? = nil, isSmart: Bool = false) {
    (self.name, self.count, self.isSmart) = (name, count, isSmart)
  }
}

/// The rows of the library that an order applies to.
package enum LibraryChoice: Sendable, Hashable {
  case item(MediaItem.ID)
  /// A track, and all tracks after it in the answer to the request. The first row that the request asks for is that of the track, unless the library
  /// has changed since.
  case from(MediaItem.ID, LibraryRequest)
  case request(LibraryRequest)
  /// The entries of the kept playlist with this name.
  case list(String)
  /// A track that may not be in the library, as in the queue.
  case track(RatedTrack)
  /// The tracks in these rows of the queue, which count from 1.
  case rows([ClosedRange<Int>])
  /// All of these, in this order.
  indirect case several([LibraryChoice])
}

/// What to do with rows of the library.
package enum LibraryUse: Sendable, Hashable {
  case play, append, addNext
}

/// A request of the screen to the program that shows it. The cases that begin with `need` are questions.
package enum ScreenEffect: Sendable, Hashable {
  case order(PlayerOrder)
  case edit(QueueOrder)
  case changeVolume(Double)
  case toggleMute
  case setRepeat(RepeatMode)
  case setShuffle(ShuffleMode)
  /// Play the entry in this row, counted from 1. `entry` is which one that is; nil if the row has not been read since the queue changed.
  case jump(row: Int, entry: EntryID?)
  /// Remove these rows of the queue; they are in ascending order and count from 1. `entries` are those in them, so that the right ones go even if
  /// somebody else edits the queue meanwhile; empty if some of the rows have not been read since the queue changed.
  case remove([ClosedRange<Int>], entries: [EntryID] = [])
  /// Move rows of the queue together. Rows count from 1; `to` is the row that the first of them gets. `entry` is the one in that row; nil if it has not
  /// been read since the queue changed.
  case move(row: Int, count: Int, to: Int, entry: EntryID? = nil)
  /// Sort rows of the queue among themselves, or the whole queue if `rows` is empty; rows count from 1.
  case sort(by: String, rows: [ClosedRange<Int>])
  case use(LibraryChoice, LibraryUse)
  /// Add rows at the end of the playlist of this name.
  case addToList(LibraryChoice, name: String)
  /// Rate a track of the library, 0 to 5.
  case rate([RatedTrack], Int)
  /// Rate the tracks in these rows of the queue, which count from 1.
  case rateRows([ClosedRange<Int>], Int)
  case job(JobBoard.Order, JobID)
  /// Strike a pad, before all other effects.
  case hit(PadNumber)
  case stopPads
  case needStatus
  /// Read rows of the queue, at most `count`.
  case needQueue(QueueTicket, count: Int)
  case needLibrary(LibraryRequest, LibraryTicket)
  case needFolders, needJobs, needUpcoming, needLists
  /// Read everything that is known of an item, with its lyrics.
  case needItem(MediaItem.ID)
  /// Read everything that is known of a track, of which `row` is the row of the queue if it is there, counted from 1.
  case needDetails(RatedTrack, row: Int?)
  /// Get the picture of an entry, or a drawn one if it has none. Only the newest of several requests matters.
  case needCover(CoverRequest)
  /// Get the pads ready, and read their state.
  case needPads
  /// Find the files and folders whose paths begin with this text, which is the last word of this line.
  case needPaths(String, line: String)
  /// Run a line of the command line.
  case command([String], line: String)
  /// Copy a text to the clipboard.
  case copy(String)
  /// Store a line that was typed, for later runs of the screen.
  case remember(KeptLine)
  case suspend
  /// Forget what the terminal shows, and paint everything.
  case redraw
  /// Close the screen; the music goes on unless `stops`.
  case leave(stops: Bool)
  /// End the agent.
  case quitAgent
}

extension ScreenEvent {
  /// Whether this says that an edit of the queue was made, or is not made. Orders for rows may have waited for that.
  package var tellsOfEdit: Bool {
    switch self {
    case .ended, .news(.queue): true
    default: false
    }
  }
}

extension ScreenEffect {
  /// Whether this order edits the queue. Whoever carries out such an order has to send the event `ended` afterwards.
  package var editsQueue: Bool {
    switch self {
    case .remove, .move: true
    default: editsUnseen
    }
  }

  /// Whether this is an order for rows of the queue.
  package var isOfRows: Bool {
    switch self {
    case .jump, .remove, .move, .sort: true
    default: false
    }
  }

  /// Whether this silences the music, if the player is in this state.
  package func silences(_ state: PlaybackState) -> Bool {
    switch self {
    case .order(.pause), .order(.stop), .leave(stops: true): true
    case .order(.toggle): [.playing, .seekingForward, .seekingBackward].contains(state)
    default: false
    }
  }

  /// Whether this edits the queue in a way that only the agent knows, so that the number of a row may be another's before the answer.
  var editsUnseen: Bool {
    switch self {
    case .sort, .edit(.undo), .edit(.redo), .use: true
    default: false
    }
  }
}
