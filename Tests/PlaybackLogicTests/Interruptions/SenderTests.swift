// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("Sender: who a program gives orders for")
struct SenderTests {
  private static let gsconnect =
    "/usr/share/gnome-shell/extensions/gsconnect@andyholmes.github.io/service/daemon.js"

  private static let table: [(name: String, arguments: [String], sender: Sender)] = [
    ("wireplumber", ["/usr/bin/wireplumber"], .wirePlumber),
    ("wireplumber", [], .wirePlumber),
    ("kdeconnectd", ["/usr/lib/libexec/kdeconnectd"], .tool("KDE Connect")),
    (".kdeconnectd-wr", ["/opt/bin/kdeconnectd"], .tool("KDE Connect")),
    ("valent", ["/usr/bin/valent", "--gapplication-service"], .tool("Valent")),
    ("gjs", ["/usr/bin/gjs", "-m", gsconnect], .tool("GSConnect")),
    ("gjs-console", ["gjs", gsconnect], .tool("GSConnect")),
    // People, by whatever means.
    ("gjs", ["gjs", "/usr/share/some-remote/main.js"], .user),
    ("gjs", ["gjs"], .user),
    ("cat", ["cat", gsconnect], .user),
    ("playerctl", ["playerctl", "-p", "wireplumber", "pause"], .user),
    ("mpris-proxy", ["/usr/bin/mpris-proxy"], .user),
    ("gnome-shell", ["/usr/bin/gnome-shell"], .user),
    ("gsd-media-keys", ["/usr/libexec/gsd-media-keys"], .user),
    ("plasmashell", ["/usr/bin/plasmashell", "--no-respawn"], .user),
    ("kdeconnect-app", ["kdeconnect-app"], .user),
    ("python3", ["python3", "-c", "import dbus"], .user),
    ("", [""], .user),
  ]

  @Test("programs that pause for reasons of their own are known, all others stand for a person")
  func programs() {
    for row in Self.table {
      #expect(
        Sender(program: row.name, arguments: row.arguments) == row.sender, "\(row.name) \(row.arguments)")
    }
  }
}
