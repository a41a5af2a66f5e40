// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("Installing", .endsAnyway)
struct InstallTests {
  /// The part that loads FFmpeg is only there where its headers were when this was built.
  private static let names =
    (usual + (Program.haveFFmpeg ? ["libexec/fermata/libfermata-av.so"] : []))
    .sorted()
  private static let usual = [
    "bin/fermata", "libexec/fermata/fermata-agent", "libexec/fermata/fermata-loudness",
    "libexec/fermata/fermata-reader",
    "share/applications/fermata.desktop",
    "share/bash-completion/completions/fermata",
    "share/dbus-1/services/org.fermata.Agent.service",
    "share/dbus-1/services/org.mpris.MediaPlayer2.fermata.service", "share/doc/fermata/LICENSE",
    "share/fish/vendor_completions.d/fermata.fish", "share/icons/hicolor/scalable/apps/fermata.svg",
    "share/man/man1/fermata.1", "share/metainfo/org.fermata.Agent.metainfo.xml",
    "share/systemd/user/fermata.service", "share/zsh/site-functions/_fermata",
  ]

  @Test("everything has its place below the prefix, and nothing is left of it afterwards")
  func whole() throws {
    let installation = try Installation()
    var files = try installation.files()
    #expect(files.keys.sorted() == (Self.names + ["share/doc/fermata/folders"]).sorted())
    let programs = ["agent", "loudness", "reader"].map { "libexec/fermata/fermata-\($0)" }
    for program in ["bin/fermata"] + programs {
      #expect(files.removeValue(forKey: program) == "755")
    }
    #expect(Set(files.values) == ["644"])
    try installation.uninstall()
    #expect(try installation.files() == [:])
    #expect(try installation.folders() == [])
  }

  @Test(
    "folders that were there before stay, empty or not, also after a second install; those that it made go")
  func folders() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("here/bin")
    try folder.makeFolder("here/share/man")
    let environment = try Installation.environment(folder.path("here"))
    for word in ["install", "install", "uninstall"] {
      _ = try Child.run(Installation.script, [word], environment: environment)
    }
    #expect(try Installation.folders(in: folder) == ["here", "here/bin", "here/share", "here/share/man"])
  }

  @Test("a relative place for a package is meant from where it is called, and can be cleared from anywhere")
  func relative() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("elsewhere")
    var environment = try Installation.environment("/usr", "package")
    let run = { (word: String, place: String) in
      _ = try Child.run(
        .named("env", package: "coreutils"), ["-C", place, Installation.script.path, word],
        environment: environment)
    }
    try run("install", folder.path)
    #expect(try Installation.folders(in: folder).contains("package/usr/bin"))
    environment["DESTDIR"] = "../package"
    try run("uninstall", folder.path("elsewhere"))
    #expect(try Installation.folders(in: folder) == ["elsewhere", "package"])
  }

  @Test("installed anew over itself it is whole, and what others have put beside it stays")
  func again() throws {
    let installation = try Installation()
    try installation.folder.write(".local/bin/other", "")
    _ = try Child.run(
      Installation.script, ["install"], environment: try Installation.environment(installation.prefix))
    #expect(try Child.run(installation.program, ["version"]).hasPrefix("fermata "))
    try installation.uninstall()
    #expect(try installation.files().keys.sorted() == ["bin/other"])
  }

  @Test("a bus that runs already can start the agent at once, also where it had no folder for such files")
  func running() throws {
    let folder = try TemporaryDirectory()
    let prefix = folder.path(".local")
    let bus = try PrivateBus(serviceFolders: ["\(prefix)/share/dbus-1/services"])
    let environment = try Installation.environment(prefix).merging(["DBUS_SESSION_BUS_ADDRESS": bus.address])
    { $1 }
    _ = try Child.run(Installation.script, ["install"], environment: environment)
    #expect(
      try Child.run(Program(path: "\(prefix)/bin/fermata"), ["volume"], environment: bus.environment)
        == "100%\n")
    try bus.stop()
  }

  @Test("a package's files name the place that they will have")
  func package() throws {
    let installation = try Installation(prefix: "/usr", isPackage: true)
    #expect(try installation.files().keys.sorted() == Self.names)
    for name in Self.names where name.hasSuffix(".service") || name.hasSuffix(".desktop") {
      let text = try installation.text(name)
      let program = name.hasSuffix(".desktop") ? "bin/fermata" : "libexec/fermata/fermata-agent"
      #expect(text.contains("=/usr/\(program) "), "\(name)")
      #expect(!text.contains(installation.destination) && !text.contains("dir@"), "\(name)")
    }
    try installation.uninstall()
    #expect(try installation.files() == [:])
    #expect(try installation.folders() == ["package"])
  }

  @Test("man page and completions are those of the program")
  func generated() throws {
    let installation = try Installation()
    let program = installation.program
    #expect(try installation.text("share/man/man1/fermata.1") == Child.run(program, ["help", "--man"]))
    for (shell, name) in [
      ("bash", "bash-completion/completions/fermata"), ("zsh", "zsh/site-functions/_fermata"),
      ("fish", "fish/vendor_completions.d/fermata.fish"),
    ] {
      let script = try Child.run(program, ["help", "--completions", shell])
      #expect(try installation.text("share/" + name) == script, "\(shell)")
    }
  }

  @Test(
    "a prefix that service files cannot carry is refused before anything is written",
    arguments: ["usr", "/tmp/My Music", "/tmp/100%", "/tmp/a|b", "/tmp/$HOME", "/tmp/\"q\""])
  func refused(prefix: String) throws {
    let child = try Child(
      Installation.script, ["install"], environment: try Installation.environment(prefix))
    #expect(child.exit(until: .patient) == .exited(1))
    #expect(child.standardError.hasPrefix("install: '\(prefix)' "))
  }

  @Test("without a program it says what to run")
  func missing() throws {
    let folder = try TemporaryDirectory()
    let child = try Child(
      Installation.script, ["install"],
      environment: ["PREFIX": folder.path("new"), "PROGRAM": folder.path("fermata")])
    #expect(child.exit(until: .patient) == .exited(1))
    #expect(child.standardError.contains("make build"))
  }

  @Test("the installed program finds the reader of tags that was installed with it")
  func reader() throws {
    let installation = try Installation()
    let child = try Child(installation.program, ["doctor"], environment: ["HOME": installation.folder.path])
    _ = child.exit(until: .patient)
    #expect(child.standardOutput.contains("read in a process of its own"), "\(child.standardOutput)")
  }

  @Test("systemd reads the unit without a word")
  func unit() throws {
    let systemd = try Program.named("systemd-analyze", package: "systemd")
    let installation = try Installation()
    let child = try Child(
      systemd,
      ["verify", "--user", "--man=no", "\(installation.prefix)/share/systemd/user/fermata.service"],
      environment: ["HOME": installation.folder.path, "XDG_RUNTIME_DIR": installation.folder.path])
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardError == "")
  }
}
