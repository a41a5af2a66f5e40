// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import SQLiteIO
@testable import StoreIO

extension TemporaryDirectory {
  /// It as a state folder, as soon as nobody holds it: the thread of a store that was let go of may still do so.
  func lock() throws -> StateFolder {
    while true {
      let attempt = Result { () throws(StoreError) in try StateFolder(path) }
      guard case .failure(let error) = attempt, error.code == EWOULDBLOCK else { return try attempt.get() }
      try waitUntilFree()
    }
  }

  /// Waits until nobody holds it.
  func waitUntilFree() throws {
    let descriptor = open(path("lock"), O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    let deadline = Deadline.patient
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard !deadline.hasPassed else { throw KitError("somebody still holds the state folder \(path)") }
      poll(nil, 0, 1)
    }
    flock(descriptor, LOCK_UN)
  }

  /// The length of a file in it; 0 where there is none.
  func size(_ name: String) -> Int { status(name)?.size ?? 0 }

  /// The permissions of it or of something in it; 0 where there is no such thing.
  func mode(_ name: String = ".") -> UInt32 { status(name)?.permissions ?? 0 }

  /// Whether a descriptor of this process is of a file in it.
  func isFile(_ name: String, openAs descriptor: Int32) -> Bool {
    var (file, open) = (stat(), stat())
    return stat(path(name), &file) == 0 && fstat(descriptor, &open) == 0
      && file.st_dev == open.st_dev && file.st_ino == open.st_ino
  }
}
