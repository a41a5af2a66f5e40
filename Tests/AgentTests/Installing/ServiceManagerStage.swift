// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import Testing

/// A user's own systemd with its bus, and fermata installed for that user: the session that most desktops have.
///
/// All of it lives in namespaces of its own, which end with this object, and in a group of processes that it takes away again.
final class ServiceManagerStage {
  let server: any SoundServer
  let home: TemporaryDirectory
  private let shell: Child
  private let group: String

  /// Whether this machine lets a test have one: its superuser may, where systemd is installed and groups can be made.
  static var isPossible: Bool {
    geteuid() == 0 && access("/usr/lib/systemd/user/dbus.socket", R_OK) == 0
      && trees.contains { access("\($0)/cgroup.procs", W_OK) == 0 }
  }

  /// Where groups of processes are: those of systemd's own, in the two ways that kernels have them, or all of them.
  private static let trees = [
    "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup",
  ]

  // Each line that is read is a command, and each answer a line.
  private static let script = """
    for tree in $TREES; do
      [ -e $tree/cgroup.procs ] && mkdir $tree/$GROUP && echo $$ >$tree/$GROUP/cgroup.procs
    done
    # What systemd takes for a sign that it runs the machine.
    mkdir -p /run/systemd && mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system
    unset TREES GROUP
    /usr/lib/systemd/systemd --user --unit=basic.target </dev/null >/dev/null &
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$XDG_RUNTIME_DIR/bus
    until systemctl --user is-active --quiet basic.target 2>/dev/null; do kill -0 $! || exit; done
    while read -r line; do printf '%s\\n' "$(eval "$line" 2>&1 | tr '\\n' ' ')"; done
    """

  init(_ server: any SoundServer) throws {
    self.server = server
    home = try TemporaryDirectory()
    group = "fermata-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    _ = try Child.run(
      Installation.script, ["install"], environment: try Installation.environment(home.path(".local")))
    let runtime = try home.makeFolder("run")
    shell = try Child(
      .named("unshare", package: "util-linux"),
      ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "/bin/sh", "-c", Self.script],
      environment: [
        "HOME": home.path, "XDG_DATA_HOME": home.path(".local/share"), "XDG_RUNTIME_DIR": runtime,
        "PULSE_SERVER": server.serverAddress,
        "PATH": "\(home.path)/.local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "GROUP": group,
        "TREES": Self.trees.joined(separator: " "),
      ], isInteractive: true)
    _ = try run("true", within: .patience)
  }

  /// Runs a command of the shell in the session, and answers what it says, its lines joined by blanks.
  @discardableResult
  func run(_ command: String, within patience: Duration = .patience) throws -> String {
    do { return try shell.ask(command, within: patience).trimmed } catch {
      throw KitError("'\(command)': \(error)\n\(shell.standardError)")
    }
  }

  /// The command that asks the manager something of the service.
  static func show(_ property: String) -> String {
    "systemctl --user show fermata --value --property=\(property)"
  }

  /// Runs a command of which is known what it says.
  func expect(_ answer: String, from command: String, _ location: SourceLocation = #_sourceLocation) throws {
    let said = try run(command)
    #expect(said == answer, "\(command)", sourceLocation: location)
  }

  /// Asks again and again until the answer to a command is this.
  func wait(for answer: String, from command: String) throws {
    let deadline = Deadline.patient
    while true {
      let said = try run(command)
      if said == answer { return }
      if deadline.hasPassed { throw KitError("'\(command)' says '\(said)', not '\(answer)'") }
    }
  }

  /// Ends everything. Throws when the sound server had died.
  func stop() throws {
    end()
    try server.stop()
  }

  deinit { end() }

  private func end() {
    shell.kill()
    for tree in Self.trees where access("\(tree)/\(group)", F_OK) == 0 {
      _ = try? Child.run(.named("sh", package: "dash"), ["-c", Self.removal, "\(tree)/\(group)"])
    }
  }

  // Its processes are dead, but the kernel may not have noted that of all.
  private static let removal =
    "until find \"$0\" -depth -type d -exec rmdir {} + 2>/dev/null || ! [ -e \"$0\" ]; do :; done"
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
