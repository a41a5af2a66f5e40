// SPDX-License-Identifier: MIT

/// Which readings of the stream's volume can be believed: one that was under way together with an order of our own may show what
/// was before, and nobody has moved a mixer.
struct VolumeOrders: Sendable {
  private var made = 0
  private var underWay = 0
  private var wasPassedOver = false

  /// An order goes to the server.
  mutating func begin() {
    made += 1
    underWay += 1
  }

  /// The server has answered it. Answers whether the volume is to be read anew now.
  mutating func end() -> Bool {
    underWay -= 1
    guard underWay == 0, wasPassedOver else { return false }
    wasPassedOver = false
    return true
  }

  /// What a reading that begins now is held against when it has come; nil where it is of no use already.
  var mark: Int? { underWay == 0 ? made : nil }

  /// Whether a reading shows what is. One that does not is to be taken anew, which `end` says when it is time.
  mutating func believes(_ mark: Int?) -> Bool {
    if mark == made { return true }
    wasPassedOver = true
    return false
  }

  /// Whether a reading was passed over and no order is left to wait for.
  mutating func wantsReading() -> Bool {
    guard underWay == 0, wasPassedOver else { return false }
    wasPassedOver = false
    return true
  }
}
