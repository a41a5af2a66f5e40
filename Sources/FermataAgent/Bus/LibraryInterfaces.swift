// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import JobLogic
import LibraryModel
import MediaModel

/// The library, its playlists and the long jobs on our own D-Bus interfaces, on one connection to the bus.
@AgentLoop
final class LibraryInterfaces {
  private let connection: BusConnection
  private let library: LibraryService
  private let pictures: ArtService
  /// The changes of the library that no signal has told yet.
  private var untold = ChangeCounts()

  /// Changes of the library within this time are told together: a scan writes several batches a second.
  private static let gathering = Duration.milliseconds(250)

  init(_ connection: BusConnection, _ library: LibraryService, _ pictures: ArtService) {
    (self.connection, self.library, self.pictures) = (connection, library, pictures)
  }

  /// The D-Bus interfaces of the library, the jobs and the smart playlists, whose calls this object answers.
  func interfaces() -> [BusInterface] {
    var library = BusInterface(AgentDescriptions.library)
    library.answer(AgentLibrary.Method.self) { [weak self] in self?.answer($0, $1) ?? .done }
    var jobs = BusInterface(AgentDescriptions.jobs)
    jobs.answer(AgentJobs.Method.self) { [weak self] call, _ in try self?.answer(call) ?? .done }
    var playlists = BusInterface(AgentDescriptions.playlists)
    playlists.answer(AgentPlaylists.Method.self) { [weak self] call, _ in self?.answer(call) ?? .done }
    return [library, jobs, playlists]
  }

  /// The same interfaces for an agent that has no library: every call is answered with this error.
  static func refused(with error: BusError) -> [BusInterface] {
    [AgentDescriptions.library, AgentDescriptions.jobs, AgentDescriptions.playlists]
      .map { BusInterface($0, refusingWith: error) }
  }

  // MARK: Going out

  /// Notes how many items came, changed or went, and sends a signal about it soon.
  func changed(_ counts: ChangeCounts) {
    guard !counts.isEmpty else { return }
    if untold.isEmpty { AgentLoop.after(Self.gathering) { [weak self] in self?.tellChanges() } }
    untold += counts
  }

  private func tellChanges() {
    let counts = untold
    untold = ChangeCounts()
    emit(
      AgentLibrary.changed(added: counts.added, changed: counts.changed, removed: counts.removed),
      of: AgentDescriptions.library)
  }

  /// Sends a signal with the present state of a job.
  func changed(_ job: Job) { emit(AgentJobs.changed(job), of: AgentDescriptions.jobs) }

  private func emit(_ signal: (MemberName, [WireValue]), of interface: InterfaceDescription) {
    try? connection.emit(signal, of: interface, at: AgentDescriptions.path)
  }

  // MARK: Calls

  private func answer(_ asked: AgentLibrary.Call, _ call: MethodCall) -> BusReply {
    .later { [self, library, connection] in
      switch asked {
      case .add(let folder):
        let job = try await CallerWatch.untilLeft(call, of: connection) {
          try await library.add(folder, $0)
        }
        return .arguments(job.argument)
      case .remove(let folder):
        try await CallerWatch.untilLeft(call, of: connection) { try await library.remove(folder, $0) }
      case .scan(let folders): return .arguments(try await library.scan(folders).argument)
      case .analyze(let expression, let again):
        return .arguments(try await library.analyze(expression, again: again).argument)
      case .status: return [try await library.status().wireValue]
      case .query(let request): return try await library.answer(request)
      case .search(let text, let request): return try await library.search(text, request, by: call.sender)
      case .numbers(let request): return try await library.numbers(request)
      case .item(let id): return [try await self.item(id).wireValue()]
      case .rate(let id, let rating): try await library.rate(id, rating)
      case .note(let id, let key): return .arguments(try await library.note(id, key: key))
      case .setNote(let id, let key, let text): try await library.setNote(id, key: key, text)
      case .export(let file, let replacing):
        let written = try await CallerWatch.untilLeft(call, of: connection) {
          try await library.export(to: file, replacing: replacing, $0)
        }
        return .arguments(UInt32(clamping: written.sounds), UInt32(clamping: written.playlists))
      case .take(let file, let replacing):
        return [
          try await CallerWatch.untilLeft(call, of: connection) {
            try await library.take(from: file, replaces: replacing, $0).wireValue
          }
        ]
      }
      return []
    }
  }

  /// Everything that is known of an item, with its picture. Lists leave pictures out, because the file of each row would have to be opened.
  private func item(_ id: MediaItem.ID) async throws(BusError) -> ItemFace {
    var face = try await library.item(id)
    if let path = ItemService.path(of: face.item) { face.artURL = try? await pictures.picture(of: path) }
    return face
  }

  private func answer(_ asked: AgentPlaylists.Call) -> BusReply {
    .later { [smart = library.smart] in
      switch asked {
      case .list: return [AgentPlaylists.reply(try await smart.faces())]
      case .save(let name, let options): try await smart.save(name, options)
      case .delete(let name): try await smart.delete(name)
      case .items(let name, let first, let count):
        return try await smart.items(of: name, from: first, count: count)
      }
      return []
    }
  }

  private func answer(_ asked: AgentJobs.Call) throws -> BusReply {
    switch asked {
    case .list: return .now([AgentJobs.reply(library.jobs.jobs)])
    case .order(let order, let id):
      do throws(JobRefusal) { try library.jobs.obey(order, id) } catch {
        throw AgentError.refused("\(error)")
      }
      return .done
    }
  }
}
