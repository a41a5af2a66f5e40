// SPDX-License-Identifier: MIT
import AudioModel
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FermataCommands

@Suite("Events")
struct EventTests {
  private static let entry = EntryID(rawValue: 7)

  @Test(
    "each event is one object with its name, and a phrase",
    arguments: [
      (
        .state(.interrupted, why: "call"), #""state","state":"interrupted","why":"call""#,
        "interrupted by a call"
      ),
      (
        .state(.playing, why: "muted"), #""state","state":"playing","why":"muted""#,
        "playing, but muted"
      ),
      (.nowPlaying(nil), #""nowPlaying""#, "nothing is current"),
      (.volume(0.25), #""volume","volume":0.25"#, "volume 25%"),
      (.volume(.nan), #""volume""#, "volume 0%"),
      (.stored(false), #""stored","stored":false"#, "the queue is not stored"),
      (
        .modes(.all, .off, consumes: true), #""modes","repeat":"all","shuffle":"off","consume":true"#,
        "repeat all, shuffle off, consume on"
      ),
      (.seeked(.milliseconds(61_500)), #""seeked","position":61.5"#, "at 1:01"),
      (.row(3), #""row","index":3"#, "row 3 is current"),
      (
        .itemsChanged([ItemFace(MediaItem(location: .file("/a.mp3")), entry: entry)]),
        #""items","items":[{"title":"a","compilation":false,"mediaType":"music","url":"file:///a.mp3","entry":7}]"#,
        "tags read: one track"
      ),
      (
        .itemsChanged([ItemFace(MediaItem(location: .file("/a.mp3")), unplayable: "is empty")]),
        #""items","items":[{"title":"a","compilation":false,"mediaType":"music","url":"file:///a.mp3","unplayable":"is empty"}]"#,
        "can't be played: one track"
      ),
      (
        .skipped(entry, url: "file:///a", why: "no sound; try another"),
        #""skipped","entry":7,"url":"file:///a","why":"no sound; try another""#, "skipped /a: no sound"
      ),
      (
        .endedEarly(entry, url: "file:///a", why: "is damaged", at: .milliseconds(61_500)),
        #""endedEarly","entry":7,"url":"file:///a","why":"is damaged","position":61.5"#,
        "/a ended early at 1:01: is damaged"
      ),
      (
        .queue(QueueNews(.moved(row: 2, count: 1, to: 5), length: 9)),
        #""queue","added":[],"removed":[],"moved":[{"from":2,"to":5}],"length":9"#,
        "one track moved from row 2 to 5, 9 tracks in the queue"
      ),
      (
        .queue(QueueNews(.replaced, length: 1)),
        #""queue","added":[],"removed":[],"moved":[],"replaced":true,"length":1"#,
        "the queue was replaced, one track in the queue"
      ),
      (
        .interruptionBegan("call", sources: ["call"], wasPlaying: true),
        #""interruption","phase":"began","source":"call","sources":["call"],"wasPlaying":true"#,
        "interrupted by a call"
      ),
      (
        .interruptionBegan("call", sources: ["call"], wasPlaying: false),
        #""interruption","phase":"began","source":"call","sources":["call"],"wasPlaying":false"#,
        "a call is going on, nothing was playing"
      ),
      (
        .interruptionEnded("cork", sources: ["cork", "call"], shouldResume: true, isOverruled: false),
        #""interruption","phase":"ended","source":"cork","sources":["cork","call"],"shouldResume":true"#,
        "the call is over, the music goes on"
      ),
      (
        .interruptionEnded("cork", sources: ["cork", "call"], shouldResume: false, isOverruled: true),
        #""interruption","phase":"ended","source":"cork","sources":["cork","call"],"shouldResume":false,"overruled":true"#,
        "you played on: a call is going on"
      ),
      (
        .routeChange(.oldDeviceUnavailable, previous: nil, current: nil, paused: true),
        #""routeChange","reason":"oldDeviceUnavailable","paused":true"#,
        "the output is gone; sound goes nowhere; paused"
      ),
    ] as [(AgentNews, String, String)])
  func events(news: AgentNews, json: String, text: String) {
    let moment = Moment(milliseconds: 1_700_000_000_123)
    let object = news.json(at: moment).text
    #expect(object == #"{"time":"2023-11-14T22:13:20.123Z","event":"# + json + "}")
    #expect(EventText.text(news) == text)
  }
}

@Suite("Lines of events")
struct EventLinesTests {
  @Test("two events that mean the same are one line, unless time has passed or something came between")
  func same() {
    var lines = EventLines()
    let (early, late) = (Moment(milliseconds: 1_700_000_000_123), Moment(milliseconds: 1_700_000_001_000))
    let began = AgentNews.interruptionBegan("call", sources: ["call"], wasPlaying: true)
    let state = AgentNews.state(.interrupted, why: "call")
    let written = [
      lines.line(began, early), lines.line(state, early), lines.line(.state(.playing, why: nil), early),
      lines.line(state, early), lines.line(began, late),
    ]
    #expect(written.map { $0 == nil } == [false, true, false, false, false])
    #expect(written[0]?.hasSuffix("  interrupted by a call") == true)
  }

  @Test(
    "what is told in between does not have it said twice: the server goes, its route goes, the music waits for it"
  )
  func between() {
    var lines = EventLines()
    let moment = Moment(milliseconds: 1_700_000_000_999)
    let lost = AgentNews.routeChange(.mediaServicesWereLost, previous: nil, current: nil, paused: false)
    let state = AgentNews.state(.interrupted, why: "server")
    let written = [AgentNews.interruptionBegan("server", sources: ["server"], wasPlaying: true), lost].map {
      lines.line($0, moment)
    }
    #expect(written.map { $0 == nil } == [false, false])
    #expect(lines.line(state, Moment(milliseconds: 1_700_000_001_001)) == nil)
  }

  /// The evenings that listeners have, as the events of an agent, and what they read.
  private static let evenings: [(name: String, events: [AgentNews], lines: [String])] = [
    (
      "a call",
      [
        .interruptionBegan("call", sources: ["call", "cork"], wasPlaying: true),
        .state(.interrupted, why: "call"),
        .interruptionEnded("call", sources: ["call", "cork"], shouldResume: true, isOverruled: false),
        .state(.playing, why: nil),
      ], ["interrupted by a call", "the call is over, the music goes on"]
    ),
    (
      "playing on during a call",
      [
        .interruptionBegan("call", sources: ["call"], wasPlaying: true), .state(.interrupted, why: "call"),
        .interruptionEnded("call", sources: ["call"], shouldResume: false, isOverruled: true),
        .state(.playing, why: nil),
      ], ["interrupted by a call", "you played on: a call is going on"]
    ),
    (
      "an unplug",
      [
        .routeChange(.oldDeviceUnavailable, previous: headphones, current: speakers, paused: true),
        .state(.paused, why: "route"),
      ], ["headphones unplugged; sound would go to the loudspeakers; paused"]
    ),
    (
      "a server restart",
      [
        .interruptionBegan("server", sources: ["server"], wasPlaying: true),
        .routeChange(.mediaServicesWereLost, previous: speakers, current: nil, paused: false),
        .state(.interrupted, why: "server"),
        .routeChange(.mediaServicesWereReset, previous: nil, current: speakers, paused: false),
        .interruptionEnded("server", sources: ["server"], shouldResume: true, isOverruled: false),
        .state(.playing, why: nil),
      ],
      [
        "waiting for a sound server", "the sound server is gone",
        "the sound server is back; sound goes to the loudspeakers", "the music goes on",
      ]
    ),
    (
      "a queue's end", [.state(.stopped, why: "finished"), .nowPlaying(nil), .row(nil)],
      ["finished; 'fermata play' begins it again"]
    ),
    (
      "a broken file",
      [
        .skipped(EntryID(rawValue: 2), url: "file:///music/b.flac", why: "its data is damaged"), .row(3),
        .itemsChanged([
          ItemFace(
            MediaItem(location: .file("/music/b.flac")), entry: EntryID(rawValue: 2), unplayable: "is damaged"
          )
        ]),
      ],
      ["skipped /music/b.flac: its data is damaged"]
    ),
  ]

  private static func route(_ kind: Port.Kind, isPrivate: Bool) -> RouteFace {
    RouteFace(
      Route(
        sinkName: "alsa.pci", sinkDescription: "Built-in Audio", portName: kind.rawValue, portKind: kind,
        isPrivate: isPrivate, device: Route.Device(name: "pci")))
  }
  private static let headphones = route(.headphones, isPrivate: true)
  private static let speakers = route(.speaker, isPrivate: false)

  @Test("an evening reads well: each thing is said once", arguments: evenings.indices)
  func evening(number: Int) {
    var lines = EventLines()
    let evening = Self.evenings[number]
    let read = evening.events.compactMap { lines.line($0, Moment(milliseconds: 1_700_000_000_000)) }
    #expect(read.map { String($0.dropFirst(10)) } == evening.lines, "\(evening.name)")
  }

  @Test("what came from outside is no order to a terminal")
  func outside() {
    var lines = EventLines()
    let line = lines.line(.state(.paused, why: "tool:\u{1B}[2J"), Moment(milliseconds: 0))
    #expect(line?.contains("\u{1B}") == false)
  }
}
