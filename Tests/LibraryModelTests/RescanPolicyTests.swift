// SPDX-License-Identifier: MIT
import LibraryModel
import MediaModel
import Testing

@Suite("When the library is scanned without being asked")
struct RescanPolicyTests {
  /// A policy that has seen one scan of everything end like this at the 100th second, after so long.
  private func policy(_ end: RescanPolicy.End, after time: Duration = .seconds(1)) -> RescanPolicy {
    var policy = RescanPolicy()
    policy.began()
    _ = policy.ended(end, isWhole: true, after: time, at: .seconds(100))
    return policy
  }

  @Test("when all is well, nothing is due until something changes; while a scan is there, nothing is")
  func quiet() {
    var policy = policy(.done)
    #expect(policy.due == nil && policy.why == nil)
    policy.changed(at: .seconds(200))
    #expect(policy.due == .seconds(202))
    policy.began()
    #expect(policy.due == nil)
    policy.changed(at: .seconds(203))
    #expect(policy.due == nil)
    _ = policy.ended(.done, isWhole: true, after: .seconds(1), at: .seconds(204))
    #expect(policy.due == .seconds(224))
  }

  @Test("a scan of some folders does not find what has changed in the others, so one of all stays due")
  func partial() {
    var policy = policy(.done)
    policy.changed(at: .seconds(200))
    policy.began(isWhole: false)
    _ = policy.ended(.done, isWhole: false, after: .seconds(1), at: .seconds(201))
    #expect(policy.due == .seconds(221))
  }

  @Test(
    "a scan that fails is tried again after a minute, and then after twice as long each time, up to an hour",
    arguments: [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (8, 60), (500, 60)])
  func retries(failures: Int, minutes: Int) {
    var policy = RescanPolicy()
    for _ in 0..<failures {
      policy.began()
      _ = policy.ended(.failed("the disk is full"), isWhole: true, after: .zero, at: .seconds(100))
    }
    #expect(policy.due == .seconds(100 + 60 * minutes))
    #expect(policy.why == "the last scan failed: the disk is full; it is tried again by itself")
    // A program that writes without end does not make it fail without end.
    policy.changed(at: .seconds(101))
    #expect(policy.due == .seconds(100 + 60 * minutes))
    policy.began()
    #expect(policy.ended(.done, isWhole: true, after: .seconds(1), at: .seconds(9_000)) == nil)
    #expect(policy.why == nil && policy.due == nil)
  }

  @Test("a failure is told once, and again if it is another one or comes back")
  func news() {
    var policy = RescanPolicy()
    func end(_ end: RescanPolicy.End, isWhole: Bool = true) -> Bool {
      policy.began()
      return policy.ended(end, isWhole: isWhole, after: .zero, at: .zero) != nil
    }
    #expect(end(.failed("a")))
    #expect(!end(.failed("a")))
    #expect(end(.failed("b")))
    #expect(!end(.cancelled) && !end(.failed("b")))
    // A scan of some folders says nothing of the others.
    #expect(!end(.done, isWhole: false) && !end(.failed("b")))
    #expect(!end(.done) && end(.failed("b")))
  }

  @Test("where a disk is lacking any mount concerns the library, but nothing is looked for without one")
  func lackingDisk() {
    var policy = RescanPolicy()
    let music: FilePath = "/users/anna/Music"
    policy.saw([music: nil], lackingDisks: [music], isWhole: true)
    var isConcerned = policy.concerns(mountsAt: ["/media/usb"], [music], at: .zero)
    #expect(isConcerned && policy.due == nil)
    // One that is never there again must not have all scanned with each mount of something else.
    let looks = (1...3_600).filter { second in
      policy.concerns(mountsAt: ["/run/x"], [music], at: .seconds(second))
    }
    #expect(looks == [60, 180, 420, 900, 1_860])
    isConcerned = policy.concerns(mountsAt: ["/users/anna/Music/x"], [music], at: .seconds(3_600))
    #expect(isConcerned)
    policy.saw([music: nil], isWhole: true)
    isConcerned = policy.concerns(mountsAt: ["/media/usb"], [music], at: .seconds(9_000))
    #expect(!isConcerned)
  }

  @Test("a mount concerns the library at, above or below a folder of it, and anywhere while one is missing")
  func mounts() {
    var policy = policy(.done)
    let folders: [FilePath] = ["/srv/music", "/users/anna/Music"]
    for point: FilePath in ["/srv/music", "/srv", "/users/anna/Music/disk/1"] {
      let isConcerned = policy.concerns(mountsAt: ["/run", point], folders, at: .zero)
      #expect(isConcerned)
    }
    var isConcerned = policy.concerns(mountsAt: ["/srv/musical", "/users/anna/Videos"], folders, at: .zero)
    #expect(!isConcerned)
    policy.saw(["/srv/music": nil], missing: ["/srv/music"], isWhole: false)
    isConcerned = policy.concerns(mountsAt: ["/media/anna/stick"], folders, at: .zero)
    #expect(isConcerned)
  }

