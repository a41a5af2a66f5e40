// SPDX-License-Identifier: MIT
import MediaModel
import Testing
@testable import WatchIO

@Suite("What is mounted")
struct MountWatchTests {
  private let list = """
    22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
    40 22 8:17 / /media/anna/My\\040Music rw,nosuid shared:29 - vfat /dev/sdb1 rw
    41 22 0:45 / /mnt/back\\134slash rw - tmpfs tmpfs rw
    rubbish
    42 22 8:18 /
    """

  @Test("the kernel's list gives each mount's folder, and rubbish is left out")
  func table() {
    #expect(
      MountWatch.table(Array(list.utf8)) == [
        22: "/", 40: "/media/anna/My Music", 41: "/mnt/back\\slash",
      ])
    #expect(MountWatch.table([]).isEmpty)
  }

  @Test("told is where something was mounted or unmounted, and a disk that gave way to another one")
  func difference() {
    let old = MountWatch.table(Array(list.utf8))
    var new = old
    #expect(MountWatch.difference(old, new).isEmpty)
    new[40] = nil
    new[50] = "/media/anna/My Music"
    new[51] = "/srv/music"
    #expect(MountWatch.difference(old, new) == ["/media/anna/My Music", "/srv/music"])
  }
}
