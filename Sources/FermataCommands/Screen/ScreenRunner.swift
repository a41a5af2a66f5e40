// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FileIO
import Glibc
import MediaModel
import PlaybackLogic
import ScreenModel
import TerminalIO
import UserFiles

/// Connects the screen with the terminal and the agent, and decides nothing: input from the terminal goes to the screen as events, the screen's
/// effects are carried out, and the newest frame is painted once in each turn of the loop.
///
/// Only on the loop. It lives as long as the command.
@AgentLoop
final class ScreenRunner {
  private let session: ScreenSession
  private var writer: FrameWriter<Frame>
  private var screen: Screen
  private var traits: TerminalTraits
  private var probe = TerminalProbe()
  private var decoder = TerminalInputDecoder()
  private var agent: ScreenAgent?
  private let history = ScreenHistory(UserFolders.historyFile.map(HistoryFile.init))
  /// Whether the terminal reports the mouse.
  private var hasMouse = true
  /// Whether Ctrl-Z was pressed, and the process has not stopped yet.
  private var isSuspending = false
  /// Looks for files while one is typed, on whatever disk.
  private let paths = BlockingThread("paths")
  /// The title that the window was given; nil while it has the shell's.
  private var title: String?
  private var input: LoopWatch?
  private var output: LoopWatch?
  private var signals: SignalWatch?
  private var painting: LoopDeferral?
  /// The timer that ends an incomplete escape sequence.
  private var patience: LoopTimer?
  /// The timer for the next moment at which the frame changes by itself.
  private var tick: LoopTimer?
  private let over = Promise<Void>()

  /// Shows the screen until it is left. Blocks; on the main thread only, and once.
  nonisolated static func run(as name: String) throws(CommandError) -> ExitCode {
    try onLoop { () throws(CommandError) in
      let runner: ScreenRunner
      do throws(TerminalError) { runner = try ScreenRunner() } catch {
        throw CommandError(.usage, "ui", "\(error)", "'fermata ui --plain' works without a terminal")
      }
      try await runner.run(as: name)
      return .done
    }
  }

  private init() throws(TerminalError) {
    traits = TerminalTraits(charset: Terminal.charset, environment: Process.environment)
    traits.cell = Self.cell
    screen = Screen(Self.size, program: FermataProgram.definition, traits: traits)
    session = try ScreenSession()
    writer = FrameWriter(session.output)
    painting = LoopDeferral { [weak self] in self?.paint() }
    signals = SignalWatch([SIGWINCH, SIGCONT, SIGTSTP]) { [weak self] in self?.handle(signal: $0) }
    input = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
    output = LoopWatch(descriptor: session.output, events: []) { [weak self] _ in self?.goOn() }
  }

  private static var size: ScreenSize {
    ScreenSize(
      columns: Terminal.columns(of: STDOUT_FILENO) ?? 80, rows: Terminal.rows(of: STDOUT_FILENO) ?? 24)
  }

  private static var cell: CellSize? {
    Terminal.cell(of: STDOUT_FILENO).flatMap { CellSize(width: $0.width, height: $0.height) }
  }

  private func run(as name: String) async throws(CommandError) {
    writer.send(TerminalProbe.questions(environment: Process.environment))
    // The first frame is painted before anybody has answered.
    paint()
    readKeys()
    AgentLoop.task { [self] in handle(.history(await history.read())) }
    let agent = ScreenAgent(name) { [weak self] in self?.handle($0) }
    self.agent = agent
    // An agent may take long to start, and the screen can be left before.
    AgentLoop.task { await agent.begin() }
    await over.get()
    (input, output, signals, painting) = (nil, nil, nil, nil)
    tick?.cancel()
    patience?.cancel()
    // The shell has its terminal, with Ctrl-C, while the last orders are carried out.
    session.end()
    let unsent = await agent.end() + screen.waitingOrders
    await history.end()
    guard unsent > 0 else { return }
    throw CommandError(
      .tryAgain, "ui", "the agent did not answer, so \(CountText.text(unsent, "order")) never reached it",
      "'fermata status' tells when it answers again")
  }

  private var isOver: Bool { over.value != nil }

  private func leave() { over.keep() }

  // MARK: Events and effects

  private func handle(_ event: ScreenEvent) {
    if isOver { return goOnLeaving(event) }
    for effect in screen.handle(event, at: AgentLoop.now) { carryOut(effect) }
    painting?.isEnabled = true
  }

  /// The user has left, and the last orders are carried out. Those that wait for an earlier one go on with its answer.
  private func goOnLeaving(_ event: ScreenEvent) {
    guard event.tellsOfEdit else { return }
    for effect in screen.handle(event, at: AgentLoop.now) where effect.isOfRows { agent?.carryOut(effect) }
  }

  private func carryOut(_ effect: ScreenEffect) {
    switch effect {
    case .suspend: suspend()
    case .redraw: writer.forget()
    case .copy(let text): copy(text)
    case .remember(let line): history.add(line)
    case .needPaths(let begun, let line): findPaths(begun, line: line)
    case .leave(let stops):
      if stops { agent?.carryOut(.order(.stop)) }
      leave()
    default: agent?.carryOut(effect)
    }
  }