  @Test(
    "whoever cancels a scan is left in peace for half an hour: folders that it had not entered are not watched"
  )
  func cancelled() {
    var cut = policy(.cancelled)
    #expect(cut.due == .seconds(1_900))
    #expect(
      cut.why
        == "changes are looked for every half hour: a scan was cancelled before it had seen every folder")
    cut.began(isWhole: false)
    _ = cut.ended(.done, isWhole: false, after: .zero, at: .seconds(200))
    #expect(cut.due == .seconds(2_000))
    cut.began()
    _ = cut.ended(.done, isWhole: true, after: .zero, at: .seconds(300))
    #expect(cut.due == nil && cut.why == nil)
    var failed = policy(.failed("a"))
    failed.began()
    _ = failed.ended(.cancelled, isWhole: true, after: .zero, at: .seconds(500))
    #expect(failed.due == .seconds(560))
  }

  @Test("where changes are not told, everything is looked through every half hour, and sooner if some are")
  func blind() {
    var policy = policy(.done)
    policy.watches(trouble: "no more folders can be watched")
    #expect(policy.due == .seconds(100 + 1_800))
    #expect(policy.why == "changes are looked for every half hour: no more folders can be watched")
    policy.changed(at: .seconds(200))
    #expect(policy.due == .seconds(202))
    policy.watches(trouble: nil)
    #expect(policy.why == nil)
  }

  @Test("what a former watch was refused counts until the present one was asked for all folders")
  func formerWatch() {
    var policy = policy(.done)
    policy.watchesAnew(after: "no more folders can be watched")
    policy.watchesAnew(after: nil)
    #expect(policy.due == .seconds(1_900))
    policy.began()
    _ = policy.ended(.done, isWhole: true, after: .zero, at: .seconds(200))
    #expect(policy.due == nil && policy.why == nil)
  }

  @Test("a folder on a network is looked through every half hour, until it is no more there")
  func network() {
    var policy = policy(.done)
    policy.saw(["/nas": "NFS", "/home": nil], isWhole: true)
    #expect(policy.due == .seconds(1_900))
    #expect(
      policy.why == "changes are looked for every half hour: '/nas' is on NFS, which tells of none")
    policy.saw(["/cloud": "SMB"], isWhole: false)
    #expect(policy.why?.contains("'/cloud' and 1 more") == true)
    policy.saw(["/home": nil], isWhole: true)
    #expect(policy.due == nil && policy.why == nil)
  }

  @Test("a folder whose disk is not mounted is looked for every half hour, until it is there")
  func missing() {
    var policy = policy(.done)
    policy.saw(["/media/disk": nil, "/home": nil], missing: ["/media/disk"], isWhole: true)
    #expect(policy.due == .seconds(1_900) && policy.why == nil)
    policy.saw(["/home": nil], isWhole: false)
    #expect(policy.due == .seconds(1_900))
    policy.saw(["/media/disk": nil], isWhole: false)
    #expect(policy.due == nil)
  }

  @Test("a long scan is followed by a pause of twenty minutes at most")
  func pause() {
    var policy = policy(.done, after: .seconds(86_400))
    policy.changed(at: .seconds(101))
    #expect(policy.due == .seconds(100 + 1_200))
  }
}

@Suite("File systems that tell of no changes")
struct SilentFileSystemTests {
  @Test(
    "network file systems are known by their numbers, and those of programs by having no disk",
    arguments: [
      (0x6969, 0x30, "NFS"), (0xff53_4d42, 0x31, "CIFS"), (0xfe53_4d42, 0x31, "SMB"),
      (0x6573_5546, 0x32, "a network file system (FUSE)"),
      // ntfs-3g on /dev/sda1, ext4, btrfs, tmpfs, overlayfs.
      (0x6573_5546, 0x801, nil), (0xef53, 0x801, nil), (0x9123_683e, 0x22, nil), (0x0102_1994, 0x19, nil),
      (0x794c_7630, 0x1a, nil), (0, 0, nil),
    ] as [(UInt64, UInt64, String?)])
  func names(type: UInt64, device: UInt64, name: String?) {
    #expect(SilentFileSystem.name(type: type, device: device) == name)
  }
}
