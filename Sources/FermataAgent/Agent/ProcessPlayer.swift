// SPDX-License-Identifier: MIT
package import AgentLoop
import ArtIO
package import BusIO
package import BusModel
package import FaceModel
package import MediaModel
import PlaybackLogic
import PulseIO
import ReaderIO
import SettingsModel
import UserFiles

/// A player inside another program's process. It has its own queue, stream and pads, and ends with the process. It does not store its queue or its
/// settings. It leaves the session's agent alone, except that with the category `solo` it asks the agent to pause, like any other player.
///
/// The program talks to it over a bus inside the process, by the same interfaces that the agent has on the session bus. On the session bus it is an
/// ordinary MPRIS player with the program's name, so that media keys reach it. It is used on the loop only.
@AgentLoop
package final class ProcessPlayer {
  /// The bus inside the process; the program gets the player's signals from it.
  package let inside = InnerBus()
  private let items: ItemService
  private let service: PlayerService
  private let pads: PadService
  private let agent: AgentService
  private let padsInterface: PadsInterface
  private let bus: BusService
  private let sleep: SleepService
  private let settings: SettingsKeeper?
  /// How the music gets on with other programs' sound, as the program chose in place of the user's setting; nil if it chose nothing.
  private var category: SessionCategory?

  /// What a player uses outside itself: the sound server, the bus, and the user's files.
  package struct Surroundings: Sendable {
    /// The sound server's address; nil for the user's own server.
    package var server: String?
    /// The bus on which the player shows itself.
    package var bus = BusEndpoint.session
    /// The name of the program that the player plays for, as mixers and desktops show it.
    package var program = Self.programName
    /// The user's settings file; nil if there is none.
    package var settingsFile = UserFolders.settingsFile
    /// The folder for pictures that were found in tags; nil to keep none.
    package var artFolder = UserFolders.artFolder

    /// The user's own sound server, session bus, settings and folders, and the name of this program.
    package init() {}

    /// The name by which this program was started, without its folder.
    private static var programName: String {
      let name = (CommandLine.arguments.first ?? "").split(separator: "/").last.map(String.init) ?? ""
      return name.isEmpty ? MPRISRoot.identity : name
    }
  }

  /// Finds the files of items of the library, which only the session's agent has.
  package typealias FileFinder = @Sendable @AgentLoop ([MediaItem.ID]) async -> Result<[ItemSource], BusError>

  /// A player that does nothing yet: `start` connects it. It has no library, so `files` is called when items of the library are to be played.
  package init(in surroundings: Surroundings, files: @escaping FileFinder) {
    let threads = (orders: BlockingThread("orders"), reading: BlockingThread("reading"))
    let (log, name) = (Log.quiet, surroundings.program)
    let server = PulseServer(
      address: surroundings.server, properties: StreamIdentity.application(of: name))
    let items = ItemService(
      thread: threads.reading, art: surroundings.artFolder.map { ArtCache(folder: $0) },
      reader: ReaderClient())
    self.items = items
    service = PlayerService(
      player: Player(queue: PlayQueue(seed: .random(in: .min ... .max))), server: server,
      properties: StreamIdentity.music(of: name), items: items, thread: BlockingThread("sound"))
    // The category `solo` needs this: it asks other players to pause.
    service.guardOthers()
    pads = PadService(beside: service, on: server, thread: BlockingThread("pads"), folder: nil, log)
    settings = surroundings.settingsFile.map { SettingsKeeper(SettingsFile($0), log) }
    sleep = SleepService(service, log)
    padsInterface = PadsInterface(inside, pads)
    agent = AgentService(
      inside, service, items: items,
      editor: QueueEditor(
        service: service, items: items, thread: threads.orders,
        filesElsewhere: { ids throws(BusError) in try await files(ids).get() }),
      beside: [padsInterface.interface()] + LibraryInterfaces.refused(with: Self.noLibrary),
      readSettings: { [settings] in await settings?.readAgain() }, quit: {})
    bus = BusService(
      service, items: items, thread: threads.orders, names: .instance(of: .foreign(name)),
      on: surroundings.bus, quit: {}, handler: { _ in })
  }

  isolated deinit {
    sleep.stop()
    pads.stop()
    service.stop()
    bus.stop()
  }

  private static let noLibrary = AgentError.refused(
    "this player has no library of its own; ask that of the session's player")

  /// Begins to connect to the sound server and to the bus. Nothing is heard before somebody orders it.
  package func start() {
    service.news = { [weak self] in self?.hear($0) }
    pads.changed = { [weak padsInterface] in padsInterface?.changed() }
    settings?.follow { [weak self] _ in self?.obeySettings() }
    obeySettings()
    service.start()
    bus.start()
    sleep.start()
  }

  /// Answers a method call that the program makes.
  package func call(_ call: AgentCall) async throws(BusError) -> [WireValue] {
    guard let wanted = call.wantedCategory else {
      return try await inside.call(AgentDescriptions.path, call.interface, call.member, call.arguments)
    }
    category = wanted
    obeySettings()
    return []
  }

  private func obeySettings() {
    var settings = settings?.settings ?? Settings()
    if let category { settings.session.category = category }
    // The session's own player already pauses players that lost their device; two of them must not do it.
    settings.guarding.isOn = false
    items.charset = settings.tagsCharset.converted
    service.apply(settings)
  }

  private func hear(_ news: PlayerNews) {
    pads.hear(news)
    bus.hear(news)
    agent.hear(news)
  }
}