  private func findPaths(_ begun: String, line: String) {
    AgentLoop.task { [weak self, paths] in
      let found = try? await paths.run { _ in PathOffers.paths(beginningWith: begun) }
      if let found { self?.handle(.paths(found, line: line)) }
    }
  }

  private func copy(_ text: String) {
    writer.send(Array("\u{1B}]52;c;".utf8) + Base64.text(of: Array(text.utf8)) + [0x07])
    handle(.said("copied \(text)"))
  }

  // MARK: The terminal

  private func read() {
    guard let bytes = Terminal.readAvailable(STDIN_FILENO) else { return leave() }
    take(decoder.decode(bytes))
    patience?.cancel()
    guard let wait = decoder.wait else { return }
    patience = AgentLoop.after(wait) { [weak self] in
      guard let self else { return }
      take(decoder.flush())
    }
  }

  private func take(_ inputs: [TerminalInput]) {
    for input in inputs {
      guard case .answer(let answer) = input else {
        handle(.input(input))
        continue
      }
      let (before, wasOver) = (traits, probe.isOver)
      probe.take(answer)
      traits.take(probe, number: Self.pictureNumber)
      // What is there was painted in fewer colours.
      if traits.colours != before.colours { writer.forget() }
      guard probe.isOver, !wasOver || traits != before else { continue }
      if !wasOver { useAbilities() }
      handle(.terminal(traits))
    }
  }

  private func useAbilities() {
    if probe.hasKeyboard { writer.send(session.useKeyboard()) }
    if let graphics = traits.graphics { session.removePictures(by: graphics.removal) }
  }

  /// The number of this screen's picture in the terminal; another screen in the same terminal has another number. It has 24 bits, because a cell of
  /// the picture tells the number by its colour.
  private static let pictureNumber = 1 << 23 | UInt32(truncatingIfNeeded: getpid()) & 0x7F_FFFF

  private func resize() {
    // The terminal may have changed the size of its letters, and what it answered at the beginning holds no longer.
    if let cell = Self.cell { traits.cell = cell }
    if case .sixel = traits.graphics { writer.send(TerminalProbe.questionAfterResize) }
    // A terminal that was made smaller, and as large as before again, has lost what was cut off meanwhile.
    writer.forget()
    handle(.terminal(traits))
    handle(.resized(Self.size))
  }

  private func handle(signal: Int32) {
    switch signal {
    case SIGWINCH: resize()
    case SIGTSTP: suspend()
    default: goOnAfterStop()
    }
  }

  /// Stops the process, as Ctrl-Z does. All subscriptions end before that, because the bus would queue every signal for a stopped process.
  private func suspend() {
    // Ctrl-Z may be held, or pressed once more before the process has stopped. It would then stop again after it was told to go on.
    guard !isSuspending else { return }
    isSuspending = true
    AgentLoop.task { [self] in
      await agent?.pause()
      isSuspending = false
      guard !isOver else { return }
      session.suspend()
      goOnAfterStop()
    }
  }

  private func goOnAfterStop() {
    session.resume()
    // The session asks for the mouse anew, and the shell may have given the window another title.
    (hasMouse, title) = (true, nil)
    writer.abandon()
    resize()
    AgentLoop.task { [self] in await agent?.goOn() }
  }

  // MARK: Painting

  private func paint() {
    painting?.isEnabled = false
    guard !isOver else { return }
    let now = AgentLoop.now
    let frame = screen.frame(at: now)
    writer.show(frame) { [traits] in Painter.bytes(from: $0, to: $1, traits: traits) }
    nameWindow()
    lendMouse()
    watchOutput()
    tick?.cancel()
    guard let next = screen.wake(after: now) else { return tick = nil }
    tick = AgentLoop.after(next - now) { [weak self] in self?.handle(.tick) }
  }

  /// The most letters of a window's title. A tag may have thousands.
  private static let longestTitle = 200

  private func nameWindow() {
    guard screen.title != title else { return }
    title = screen.title
    guard let title else { return writer.send(ScreenSession.formerTitle) }
    let text = traits.isUnicode ? String(TerminalText.printable(title).prefix(Self.longestTitle)) : "fermata"
    writer.send(Array("\u{1B}]2;\(text)\u{7}".utf8))
  }

  private func lendMouse() {
    guard screen.hasMouse != hasMouse else { return }
    hasMouse = screen.hasMouse
    writer.send(ScreenSession.mouse(isOn: hasMouse))
  }

  private func goOn() {
    writer.goOn { [traits] in Painter.bytes(from: $0, to: $1, traits: traits) }
    watchOutput()
  }

  private func watchOutput() {
    if writer.isGone { return leave() }
    output?.events = writer.isWaiting ? .writable : []
  }

  // MARK: The user's keys

  private func readKeys() {
    guard let file = UserFolders.keysFile, let bytes = try? OpenFile(file).head(1 << 16) else {
      return
    }
    let mistakes = screen.takeKeys(String(decoding: bytes, as: UTF8.self))
    if let text = KeysFile.text(of: mistakes) { handle(.failed(text)) }
  }
}
