// SPDX-License-Identifier: MIT
import Testing

@Suite("Programs and who installs them")
struct ProgramRulesTests {
  private static let needs = Needs(
    SourceFile(
      ProgramRules.list,
      """
      build_needs() {
        cat <<'LIST'
      g++             links
      LIST
      }
      play_needs() {
        build_needs
        if true; then
          echo "pulseaudio  plays"
        fi
      }
      test_needs() {
        build_needs
        cat <<'LIST'
      new-pkg|pkg-config   finds headers
      dbus                 a bus
      LIST
      }
      """))

  private func found(_ text: String, in path: String) -> [String] {
    ProgramRules.violations(in: Sample(text, in: path).file, needs: Self.needs).map(\.message)
  }

  @Test(
    "the list is read: what a purpose takes over, every name of a package, and what is wanted only sometimes")
  func list() {
    #expect(Self.needs.packages["build"] == ["g++"])
    #expect(Self.needs.packages["play"] == ["g++", "pulseaudio"])
    #expect(Self.needs.packages["test"] == ["g++", "new-pkg", "pkg-config", "dbus"])
  }

  @Test(
    "a program whose package is not installed for the purpose is found",
    arguments: [
      (#"try Child.run(.named("busctl", package: "systemd"))"#, "Tests/BusIOTests/Sample.swift"),
      (#"let rows = [(["busctl", "call"], "x")]"#, "Tests/BusIOTests/Sample.swift"),
      (#"try Tool.run("sox", "-n")"#, "Tests/TagIOTests/Sample.swift"),
      (#"encode("oggenc", name)"#, "Tests/FermataTestKit/Sample.swift"),
      (#"run(shell, ["-c", "cd / && systemctl --user stop x"])"#, "Tests/AgentTests/Sample.swift"),
      (
        "let script = \"\"\"\n  until systemctl is-active x; do :; done\n  \"\"\"",
        "Tests/AgentTests/Sample.swift"
      ),
      (#"try stage.run("systemctl --user stop x")"#, "Tests/AgentTests/Sample.swift"),
      (#"func show() -> String { "systemctl --user show x" }"#, "Tests/AgentTests/Sample.swift"),
      ("#!/bin/sh\npactl info\n", "Tests/VirtualCard/sample.sh"),
      ("if true; then x=$(LC_ALL=C valgrind --version); fi\n", "packaging/setup/sanitized.sh"),
      ("case $1 in\n  a) dbus-daemon --version ;;\nesac\n", "packaging/setup/play.sh"),
      ("exec timeout 5 /usr/bin/pactl info\n", "packaging/setup/play.sh"),
      ("lint:\n\t@echo a; lame --version\n", "Makefile"),
    ])
  func missing(text: String, path: String) {
    let messages = found(text, in: path)
    #expect(messages.count == 1 && messages[0].contains("does not install"), "\(messages)")
  }

  @Test(
    "one that nobody has heard of is found",
    arguments: [
      (#"try Program.named("mplayer", package: "mplayer")"#, "Tests/DecodeIOTests/Sample.swift"),
      ("a | b_c | mplayer -i x\nb_c() { :; }\na() { :; }\n", "packaging/deb/build.sh"),
      ("test:\n\t@mplayer \\\n\t  -i x\n", "Makefile"),
    ])
  func unknown(text: String, path: String) {
    let messages = found(text, in: path)
    #expect(messages.count == 1 && messages[0].contains("nobody knows which package mplayer"), "\(messages)")
  }

  @Test(
    "what only looks like one is none",
    arguments: [
      (#"let name = "busctl""#, "Tests/BusIOTests/Sample.swift"),
      (#"let list = ["busctl"]"#, "Sources/BusIO/Sample.swift"),
      (
        #"let title = news.named("Mplayer", of: name); try order.run("mplayer")"#,
        "Tests/AgentTests/Sample.swift"
      ),
      (#"try Child.run(.named("dbus-send", package: "dbus-bin"))"#, "Tests/BusIOTests/Sample.swift"),
      ("# busctl\necho busctl 'a; busctl' \"$x; busctl\" # busctl\n", "Tests/sample.sh"),
      ("cat <<'X'\nbusctl\nX\ncat > busctl 2>&1\n", "Tests/sample.sh"),
      (
        "case $x in busctl | lame) ;; *) busctl=1 ;; esac\nfor busctl in a b; do :; done\n", "Tests/sample.sh"
      ),
      ("busctl() { :; }\nbusctl\nx=$((busctl + 1))\n[[ -n a && busctl ]]\n", "Tests/sample.sh"),
      ("if command -v busctl >/dev/null; then busctl list; fi\n", "Tests/sample.sh"),
      ("test:\n\t@$(busctl) a $(call busctl,x); $$busctl\n", "Makefile"),
    ])
  func none(text: String, path: String) {
    #expect(found(text, in: path).isEmpty)
  }
}
