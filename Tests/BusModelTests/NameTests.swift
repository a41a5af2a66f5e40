// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Names")
struct NameTests {
  private static let long = String(repeating: "a", count: 253)

  @Test(
    "object paths are slashes with words between them",
    arguments: [
      ("/", true), ("/a", true), ("/org/mpris/MediaPlayer2", true), ("/_1/2b", true), ("/a/", false),
      ("//", false),
      ("", false), ("a", false), ("/a//b", false), ("/a-b", false), ("/é", false), ("/a b", false),
      ("/a\0", false),
    ])
  func paths(text: String, isValid: Bool) { #expect((ObjectPath(text) != nil) == isValid) }

  @Test(
    "bus names are dotted words, or unique ones with a colon",
    arguments: [
      ("org.fermata.Agent", true), (":1.42", true), (":1.4-2", true), ("a.b", true), ("a-b.c", true),
      ("_a._b", true),
      ("a", false), ("", false), (":", false), (":1", false), (".a.b", false), ("a..b", false),
      ("a.b.", false),
      ("1a.b", false), ("a.1b", false), ("org.mpris.MediaPlayer2.fermata.instance7", true), ("a.b c", false),
      ("\(long).b", true), ("\(long).bc", false), (":1.\(long)", false), ("é.b", false),
    ])
  func busNames(text: String, isValid: Bool) { #expect((BusName(text) != nil) == isValid) }

  @Test(
    "interface names are two words or more, without hyphens",
    arguments: [
      ("org.mpris.MediaPlayer2.Player", true), ("a.b", true), ("_._", true), ("a", false), ("a-b.c", false),
      ("a.2", false), ("a..b", false), (".a", false), ("", false), ("\(long).b", true), ("\(long).bc", false),
    ])
  func interfaceNames(text: String, isValid: Bool) { #expect((InterfaceName(text) != nil) == isValid) }

  @Test(
    "member names are one word",
    arguments: [
      ("Next", true), ("_a1", true), ("1a", false), ("a.b", false), ("", false), ("a-b", false),
      ("a b", false),
      ("\(long)aa", true), ("\(long)aaa", false),
    ])
  func memberNames(text: String, isValid: Bool) { #expect((MemberName(text) != nil) == isValid) }

  @Test("only names that begin with a colon are unique")
  func unique() {
    let names: [BusName] = [":1.7", "org.fermata.Agent", .bus]
    #expect(names.map(\.isUnique) == [true, false, false])
  }

  @Test(
    "a path knows its first step below another",
    arguments: [
      ("/a/b/c", "/", "a"), ("/a/b/c", "/a", "b"), ("/a/b", "/a/b", nil), ("/ab", "/a", nil), ("/", "/", nil),
      ("/a", "/b", nil),
    ] as [(ObjectPath, ObjectPath, String?)])
  func children(path: ObjectPath, parent: ObjectPath, child: String?) {
    #expect(path.childName(under: parent) == child)
  }
}
