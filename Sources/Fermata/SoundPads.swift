// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import MediaModel

/// Short sounds that play the moment they are struck, beside the music.
///
/// What interrupts the music also silences the pads, and so do headphones that go. The sounds do not come back by themselves: the next hit
/// sounds. While nothing can sound, a hit throws the reason.
///
/// ```swift
/// let pads = SoundPads.shared
/// try await pads.load(kit: "/srv/kits/808")
/// try await pads.hit(1)
/// ```
public struct SoundPads: Sendable {
  private let core: PlayerCore

  /// The pads of the desktop session's player.
  public static let shared = SoundPads(of: .system)

  /// The pads of a player.
  public init(of player: MusicPlayer) { core = player.core }

  /// A pad of a kit.
  public struct Pad: Sendable, Hashable, Identifiable {
    /// The pad's number in the kit, counted from 1 as on a drum machine.
    public let id: Int
    /// The pad's name.
    public let name: String
    /// The pad's colour: a word such as `red`, or six hexadecimal digits; nil if its kit names none.
    public let colour: String?
    /// The pad's volume, from 0 to 1.
    public let volume: Double
    /// How many sounds of this pad may be heard at a time.
    public let polyphony: Int
    /// The pad's choke group, whose pads silence each other; nil if it belongs to none.
    public let chokeGroup: String?
  }

  /// The kit that is loaded, and whether its pads sound.
  public struct Kit: Sendable, Hashable {
    /// The kit's name.
    public let name: String
    /// The path of the kit's folder; nil for the kit that comes with the program.
    public let folder: String?
    /// The pads, in the order of their numbers.
    public let pads: [Pad]
    /// The volume of all pads, from 0 to 1.
    public let volume: Double
    /// Whether a hit would sound now.
    public let isEnabled: Bool
    /// Why a hit would not sound, for people; nil if it would.
    public let reason: String?
  }

  // MARK: What is so

  /// The kit that is loaded, its pads, and whether they sound.
  public var kit: Kit {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in Kit(try await agent.pads()) }
    }
  }

  /// The kit, now and after each change: another kit was loaded, a volume was set, or hits are refused from now on or no longer. Hits are not
  /// reported.
  public var kitUpdates: Updates<Kit> {
    core.values { agent async throws(CommandError) in
      Kit(try await agent.pads())
    } _: { news in
      guard case .pads(let pads) = news else { return nil }
      return Kit(pads)
    }
  }

  // MARK: Orders

  /// Loads the kit in a folder, or the one that comes with the program. All its samples are decoded when this returns. For a mistake in the kit's
  /// text, throws an error that names the line; the former kit then stays.
  @discardableResult
  public func load(kit folder: String? = nil) async throws(MusicError) -> Kit {
    let path = try folder.map { folder throws(MusicError) in try FilePath(absolute: folder) }
    return try await core.ask { agent async throws(CommandError) in
      Kit(try await agent.load(kit: path))
    }
  }

  /// Gets everything ready, so that the first hit is heard as fast as later ones.
  @discardableResult
  public func prepare() async throws(MusicError) -> Kit {
    try await core.ask { agent async throws(CommandError) in Kit(try await agent.preparePads()) }
  }

  /// Strikes a pad. If it still sounds, its sound starts again, unless the pad may have several sounds at a time.
  public func hit(_ pad: Pad.ID) async throws(MusicError) {
    let number = try Self.number(pad)
    try await core.ask { agent async throws(CommandError) in try await agent.hit(pad: number) }
  }

  /// Silences all pads.
  public func stopAll() async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in try await agent.stopPads() }
  }

  /// Sets the volume of all pads. It is remembered for every kit. Throws for a volume that is not from 0 to 1.
  public func setVolume(_ volume: Double) async throws(MusicError) { try await set(volume, of: nil) }

  /// Sets the volume of one pad. It is remembered until another kit is loaded. Throws for a volume that is not from 0 to 1, and if there is no such pad.
  public func setVolume(_ volume: Double, of pad: Pad.ID) async throws(MusicError) {
    try await set(volume, of: try Self.number(pad))
  }

  private func set(_ volume: Double, of pad: PadNumber?) async throws(MusicError) {
    guard (0...1).contains(volume) else {
      throw MusicError(.invalidArgument, "volume \(volume)", "it is from 0 to 1")
    }
    try await core.ask { agent async throws(CommandError) in try await agent.set(volume: volume, ofPad: pad) }
  }

  private static func number(_ pad: Pad.ID) throws(MusicError) -> PadNumber {
    // On the bus, 0 stands for all pads.
    guard let number = UInt32(exactly: pad), number > 0 else {
      throw MusicError(.noSuchItem, "pad \(pad)", "there is none with this number", "pads count from 1")
    }
    return PadNumber(rawValue: number)
  }
}

extension SoundPads.Kit {
  init(_ face: PadsFace) {
    (name, folder, volume) = (face.kit.name, face.kit.folder, face.volume)
    (isEnabled, reason) = (face.isEnabled, face.reason)
    pads = face.pads.map(SoundPads.Pad.init)
  }
}

extension SoundPads.Pad {
  init(_ face: PadFace) {
    (id, name, colour) = (Int(face.number.rawValue), face.name, face.colour)
    (volume, polyphony, chokeGroup) = (face.volume, face.polyphony, face.choke)
  }
}
