// SPDX-License-Identifier: MIT
public import PlaybackLogic

extension PlayerFace {
  /// What an order comes to where only the tags know how long the track is: what is paused is not opened before it plays, so the player
  /// would go to any place in it.
  public func meant(by order: PlayerOrder, at position: Duration) -> PlayerOrder {
    guard length == nil, let end = knownLength else { return order }
    let place: Duration
    switch order {
    case .seekTo(let there): place = there
    case .seek(let offset): place = position + offset
    default: return order
    }
    guard place >= end else { return order }
    return canGoNext ? .next : .seekTo(end)
  }
}
