// SPDX-License-Identifier: MIT
import AgentLoop
import FermataTestKit
import Glibc
import PlaybackLogic
import Testing

@testable import FermataAgent

@Suite("What systemd is told", .endsAnyway)
struct ServiceNoticeTests {
  @Test("each notice is one datagram, to a path or to a name without a file")
  func notices() throws {
    let folder = try TemporaryDirectory()
    for name in [folder.path("notify"), "@fermata-notice-\(getpid())"] {
      let socket = try DatagramSocket(name)
      let notice = try #require(ServiceNotice(socket: name))
      notice.ready()
      notice.status("playing")
      notice.stopping()
      #expect(try (0..<3).map { _ in try socket.next() } == ["READY=1", "STATUS=playing", "STOPPING=1"])
    }
  }

  @Test(
    "an environment that names no socket has nobody told",
    arguments: [nil, "", "@", "/", "vsock:2:9", "run/notify"])
  func nowhere(name: String?) { #expect(ServiceNotice(socket: name) == nil) }

  @Test("a name as long as an address is taken, a longer one is not")
  func long() {
    #expect(ServiceNotice(socket: "/" + String(repeating: "n", count: 106)) != nil)
    #expect(ServiceNotice(socket: "/" + String(repeating: "n", count: 107)) == nil)
  }

  @Test("a manager that is gone, or does not read, is no reason to stop")
  func deaf() throws {
    let folder = try TemporaryDirectory()
    try #require(ServiceNotice(socket: folder.path("nobody"))).ready()
    let socket = try DatagramSocket(folder.path("notify"))
    let notice = try #require(ServiceNotice(socket: folder.path("notify")))
    for count in 0..<2_000 { notice.status("line \(count)") }
    #expect(try socket.next() == "STATUS=line 0")
  }

  @Test("the line says what is done, and why nothing is heard")
  func lines() {
    let cases: [(PlaybackState, SilenceReason?, String)] = [
      (.stopped, nil, "stopped"), (.playing, nil, "playing"), (.paused, .paused(by: .user), "paused"),
      (.paused, .paused(by: .restored), "paused since the agent started"),
      (.paused, .paused(by: .route), "paused: its output is gone"),
      (.paused, .noOutput, "paused: there is no output that anyone could hear"),
      (.interrupted, .interrupted(by: .server), "waiting for a sound server"),
      (.interrupted, .interrupted(by: .call), "interrupted by a call"),
    ]
    for (state, why, line) in cases { #expect(ServiceStatus(state: state, why: why).line == line) }
  }
}
