// SPDX-License-Identifier: MIT

/// One connector of a sink or card: a socket, a built-in speaker or a wireless link.
package struct Port: Sendable, Equatable {
  /// Whether something is plugged in, as far as the hardware can tell.
  package enum Availability: String, Sendable {
    case unknown, no, yes
  }

  /// What the port leads to. Types that later versions of the protocol add count as `unknown`.
  package enum Kind: String, Sendable {
    case unknown, aux, speaker, headphones, line, mic, headset, handset, earpiece, spdif, hdmi, tv, radio
    case video, usb, bluetooth, portable, handsfree, car, hifi, phone, network, analog
  }

  /// The server's name for it; unique on its card.
  package var name: String
  /// Its description for people.
  package var description: String
  /// What it leads to.
  package var kind: Kind
  /// Whether something is plugged in.
  package var availability: Availability
  /// The server prefers ports with a higher priority.
  package var priority: Int
  /// Ports of one card with the same group share one jack. Empty when the server does not say.
  package var availabilityGroup: String

  /// A port with these properties.
  package init(
    name: String, description: String = "", kind: Kind = .unknown, availability: Availability = .unknown,
    priority: Int = 0, availabilityGroup: String = ""
  ) {
    self.name = name
    self.description = description
    self.kind = kind
    self.availability = availability
    self.priority = priority
    self.availabilityGroup = availabilityGroup
  }
}
