// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import PlaybackLogic

/// The player on our own D-Bus interfaces, on one connection to the bus. What MPRIS ignores is refused here, with the reason. Loop
/// only.
@AgentLoop
final class AgentService {
  let service: PlayerService
  let items: ItemService
  let editor: QueueEditor
  let connection: BusConnection
  private var told: PlayerFace
  private var changedItems: [EntryID] = []
  /// The place that the listener jumped to in this turn. It is sent after the track that it is a place in.
  private var seekedTo: Duration?

  /// Tags come one file at a time; changes within this time are sent together.
  private static let gathering = Duration.milliseconds(20)

  init(_ connection: BusConnection, _ service: PlayerService, items: ItemService, editor: QueueEditor) {
    self.connection = connection
    self.service = service
    self.items = items
    self.editor = editor
    told = PlayerFace(of: service, items: items)
    connection.export([player(), queue(), session()], at: AgentDescriptions.path)
  }

  /// What the player shows now.
  var face: PlayerFace { PlayerFace(of: service, items: items) }

  // MARK: Going out

  /// Sends what the player reports.
  func hear(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): seekedTo = place
    case .troubled(let entry, let reason, true): skipped(entry, reason)
    case .queue(let change):
      for news in QueueNews.news(of: change, length: service.player.queue.count) {
        tell(news.signal, of: AgentDescriptions.queue)
      }
    case .route(let change, let paused):
      tell(AgentSession.signal(change, paused: paused), of: AgentDescriptions.session)
    case .interruptionBegan(let source, let wasPlaying):
      tell(.interruptionBegan(source, wasPlaying: wasPlaying))
    case .interruptionEnded(let source, let shouldResume):
      tell(.interruptionEnded(source, shouldResume: shouldResume))
    case .item(let entry): itemsChanged([entry])
    case .missing(let entries): itemsChanged(entries)
    case .turn: turnEnded()
    case .troubled, .waiting, .refused, .volume: break  // answered to the caller, or part of the face
    }
  }

  private func itemsChanged(_ entries: [EntryID]) {
    if changedItems.isEmpty { AgentLoop.after(Self.gathering) { [weak self] in self?.tellItems() } }
    changedItems += entries
  }

  private func tellItems() {
    let present = changedItems.filter { service.player.queue.entry($0) != nil }
    changedItems = []
    if !present.isEmpty { tell("ItemsChanged", [AgentQueue.reply(present)], of: AgentDescriptions.queue) }
  }

  private func turnEnded() {
    let now = face
    for signal in AgentPlayer.signals(from: told, to: now) { tell(signal, of: AgentDescriptions.player) }
    tellProperties(AgentPlayer.changes(from: told, to: now), of: AgentDescriptions.player)
    tellProperties(AgentQueue.changes(from: told, to: now), of: AgentDescriptions.queue)
    told = now
    guard let place = seekedTo else { return }
    seekedTo = nil
    tell("Seeked", AgentPlayer.seeked(to: place), of: AgentDescriptions.player)
  }

  private func tellProperties(_ changes: [(MemberName, WireValue)], of interface: InterfaceDescription) {
    guard !changes.isEmpty else { return }
    try? connection.propertiesChanged(at: AgentDescriptions.path, interface.name, changes)
  }

  private func skipped(_ entry: EntryID, _ reason: String) {
    guard let row = service.player.queue.entry(entry) else { return }
    let arguments = AgentPlayer.skipped(entry, ItemService.location(row), why: reason)
    tell("Skipped", arguments, of: AgentDescriptions.player)
  }

  private func tell(_ output: SessionEffect) {
    if let signal = AgentSession.signal(output) { tell(signal, of: AgentDescriptions.session) }
  }

  private func tell(_ signal: (MemberName, [WireValue]), of interface: InterfaceDescription) {
    tell(signal.0, signal.1, of: interface)
  }

  private func tell(_ member: MemberName, _ arguments: [WireValue], of interface: InterfaceDescription) {
    try? connection.emit(
      BusSignal(
        path: AgentDescriptions.path, interface: interface.name, member: member, arguments: arguments))
  }
}
