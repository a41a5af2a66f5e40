// SPDX-License-Identifier: MIT
@testable import FileIO
import FermataTestKit
import Glibc
import MediaModel
import Testing

@Suite("Files")
struct FileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func path(_ name: String) throws -> FilePath { try #require(FilePath(folder.path(name))) }

  private func names() throws -> [String] {
    var directory = try HeldFile(try #require(FilePath(folder.path))).openFolder()
    var names: [String] = []
    while let name = try directory.next()?.name { names.append("\(name)") }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  @Test("a readable file is a regular one, also behind a link; whatever else is there is none")
  func readable() throws {
    for name in ["file", "folder", "pipe", "link", "broken", "none"] {
      let path = try path(name)
      switch name {
      case "file": try folder.write(name, "x")
      case "folder": try folder.makeFolder(name)
      case "pipe": #expect(mkfifo(path.text, 0o600) == 0)
      case "link": #expect(symlink("file", path.text) == 0)
      case "broken": #expect(symlink("gone", path.text) == 0)
      default: break
      }
      #expect(path.isReadableFile == ["file", "link"].contains(name), "\(name)")
    }
  }

  @Test("a new file has its name when it is whole, and nothing is left of one that is given up")
  func published() throws {
    let final = try path("a")
    do {
      let file = try NewFile(besides: final, mode: 0o600)
      try file.write(Array("half".utf8))
      #expect(try names().count == 1)
      #expect(try names().allSatisfy { $0.hasPrefix(NewFile.prefix) })
    }
    #expect(try names().isEmpty)
    let file = try NewFile(besides: final, mode: 0o600)
    try file.write(Array("whole".utf8))
    try file.publish(as: final)
    #expect(try names() == ["a"])
    #expect(try folder.text("a") == "whole")
    let held = try HeldFile(final)
    #expect(held.kind == .file)
    #expect(held.permissions == 0o600)
  }

  @Test("a file that somebody named is written where its links lead, also where nothing is yet")
  func links() throws {
    try folder.makeFolder("far")
    try folder.link("one", to: "two")
    try folder.link("two", to: folder.path("far/../far/three"))
    #expect(try path("one").writingPlace() == (try path("far/three")))
    try NewFile.write(Array("new".utf8), at: try path("one"))
    #expect(try folder.text("far/three") == "new")
    #expect(try names() == ["far", "one", "two"])
    try folder.link("round", to: "about")
    try folder.link("about", to: "round")
    let error = #expect(throws: SystemError.self) { try NewFile.write([], at: try path("round")) }
    #expect(error?.code == ELOOP)
  }

  @Test("one that is there stays where nothing may be replaced, and nothing is left of the other")
  func kept() throws {
    let final = try path("a")
    try NewFile.write([1], at: final, replacing: false)
    let error = #expect(throws: SystemError.self) { try NewFile.write([2], at: final, replacing: false) }
    #expect(error?.code == EEXIST)
    #expect(try folder.bytes("a") == [1])
    #expect(try names() == ["a"])
    try NewFile.write([3], at: final)
    #expect(try folder.bytes("a") == [3])
  }

  @Test("a folder is held by one at a time, and whoever waits too long is told")
  func lock() throws {
    let path = try #require(FilePath(folder.path))
    let lock = try FolderLock(path)
    let error = #expect(throws: SystemError.self) { _ = try FolderLock(path, patience: .zero) }
    #expect(error == .held)
    _ = consume lock
    _ = try FolderLock(path, patience: .zero)
    #expect(try names().isEmpty)
  }

  @Test("a folder is listed whole, also with more and longer names than the kernel gives at once")
  func listed() throws {
    try folder.makeFolder("many")
    let names = (0..<700).map { "\($0)\n" + String(repeating: "é", count: $0 % 120) }
    for name in names { try folder.write("many/\(name)", "") }
    var directory = try HeldFile(try path("many")).openFolder()
    var found: [String] = []
    while let (name, hint) = try directory.next() {
      guard hint == .file else { continue }
      found.append(try #require(name.exactText))
    }
    #expect(found.sorted() == names.sorted())
    let rest = try directory.next()?.name
    #expect(rest == nil)
  }

  @Test("only a folder is opened as one in a folder, and nothing that leads to one")
  func inner() throws {
    try folder.makeFolder("folder")
    try folder.write("folder/file", "")
    try folder.link("link", to: "folder")
    try folder.write("file", "")
    #expect(mkfifo(try path("pipe").text, 0o600) == 0)
    let above = try HeldFile(try path(".")).openFolder()
    for name in ["link", "file", "pipe"] {
      let error = #expect(throws: SystemError.self) { _ = try Directory(#require(FilePath(name)), in: above) }
      #expect(error?.code == ENOTDIR, "\(name)")
    }
    let name = try #require(FilePath("folder"[...]))
    var inner = try Directory(name, in: above)
    var found: [String] = []
    while let name = try inner.next()?.name.text { found.append(name) }
    #expect(found.sorted() == [".", "..", "file"])
  }

  @Test("a full disk is an error of the write")
  func full() throws {
    let error = #expect(throws: SystemError.self) {
      let file = NewFile(owning: open("/dev/full", O_WRONLY | O_CLOEXEC), path: try path("full"))
      try file.write([1, 2, 3])
    }
    #expect(error?.code == ENOSPC)
  }

  @Test("folders are made with those above them, for this user alone, and those that are there stay")
  func folders() throws {
    let deep = try path("x/y/z")
    try NewFolder.make(deep)
    try NewFolder.make(deep)
    let held = try HeldFile(deep)
    #expect(held.kind == .folder)
    #expect(held.permissions == 0o700)
    try folder.write("file", "")
    let error = #expect(throws: SystemError.self) { try NewFolder.make(try path("file/below")) }
    #expect(error?.code == ENOTDIR)
  }

  @Test("what is no regular file is known before it is opened")
  func kinds() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    #expect(try HeldFile(try path("pipe")).kind == .pipe)
    #expect(try HeldFile("/dev/zero").kind == .device)
    #expect(throws: SystemError.self) { try HeldFile(try path("none")).kind }
  }
}
